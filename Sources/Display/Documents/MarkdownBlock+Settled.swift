import Core

extension MarkdownBlock {
  /// Where the last block begins before which nothing can change any more, whatever is added to a
  /// document, in bytes of UTF-8; 0 where there is none.
  static func endOfSettled(_ markdown: String) -> Int {
    let lines = source(markdown)
    let start = placed(lines).last { index, _ in
      index > 0 && lines[index - 1].allSatisfy(\.isWhitespace) && isOwn(lines[index])
    }?.start
    guard var breaks = start else { return 0 }
    let end = markdown.utf8.firstIndex { byte in
      if byte == 0x0A { breaks -= 1 }
      return breaks == 0
    }
    return end.map { markdown.utf8.distance(from: markdown.utf8.startIndex, to: $0) + 1 } ?? 0
  }

  /// The lines of a document, as they are read: visible, without carriage returns.
  static func source(_ markdown: String) -> [String] {
    Visible.text(markdown.replacing("\r\n", with: "\n"), keepingLines: true)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether a line behind an empty one, or one that begins like it, belongs to no list before it.
  private static func isOwn(_ line: String) -> Bool {
    guard let first = line.first, !first.isWhitespace, first != "<" else { return false }
    return MarkdownMark(line) == nil && !line.allSatisfy(\.isNumber)
  }
}
