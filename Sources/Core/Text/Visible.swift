/// Conversions that make text from outside safe to show on a terminal.
public enum Visible {
  /// Returns the given text with each unsafe character shown in a form such as `<U+001B>`.
  ///
  /// Characters are unsafe if a terminal may interpret them, or if they hide or reorder other
  /// characters. With `keepingLines`, line feeds and tabs are kept.
  public static func text(_ text: String, keepingLines: Bool = false) -> String {
    guard !isPlain(text.utf8), text.unicodeScalars.contains(where: { isHidden($0) }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if !isHidden(scalar) || (keepingLines && (scalar == "\n" || scalar == "\t")) {
        result.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        result.append(contentsOf: "<U+\(padding)\(digits)>".unicodeScalars)
      }
    }
    return String(result)
  }

  /// Returns the given text on one line.
  ///
  /// Each run of white space becomes one space. Unsafe characters are shown as by
  /// ``text(_:keepingLines:)``.
  public static func line(_ text: String) -> String {
    guard !isPlainLine(text.utf8) else { return text }
    // A space and a joiner behind it are one character.
    let words = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
    return self.text(words.map(String.init).joined(separator: " "))
  }

  /// Returns the given JSON with each unsafe character replaced by an escape, such as `\u009b`.
  static func json(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
    var result: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      guard scalar.value >= 0x7F, isHidden(scalar) else {
        result += UTF8.encode(scalar).map(Array.init) ?? []
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      }
    }
    return result
  }

  /// Returns `true` if the given text contains only visible ASCII and spaces, as most texts do.
  private static func isPlain(_ text: String.UTF8View) -> Bool {
    text.allSatisfy { 0x20...0x7E ~= $0 }
  }

  /// Returns `true` if the text is plain and has no space that ``line(_:)`` would remove.
  private static func isPlainLine(_ text: String.UTF8View) -> Bool {
    var last: UInt8 = 0x20
    for byte in text {
      guard 0x20...0x7E ~= byte, byte != 0x20 || last != 0x20 else { return false }
      last = byte
    }
    return last != 0x20
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Format characters are bidi controls, zero-width characters and tags; joiners that scripts
    // need stay.
    case .format: scalar.value != 0x200C && scalar.value != 0x200D && scalar.value != 0xAD
    default: false
    }
  }
}
