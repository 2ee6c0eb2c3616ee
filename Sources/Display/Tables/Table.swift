/// Rows with aligned columns that fit the width of a terminal.
///
/// Empty columns are left out. If there is little room, the least important columns are first cut
/// with `…`, and then dropped. No row is wider than the given width.
public struct Table: Sendable {
  /// The number of cells between two columns.
  static let gap = 2

  /// The columns, from left to right.
  public var columns: [TableColumn]
  /// The rows.
  ///
  /// Each row has one cell for each column.
  public var rows: [[TableCell]]

  /// Creates a table from the given columns and rows.
  public init(_ columns: [TableColumn], _ rows: [[TableCell]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// Returns the table as lines without line ends.
  ///
  /// - Parameters:
  ///   - width: The maximum number of cells of a line; nil for no limit.
  ///   - palette: The palette that draws looks.
  ///   - hasHeadings: `true` to show the headings above the rows.
  /// - Returns: The lines. A table without rows has none.
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

  /// Returns the table as text.
  ///
  /// Each line has a line end.
  public func text(width: Int?, palette: Palette, hasHeadings: Bool) -> String {
    lines(width: width, palette: palette, hasHeadings: hasHeadings).map { $0 + "\n" }.joined()
  }
}
