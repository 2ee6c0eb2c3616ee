import Core

/// The references to characters that a text has, as HTML writes them: `&amp;`, `&#8230;`, `&#x2026;`.
enum MarkdownEntity {
  /// A longer name is none of these.
  private static let longest = 10

  /// What a reference stands for, made visible.
  ///
  /// - Parameter characters: The text from the ampersand on.
  /// - Returns: The text, and the characters that it stands for; nil where there is no reference.
  static func decoded(_ characters: ArraySlice<Character>) -> (text: String, count: Int)? {
    guard characters.first == "&",
      let end = characters.prefix(longest + 2).firstIndex(of: ";")
    else { return nil }
    let name = String(characters[(characters.startIndex + 1)..<end])
    guard let text = name.first == "#" ? number(name.dropFirst()) : named[name] else { return nil }
    return (text, end - characters.startIndex + 1)
  }

  /// A text with all its references decoded.
  static func decoded(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var rest = Array(text)[...]
    var result = ""
    while let first = rest.first {
      if let (text, count) = decoded(rest) {
        result += text
        rest = rest.dropFirst(count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static func number(_ digits: Substring) -> String? {
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    guard
      let value = UInt32(
        isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    // White space is a space: a reference ends no line.
    if [0x09, 0x0A, 0x0D].contains(value) { return " " }
    guard value > 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    return Visible.text(String(Character(scalar)))
  }

  /// Names of characters that stand in prose (HTML, section 13.5).
  private static let named = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    "ndash": "–", "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’", "sbquo": "‚",
    "ldquo": "“", "rdquo": "”", "bdquo": "„", "laquo": "«", "raquo": "»", "lsaquo": "‹",
    "rsaquo": "›", "bull": "•", "middot": "·", "copy": "©", "reg": "®", "trade": "™",
    "deg": "°", "plusmn": "±", "times": "×", "divide": "÷", "minus": "−", "micro": "µ",
    "frac12": "½", "frac14": "¼", "frac34": "¾", "sup2": "²", "sup3": "³", "le": "≤",
    "ge": "≥", "ne": "≠", "asymp": "≈", "infin": "∞", "larr": "←", "uarr": "↑", "rarr": "→",
    "darr": "↓", "harr": "↔", "rArr": "⇒", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢",
    "sect": "§", "para": "¶", "dagger": "†", "iexcl": "¡", "iquest": "¿", "szlig": "ß",
    "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
    "agrave": "à", "aacute": "á", "acirc": "â", "aring": "å", "aelig": "æ", "ccedil": "ç",
    "egrave": "è", "eacute": "é", "ecirc": "ê", "iacute": "í", "ntilde": "ñ", "oacute": "ó",
    "ocirc": "ô", "oslash": "ø", "uacute": "ú",
  ]
}
