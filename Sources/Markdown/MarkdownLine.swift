/// A line of Markdown outside code, and the blocks that may begin on it.
///
/// See CommonMark 0.31, sections 4 and 5.
package struct MarkdownLine {
  /// The line without white space at both ends.
  package let body: ArraySlice<UInt8>
  /// The column at which the body begins, where each tab counts as four columns.
  package let indent: Int

  private let line: ArraySlice<UInt8>

  /// Reads the given line.
  ///
  /// - Parameters:
  ///   - line: The line without its line end.
  ///   - isFlat: `true` to skip quote marks, for a caller that reads one line at a time.
  package init(_ line: ArraySlice<UInt8>, isFlat: Bool = false) {
    self.line = line
    let start = line.drop { $0.isSpace || (isFlat && $0 == UInt8(ascii: ">")) }
    body = start.trimmed
    indent = line[..<start.startIndex].reduce(0) { $0 + ($1 == 0x09 ? 4 : 1) }
  }

  /// Returns the given line without white space in its first `columns` columns.
  static func dropping(_ columns: Int, from line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var column = 0
    return line.drop { byte in
      guard column < columns, byte == 0x20 || byte == 0x09 else { return false }
      column += byte == 0x09 ? 4 : 1
      return true
    }
  }

  /// `true` if the line has only white space.
  package var isBlank: Bool { body.isEmpty }

  /// The mark of a fenced code block.
  package struct Fence: Equatable, Sendable {
    let mark: UInt8
    let count: Int
  }

  /// The fence that opens a code block on this line; nil if there is none.
  package var fence: Fence? {
    guard let mark = body.first, "`~".utf8.contains(mark) else { return nil }
    let count = body.run(of: mark, at: body.startIndex)
    let hasTick = mark == UInt8(ascii: "`") && body.dropFirst(count).contains(mark)
    return count >= 3 && !hasTick ? Fence(mark: mark, count: count) : nil
  }

  /// Returns `true` if the line closes the code block that the given fence opened.
  package func closes(_ fence: Fence) -> Bool {
    body.count >= fence.count && body.allSatisfy { $0 == fence.mark }
  }

  /// The level and the text of the heading that begins with `#` on this line; nil if there is none.
  package var heading: (level: Int, text: ArraySlice<UInt8>)? {
    let level = body.prefix { $0 == UInt8(ascii: "#") }.count
    let rest = body.dropFirst(level)
    guard (1...6).contains(level), rest.first?.isSpace ?? true else { return nil }
    // Closing marks must be separated from the heading's text.
    let marks = rest.reversed().prefix { $0 == UInt8(ascii: "#") }.count
    let text = rest.dropLast(marks)
    return (level, (text.last?.isSpace ?? true ? text : rest).trimmed)
  }

  /// The level of the heading that this line underlines with `=` or `-`; nil if it underlines none.
  package var underlinedLevel: Int? {
    guard let mark = body.first, body.allSatisfy({ $0 == mark }) else { return nil }
    return mark == UInt8(ascii: "=") ? 1 : mark == UInt8(ascii: "-") ? 2 : nil
  }

  /// `true` if the line is a thematic break.
  package var isRule: Bool {
    guard let mark = body.first, "*-_".utf8.contains(mark) else { return false }
    return body.allSatisfy { $0 == mark || $0.isSpace } && body.count { $0 == mark } >= 3
  }

  /// `true` if the line is a thematic break, or underlines a heading with at least three marks.
  ///
  /// A caller that reads one line at a time cannot tell these two apart.
  package var isDivider: Bool { isRule || (underlinedLevel != nil && body.count >= 3) }

  /// The line without its quote mark; nil if it has no quote mark.
  var unquoted: ArraySlice<UInt8>? {
    guard body.first == UInt8(ascii: ">") else { return nil }
    let rest = line[body.startIndex...].dropFirst()
    return rest.first == 0x20 ? rest.dropFirst() : rest
  }

  /// The first line of a list item.
  package struct Item {
    /// The item's bullet, or its number with the delimiter.
    package let mark: ArraySlice<UInt8>
    /// The text after the mark.
    package let text: ArraySlice<UInt8>
    /// The column at which the item's content begins.
    let width: Int
  }

  /// The list item that begins on this line; nil if there is none.
  package var item: Item? {
    let digits = body.prefix(10).prefix(while: \.isDigit).count
    guard let end = body.dropFirst(digits).first, digits < 10,
      (digits == 0 ? "-*+" : ".)").utf8.contains(end)
    else { return nil }
    let mark = body.prefix(digits + 1)
    let rest = line[mark.endIndex...]
    guard rest.first?.isSpace ?? true else { return nil }
    return Item(mark: mark, text: rest.drop(while: \.isSpace), width: indent + mark.count + 1)
  }

  /// `true` if the line is the delimiter row of a table.
  package var isTableRule: Bool {
    body.contains(UInt8(ascii: "-")) && body.contains(UInt8(ascii: "|"))
      && body.allSatisfy { "|-: \t".utf8.contains($0) }
  }

  /// The cells of the table row on this line.
  ///
  /// Escapes in them are not resolved.
  package var cells: [ArraySlice<UInt8>] {
    var cells: [ArraySlice<UInt8>] = []
    var start = body.startIndex + (body.first == UInt8(ascii: "|") ? 1 : 0)
    var index = start
    while index < body.endIndex {
      if body[index] == UInt8(ascii: "|") {
        cells.append(body[start..<index].trimmed)
        start = index + 1
      }
      index += body[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start < body.endIndex ? cells + [body[start...].trimmed] : cells
  }
}
