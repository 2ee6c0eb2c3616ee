/// Reads what is written to a terminal, and knows what has to be written to it so that it is as it was:
/// modes, the look of characters, their sets, the region that scrolls, the cursor, the screen.
///
/// It knows nothing of what a terminal was told before: what is not as terminals come up was changed.
/// Pure, and fast where there are no sequences of control, as in a flood of lines.
public struct TerminalChanges: Sendable {
  private enum State: Sendable {
    case ground, escape, intermediate, control
    /// In a string of control, such as a title's.
    case string
    /// In such a string, after an escape.
    case stringEscape
  }

  private var state = State.ground
  /// What has come of a sequence, without its first two bytes, or its first one.
  private var held: [UInt8] = []
  /// Whether what is held is of a string that may matter (OSC).
  private var isCommand = false
  /// Of a longer sequence, or a longer string, no more is looked at.
  private static let longest = 256

  /// What is not as terminals come up now.
  private(set) var changed: Set<TerminalSetting> = []
  /// What was not at any time.
  private(set) var touched: Set<TerminalSetting> = []
  private var look = TerminalLook()

  /// Of a terminal that was told nothing.
  public init() {}

  /// Whether it is now as terminals come up, and nothing is begun.
  public var isEmpty: Bool { changed.isEmpty && state == .ground }

  /// What has to be written so that the terminal is as it was; nothing where it is.
  public var restoring: [UInt8] {
    Array((ending + TerminalSetting.restoring(changed)).utf8)
  }

  /// What has to be written where it is not known how much of what was read reached the terminal.
  ///
  /// It takes back what was changed at any time, and begins with what ends a sequence that is cut off
  /// (CAN).
  public var restoringAll: [UInt8] {
    Array((ending + "\u{18}" + TerminalSetting.restoring(touched)).utf8)
  }

  /// What ends that which is begun.
  private var ending: String {
    switch state {
    case .ground: ""
    // What came of a string is not to be obeyed; a terminal that does not know CAN needs the end.
    case .string, .stringEscape: "\u{18}\u{1B}\\"
    case .escape, .intermediate, .control: "\u{18}"
    }
  }

  /// Reads bytes as they are written, however they are cut.
  public mutating func read(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { read($0) }
  }

  /// Reads bytes as they are written, however they are cut.
  public mutating func read(_ bytes: UnsafeRawBufferPointer) {
    var at = 0
    while at < bytes.count {
      if state == .ground {
        at = Self.nextControl(bytes, at)
        guard at < bytes.count else { return }
      }
      read(bytes[at])
      at += 1
    }
  }

  /// Where the next byte is that may change something: ESC, SO or SI.
  private static func nextControl(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var at = start
    while at + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let escapes = word ^ (ones &* 0x1B)
      let shifts = (word & ~ones) ^ (ones &* 0x0E)
      // A byte of 0 borrows from its highest bit.
      let found = ((escapes &- ones) & ~escapes) | ((shifts &- ones) & ~shifts)
      if found & (ones &* 0x80) != 0 { break }
      at += 8
    }
    while at < bytes.count, bytes[at] != 0x1B, bytes[at] & 0xFE != 0x0E { at += 1 }
    return at
  }

  private mutating func read(_ byte: UInt8) {
    switch (state, byte) {
    case (.string, 0x1B): state = .stringEscape
    case (.string, 0x07): endString()
    case (_, 0x18), (_, 0x1A): state = .ground
    case (.string, _): hold(byte)
    case (.stringEscape, UInt8(ascii: "\\")): endString()
    case (_, 0x1B): state = .escape
    case (.ground, 0x0E): set(.shift, true)
    case (.ground, 0x0F): set(.shift, false)
    case (.ground, _): break
    // Other controls are obeyed within a sequence, and it goes on.
    case (_, 0..<0x20), (_, 0x7F): break
    case (.escape, _), (.stringEscape, _): readEscaped(byte)
    case (.intermediate, 0x20...0x2F), (.control, 0x20...0x3F): hold(byte)
    case (.intermediate, _):
      state = .ground
      note(escape: held, byte)
    case (.control, _):
      state = .ground
      if held.count < Self.longest { note(control: byte) }
    }
  }

  /// Notes a control sequence; most that come change nothing, or how characters look.
  private mutating func note(control final: UInt8) {
    switch final {
    case UInt8(ascii: "m") where held.allSatisfy { 0x30...0x3B ~= $0 }:
      look.read(held)
      if look.isChanged != changed.contains(.look) { set(.look, look.isChanged) }
      // It may have been changed and be as it was by now.
      touched.insert(.look)
    case UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "m"), UInt8(ascii: "n"),
      UInt8(ascii: "q"), UInt8(ascii: "r"), UInt8(ascii: "u"):
      if let sequence = ControlSequence(held, final) { note(sequence) }
    default: break
    }
  }

  private mutating func hold(_ byte: UInt8) {
    if held.count < Self.longest { held.append(byte) }
  }

  private mutating func readEscaped(_ byte: UInt8) {
    held.removeAll(keepingCapacity: true)
    isCommand = byte == UInt8(ascii: "]")
    switch byte {
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      state = .string
    case 0x20...0x2F:
      state = .intermediate
      held.append(byte)
    default:
      state = .ground
      note(escape: [], byte)
    }
  }

  private mutating func endString() {
    state = .ground
    if isCommand { note(command: held) }
  }

  /// Notes how a setting is from now on.
  mutating func set(_ setting: TerminalSetting, _ isChanged: Bool) {
    if isChanged {
      changed.insert(setting)
      touched.insert(setting)
    } else {
      changed.remove(setting)
    }
  }

  /// Notes that all is as it comes up.
  mutating func reset() {
    changed = []
    look = TerminalLook()
  }
}
