/// Lets through what moves a cursor, colours cells and shows text, and nothing that reaches beyond the
/// screen: titles, the clipboard, answers that a terminal would type, and other strings of control
/// (ECMA-48, section 5.6) are left out, however the bytes are cut.
struct TerminalFilter: Sendable {
  private enum State: Sendable {
    case ground
    /// After the first byte of a two-byte character, which may turn out to be a control one.
    case lead
    case escape
    /// After an escape and an intermediate byte, such as `(`.
    case intermediate
    case sequence
    /// In a string that is left out.
    case string
    /// In such a string, after an escape.
    case stringEscape
  }

  private var state = State.ground
  private var held: [UInt8] = []
  /// A sequence longer than this is none that is needed.
  private static let longest = 256

  /// The bytes of these that may reach a terminal.
  mutating func filtered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes { take(byte, &result) }
    return result
  }

  private mutating func take(_ byte: UInt8, _ result: inout [UInt8]) {
    switch state {
    case .ground: takeText(byte, &result)
    case .lead:
      state = .ground
      // U+0080 to U+009F are control characters.
      guard !(0x80...0x9F ~= byte) else { return }
      result.append(0xC2)
      takeText(byte, &result)
    case .escape: takeEscaped(byte, &result)
    case .intermediate:
      held.append(byte)
      switch byte {
      case 0x20...0x2F where held.count < 4: break
      case 0x30...0x7E: release(&result, if: true)
      case 0x1B:
        held = [byte]
        state = .escape
      default: release(&result, if: false)
      }
    case .sequence:
      held.append(byte)
      switch byte {
      case 0x40...0x7E: release(&result, if: !isQuestion(byte))
      case 0x20...0x3F where held.count < Self.longest: break
      case 0x1B:
        held = [byte]
        state = .escape
      default: release(&result, if: false)
      }
    case .string:
      if byte == 0x07 || byte == 0x18 || byte == 0x1A { state = .ground }
      if byte == 0x1B { state = .stringEscape }
    case .stringEscape:
      state = byte == UInt8(ascii: "\\") ? .ground : byte == 0x1B ? .stringEscape : .string
    }
  }

  /// Whether a sequence asks the terminal for something, which it would answer as if it were typed: its
  /// kind, where the cursor is, its modes, its window.
  private func isQuestion(_ final: UInt8) -> Bool {
    switch final {
    case UInt8(ascii: "t"), UInt8(ascii: "c"), UInt8(ascii: "n"), UInt8(ascii: "x"): true
    case UInt8(ascii: "q"): held.contains(UInt8(ascii: ">"))
    case UInt8(ascii: "p"): held.contains(UInt8(ascii: "$"))
    case UInt8(ascii: "u"): held.contains(UInt8(ascii: "?"))
    default: false
    }
  }

  private mutating func takeText(_ byte: UInt8, _ result: inout [UInt8]) {
    switch byte {
    case 0x1B:
      held = [byte]
      state = .escape
    case 0xC2: state = .lead
    // An enquiry would be answered.
    case 0x05, 0x7F: break
    default: result.append(byte)
    }
  }

  private mutating func takeEscaped(_ byte: UInt8, _ result: inout [UInt8]) {
    held.append(byte)
    switch byte {
    case UInt8(ascii: "["): state = .sequence
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"), UInt8(ascii: "k"):
      held = []
      state = .string
    case 0x20...0x2F: state = .intermediate
    case 0x30...0x7E: release(&result, if: byte != UInt8(ascii: "Z"))
    case 0x1B: held = [byte]
    default: release(&result, if: false)
    }
  }

  private mutating func release(_ result: inout [UInt8], if isHarmless: Bool) {
    if isHarmless { result += held }
    held = []
    state = .ground
  }
}
