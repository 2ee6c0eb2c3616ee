import Core

/// The watched records of one kind below a title, laid out for the terminal's width.
///
/// The layout considers all rows. No column therefore moves when other rows scroll into view.
struct WatchPart {
  let title: String
  let rows: [[TableCell]]
  private let headings: [TableCell]
  /// The layout of the columns.
  ///
  /// It ignores the title, because a long title must not take room from the rows.
  private let layout: TableLayout

  /// - Parameters:
  ///   - title: The title above the first column.
  ///   - records: The records. There is at least one, and all have one type.
  ///   - text: The renderer of records.
  init(_ title: String, _ records: [any TabledRecord], _ text: RecordText) {
    self.title = title
    var table = text.table(records, hasHeadings: true) ?? Table([])
    headings = table.columns.map { TableCell($0.heading.uppercased(), .faint) }
    rows = table.rows
    table.columns[0].heading = ""
    layout = TableLayout(table, width: Self.room(text), hasHeadings: true)
  }

  /// Returns the number of cells of a line without its two leading marks.
  private static func room(_ text: RecordText) -> Int { max(1, (text.width ?? 80) - 2) }

  /// Returns the lines of the given rows below a heading.
  ///
  /// - Parameters:
  ///   - shown: The indices of the rows.
  ///   - chosen: The index of the selected row; nil for none.
  ///   - marked: The indices of the marked rows.
  ///   - text: The renderer of records.
  /// - Returns: The lines.
  func lines(
    _ shown: Range<Int>, chosen: Int?, marked: Set<Int>, _ text: RecordText
  ) -> [String] {
    let count = shown.count < rows.count ? " (\(shown.count) of \(rows.count))" : ""
    let heading = layout.line(
      title: TableCell(title + count, .strong), before: headings, room: Self.room(text),
      text.palette)
    return ["  " + heading]
      + shown.map { row in
        let mark = marked.contains(row) ? "*" : " "
        guard row == chosen else { return " \(mark)" + layout.line(rows[row], text.palette) }
        let line = ">\(mark)" + layout.line(rows[row].map { TableCell(drawn: $0.text) }, .none)
        return text.palette.painted(Cells.padded(line, to: text.width ?? 80), .chosen)
      }
  }
}
