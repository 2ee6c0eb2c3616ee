/// The rows of one answer, shown in a column beside other answers.
///
/// A block that can no longer change is rendered only once.
struct AnswerColumn: Sendable {
  private var width = 0
  /// The length, in bytes, of the blocks that can no longer change.
  private var settled = 0
  private var rows: [String] = []

  /// Returns the rows of the answer's text, which may have grown since the last call.
  ///
  /// - Parameters:
  ///   - text: The Markdown received so far.
  ///   - width: The width of the column.
  ///   - drawn: A function that renders Markdown as rows of the column's width.
  /// - Returns: The rows.
  mutating func rows(of text: String, width: Int, drawn: (String) -> [String]) -> [String] {
    if width != self.width { self = AnswerColumn() }
    self.width = width
    let rest = String(decoding: text.utf8.dropFirst(settled), as: UTF8.self)
    let end = MarkdownText.endOfSettled(rest)
    if end > 0 {
      let block = drawn(String(decoding: rest.utf8.prefix(end), as: UTF8.self))
      if !block.isEmpty { rows += block + [String(repeating: " ", count: width)] }
      settled += end
    }
    return rows + drawn(String(decoding: rest.utf8.dropFirst(end), as: UTF8.self))
  }
}
