/// Rows whose values stand below each other, within the width of a terminal.
///
/// A column in which nothing stands is left out. Where there is little room, the columns that matter
/// least give way: first they are cut with `…`, then they go. No row is ever wider than asked.
public struct Table: Sendable {
  /// The cells between two columns.
  static let gap = 2

  /// The columns, from the left.
  public var columns: [TableColumn]
  /// The rows; each has a cell a column.
  public var rows: [[TableCell]]

  /// A table.
  public init(_ columns: [TableColumn], _ rows: [[TableCell]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The table as lines without line ends.
  ///
  /// - Parameters:
  ///   - width: The cells that a line may have; nil for as many as it takes.
  ///   - palette: How looks are drawn.
  ///   - hasHeadings: Whether the headings stand above the rows.
  /// - Returns: The lines; none for a table without rows.
  public func lines(width: Int?, palette: Palette, hasHeadings: Bool) -> [String] {
    guard !rows.isEmpty else { return [] }
    let layout = TableLayout(self, width: width, hasHeadings: hasHeadings)
    var lines: [String] = []
    if hasHeadings {
      lines.append(
        layout.line(columns.map { TableCell($0.heading.uppercased(), .heading) }, palette))
    }
    return lines + rows.map { layout.line($0, palette) }
  }

  /// The table as text, each line with its end.
  public func text(width: Int?, palette: Palette, hasHeadings: Bool) -> String {
    lines(width: width, palette: palette, hasHeadings: hasHeadings).map { $0 + "\n" }.joined()
  }
}
