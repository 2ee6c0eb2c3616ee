/// The conversion of plain text to Markdown.
enum PlainText {
  /// Returns the given text as Markdown that shows it literally (CommonMark 0.31, section 2.4).
  ///
  /// A backslash precedes each character that could begin a link, an image, HTML, code, a heading,
  /// a list, a quotation, a rule or a table.
  static func markdown(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var isLineStart = true
    var hasOnlyDigits = false
    for byte in text.utf8 {
      switch byte {
      case 0x0A, 0x0D: (isLineStart, hasOnlyDigits) = (true, false)
      case 0x20, 0x09: hasOnlyDigits = false
      case 0x30...0x39 where isLineStart || hasOnlyDigits:
        (isLineStart, hasOnlyDigits) = (false, true)
      default:
        let isSpecial =
          inline.contains(byte) || (isLineStart && atStart.contains(byte))
          || (hasOnlyDigits && afterDigits.contains(byte))
        if isSpecial { result.append(UInt8(ascii: "\\")) }
        (isLineStart, hasOnlyDigits) = (false, false)
      }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let inline = Set("\\`*[]<".utf8)
  private static let atStart = Set("#>-+=|~_".utf8)
  private static let afterDigits = Set(".)".utf8)
}
