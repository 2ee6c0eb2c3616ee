/// A key press.
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
  /// The Ctrl key together with the given letter.
  case control(Character)

  /// Decodes keys from the given bytes (ECMA-48, xterm).
  ///
  /// Unknown keys are skipped.
  ///
  /// - Parameters:
  ///   - bytes: The input. Decoded bytes are removed; those of an incomplete key remain.
  ///   - isAll: `true` to decode an incomplete key, too, because no more bytes will arrive.
  /// - Returns: The keys.
  public static func keys(_ bytes: inout [UInt8], isAll: Bool = false) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.first {
      if !isAll, isBeginning(rest) { break }
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
    bytes = Array(rest)
    return keys
  }

  /// The length, in bytes, at which an incomplete sequence is discarded.
  private static let longest = 32

  /// Returns `true` if the given bytes begin with an incomplete sequence or character.
  ///
  /// Later input may complete it.
  private static func isBeginning(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let first = rest.first, rest.count < longest else { return false }
    let after = rest.dropFirst()
    switch first {
    case 0x1B:
      guard let introducer = after.first else { return true }
      guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(introducer) else { return false }
      return after.dropFirst().allSatisfy { 0x20...0x3F ~= $0 }
    case 0xC2...0xF4:
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      return rest.count < length && after.allSatisfy { $0 & 0xC0 == 0x80 }
    default: return false
    }
  }

  /// Decodes the key of a control sequence after its introducer.
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
