import Markdown

/// The removal and the escaping of Markdown's inline marks.
enum InlineMarkdown {
  /// Returns the given text on one line, without emphasis, images, footnotes and link targets.
  ///
  /// Code spans and character references are not changed.
  static func plain(_ text: String) -> String { plain(Array(text.utf8)[...]) }

  /// Returns the given part of a line without Markdown marks, as ``plain(_:)`` for a text does.
  static func plain(_ text: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    for piece in MarkdownInline(text, [.pairs, .shortcuts]).pieces {
      switch piece {
      case .text(let text), .code(_, source: let text), .reference(_, source: let text):
        result += text
      case .emphasis, .endOfEmphasis, .link, .endOfLink: break
      }
    }
    return String(decoding: result, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// Returns the given text on one line with Markdown's marks escaped, so that they are shown as
  /// text.
  ///
  /// Code spans are not changed.
  static func escaped(_ text: String) -> String {
    let line = Array(String(text.map { $0.isNewline ? " " : $0 }).utf8)[...]
    var code = MarkdownCode()
    var result: [UInt8] = []
    var index = line.startIndex
    while index < line.endIndex {
      let byte = line[index]
      let run = line[index...].prefix { $0 == byte }
      if byte == UInt8(ascii: "`"), let content = code.content(in: line, at: index) {
        let end = content.upperBound + run.count
        result += line[index..<end]
        index = end
        continue
      }
      let isMark =
        byte == UInt8(ascii: "_")
        ? !MarkdownInline.isWithinWord(run.startIndex..<run.endIndex, of: line)
        : #"`\*[]<>|~&"#.utf8.contains(byte)
      for byte in run { result += isMark ? [UInt8(ascii: "\\"), byte] : [byte] }
      index = run.endIndex
    }
    return String(decoding: result, as: UTF8.self)
  }
}
