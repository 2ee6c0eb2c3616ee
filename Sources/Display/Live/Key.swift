/// A key that a person pressed.
public enum Key: Sendable, Hashable {
  case character(Character)
  case up
  case down
  case pageUp
  case pageDown
  case home
  case end
  case enter
  case escape
  case backspace
  /// Ctrl and a letter.
  case control(Character)

  /// The keys that bytes stand for (ECMA-48, xterm); what is not known is left out.
  public static func keys(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.first {
      rest.removeFirst()
      switch byte {
      case 0x1B:
        if rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O") {
          rest.removeFirst()
          if let key = sequence(&rest) { keys.append(key) }
        } else {
          keys.append(.escape)
        }
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.backspace)
      case ..<0x20: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
      default:
        let character = [byte] + rest.prefix { $0 & 0xC0 == 0x80 }
        rest = rest.dropFirst(character.count - 1)
        if let first = String(decoding: character, as: UTF8.self).first {
          keys.append(.character(first))
        }
      }
    }
    return keys
  }

  /// The key of a control sequence whose introducer is read.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    let parameters = rest.prefix { 0x20...0x3F ~= $0 }
    rest = rest.dropFirst(parameters.count)
    guard let final = rest.popFirst() else { return nil }
    switch (final, String(decoding: parameters, as: UTF8.self)) {
    case (UInt8(ascii: "A"), _): return .up
    case (UInt8(ascii: "B"), _): return .down
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): return .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): return .end
    case (UInt8(ascii: "~"), "5"): return .pageUp
    case (UInt8(ascii: "~"), "6"): return .pageDown
    default: return nil
    }
  }
}
