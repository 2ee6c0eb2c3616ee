import Core

/// A filter that passes only the escape sequences with which tmux(1) paints a screen.
///
/// The input may be split at any byte. Printable UTF-8 characters, seven control characters and the
/// sequences of ``ScreenSequence`` pass. Everything else is dropped, such as titles, clipboard
/// access, printing, saving, and queries whose answers would arrive as typed keys (ECMA-48; xterm's
/// ctlseqs).
struct TerminalFilter: Sendable {
  private enum State: Sendable {
    case ground, escape, intermediate, control
    /// The state inside a control string.
    ///
    /// Such strings are dropped.
    case string
    /// The state after an ESC inside a control string.
    case stringEscape
  }

  private var state = State.ground
  /// The bytes of the unfinished sequence or character.
  private var held: [UInt8] = []
  /// The number of bytes that are still missing of the unfinished character.
  private var missing = 0
  /// The maximum length of a sequence.
  ///
  /// tmux sends no longer ones.
  private static let longest = 256
  /// The control characters that pass: bell, backspace, tab, line feed, carriage return, SO and SI.
  private static let controls: UInt32 = 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 13 | 3 << 14

  /// Returns the part of the given bytes that may reach the terminal.
  mutating func filtered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    let isWhole: Void? = bytes.withContiguousStorageIfAvailable { filter($0, &result) }
    if isWhole == nil { Array(bytes).withUnsafeBufferPointer { filter($0, &result) } }
    return result
  }

  private mutating func filter(_ bytes: UnsafeBufferPointer<UInt8>, _ result: inout [UInt8]) {
    result.reserveCapacity(bytes.count + held.count)
    var at = 0
    while at < bytes.count {
      if state == .ground, missing == 0 {
        let start = at
        at = Self.endOfPlain(bytes, at)
        result.append(contentsOf: bytes[start..<at])
        guard at < bytes.count else { return }
      }
      read(bytes[at], &result)
      at += 1
    }
  }

  /// Returns the end of the bytes that pass unchanged, starting at `start`.
  ///
  /// These are text and common sequences.
  private static func endOfPlain(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var at = start
    while at < bytes.count {
      if isPlain(bytes[at]) {
        at += 1
      } else {
        let length =
          bytes[at] == 0x1B
          ? ScreenSequence.plainLength(bytes, at) : characterLength(bytes, at)
        guard length > 0 else { break }
        at += length
      }
    }
    return at
  }

  /// Returns the length of the complete character at `at`; 0 if there is none.
  private static func characterLength(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let count = length(bytes[at])
    guard count > 1, at + count <= bytes.count, mayFollow(bytes[at], bytes[at + 1]) else {
      return 0
    }
    for index in 1..<count where bytes[at + index] & 0xC0 != 0x80 { return 0 }
    return count
  }

  /// Returns the length of a multibyte character that begins with the given byte; 0 if none does.
  private static func length(_ byte: UInt8) -> Int {
    switch byte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20...0x7E ~= byte || byte < 0x20 && controls & 1 << UInt32(byte) != 0
  }

  private mutating func read(_ byte: UInt8, _ result: inout [UInt8]) {
    switch state {
    case .ground: readText(byte, &result)
    case .escape: readEscaped(byte, &result)
    case .intermediate:
      held.append(byte)
      switch byte {
      case 0x20...0x2F where held.count < 4: break
      case 0x30...0x7E: release(&result, ScreenSequence.allowed(escape: held.dropFirst()))
      default: cut(by: byte, &result)
      }
    case .control:
      held.append(byte)
      switch byte {
      case 0x40...0x7E: release(&result, ScreenSequence.allowed(control: held.dropFirst(2)))
      case 0x20...0x3F where held.count < Self.longest: break
      default: cut(by: byte, &result)
      }
    case .string:
      if byte == 0x07 || byte == 0x18 || byte == 0x1A { state = .ground }
      if byte == 0x1B { state = .stringEscape }
    case .stringEscape:
      state = byte == UInt8(ascii: "\\") ? .ground : byte == 0x1B ? .stringEscape : .string
    }
  }

  /// Reads a byte that belongs to no sequence: a part of a character, or a control character.
  private mutating func readText(_ byte: UInt8, _ result: inout [UInt8]) {
    if missing > 0 {
      if 0x80...0xBF ~= byte, held.count > 1 || Self.mayFollow(held[0], byte) {
        held.append(byte)
        missing -= 1
        if missing == 0 { release(&result, held) }
        return
      }
      // The unfinished bytes are not a character.
      missing = 0
      held.removeAll(keepingCapacity: true)
    }
    let length = Self.length(byte)
    if byte == 0x1B {
      begin(byte, .escape)
    } else if length > 0 {
      begin(byte, .ground, missing: length - 1)
    } else if Self.isPlain(byte) {
      result.append(byte)
    }
  }

  /// Returns `true` if `byte` may follow `first` in a multibyte character.
  ///
  /// Overlong forms and the controls U+0080 to U+009F are excluded (RFC 3629, section 4).
  private static func mayFollow(_ first: UInt8, _ byte: UInt8) -> Bool {
    switch first {
    case 0xC2, 0xE0: return byte >= 0xA0
    case 0xED: return byte < 0xA0
    case 0xF0: return byte >= 0x90
    case 0xF4: return byte < 0x90
    default: return true
    }
  }

  private mutating func readEscaped(_ byte: UInt8, _ result: inout [UInt8]) {
    held.append(byte)
    switch byte {
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"), UInt8(ascii: "k"):
      held.removeAll(keepingCapacity: true)
      state = .string
    case 0x20...0x2F: state = .intermediate
    case 0x30...0x7E: release(&result, ScreenSequence.allowed(escape: held.dropFirst()))
    default: cut(by: byte, &result)
    }
  }

  private mutating func begin(_ byte: UInt8, _ next: State, missing count: Int = 0) {
    held.removeAll(keepingCapacity: true)
    held.append(byte)
    state = next
    missing = count
  }

  /// Drops the unfinished sequence, because the given byte interrupts it.
  private mutating func cut(by byte: UInt8, _ result: inout [UInt8]) {
    release(&result, [])
    if byte == 0x1B { begin(byte, .escape) }
  }

  /// Ends the unfinished sequence or character; the given bytes of it pass.
  private mutating func release(_ result: inout [UInt8], _ bytes: [UInt8]) {
    result += bytes
    held.removeAll(keepingCapacity: true)
    state = .ground
  }
}
