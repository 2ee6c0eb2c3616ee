/// A record of the changes that output makes to a terminal, and of the bytes that undo them.
///
/// The terminal is assumed to start in its initial state. The record covers modes, character
/// attributes, character sets, the scroll region, the cursor and the screen.
public struct TerminalChanges: Sendable {
  private enum State: Sendable {
    case ground, escape, intermediate, control
    /// The state inside a control string, such as a title.
    case string
    /// The state after an ESC inside a control string.
    case stringEscape
  }

  private var state = State.ground
  /// The bytes of the unfinished sequence, without its introducer.
  private var held: [UInt8] = []
  /// `true` if the held bytes belong to an operating system command (OSC).
  private var isCommand = false
  /// The maximum number of bytes of one sequence that are held.
  ///
  /// Further bytes are ignored.
  private static let longest = 256

  /// The settings that currently differ from the terminal's initial state.
  private(set) var changed: Set<TerminalSetting> = []
  /// The settings that have ever differed from the terminal's initial state.
  private(set) var touched: Set<TerminalSetting> = []
  private var look = TerminalLook()

  /// Creates the record for a terminal in its initial state.
  public init() {}

  /// `true` if the terminal is in its initial state and no sequence is unfinished.
  public var isEmpty: Bool { changed.isEmpty && state == .ground }

  /// The bytes that restore the terminal; empty if nothing changed.
  public var restoring: [UInt8] {
    Array((ending + TerminalSetting.restoring(changed)).utf8)
  }

  /// The bytes that restore the terminal if it may not have received all of the output.
  ///
  /// They begin with CAN, which cancels an unfinished sequence, and undo every setting that has
  /// ever changed.
  public var restoringAll: [UInt8] {
    Array((ending + "\u{18}" + TerminalSetting.restoring(touched)).utf8)
  }

  /// The bytes that cancel the unfinished sequence, if any.
  private var ending: String {
    switch state {
    case .ground: ""
    // CAN prevents the cut string from taking effect. A terminal that ignores CAN needs the
    // terminator.
    case .string, .stringEscape: "\u{18}\u{1B}\\"
    case .escape, .intermediate, .control: "\u{18}"
    }
  }

  /// Records the effects of the given output.
  ///
  /// The output may be split at any byte.
  public mutating func read(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { read($0) }
  }

  /// Records the effects of the given output.
  ///
  /// The output may be split at any byte.
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

  /// Returns the index of the next ESC, SO or SI, starting at `start`.
  ///
  /// Other bytes change no setting.
  private static func nextControl(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var at = start
    while at + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let escapes = word ^ (ones &* 0x1B)
      let shifts = (word & ~ones) ^ (ones &* 0x0E)
      // A zero byte borrows from its highest bit.
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
    // Any other control character takes effect within a sequence without ending it.
    case (_, 0..<0x20), (_, 0x7F): break
    case (.escape, _), (.stringEscape, _): readEscaped(byte)
    case (.intermediate, 0x20...0x2F), (.control, 0x20...0x3F): hold(byte)
    case (.intermediate, _):
      state = .ground
      record(escape: held, byte)
    case (.control, _):
      state = .ground
      if held.count < Self.longest { record(control: byte) }
    }
  }

  /// Records the effect of the unfinished control sequence, whose final byte is given.
  private mutating func record(control final: UInt8) {
    switch final {
    case UInt8(ascii: "m") where held.allSatisfy { 0x30...0x3B ~= $0 }:
      look.read(held)
      if look.isChanged != changed.contains(.look) { set(.look, look.isChanged) }
      // The sequence may have changed and reset the attributes.
      touched.insert(.look)
    case UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "m"), UInt8(ascii: "n"),
      UInt8(ascii: "q"), UInt8(ascii: "r"), UInt8(ascii: "u"):
      if let sequence = ControlSequence(held, final) { record(sequence) }
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
      record(escape: [], byte)
    }
  }

  private mutating func endString() {
    state = .ground
    if isCommand { record(command: held) }
  }

  /// Records that the given setting differs from its initial state, or no longer does.
  mutating func set(_ setting: TerminalSetting, _ isChanged: Bool) {
    if isChanged {
      changed.insert(setting)
      touched.insert(setting)
    } else {
      changed.remove(setting)
    }
  }

  /// Records that the terminal was fully reset.
  mutating func reset() {
    changed = []
    look = TerminalLook()
  }
}
