import Core

/// What is watched of one kind, under one title, as it is drawn for a width.
///
/// Its columns are laid out for all rows, so that none moves when others come into view.
struct WatchPart {
  let title: String
  let rows: [[TableCell]]
  private let headings: [TableCell]
  /// The columns, of which the title is none: no heading takes room from what rows hold.
  private let layout: TableLayout

  /// - Parameters:
  ///   - title: What stands above the first column.
  ///   - records: What there is, of one type and not empty.
  ///   - text: How records look.
  init(_ title: String, _ records: [any TabledRecord], _ text: RecordText) {
    self.title = title
    var table = text.table(records, hasHeadings: true) ?? Table([])
    headings = table.columns.map { TableCell($0.heading.uppercased(), .faint) }
    rows = table.rows
    table.columns[0].heading = ""
    layout = TableLayout(table, width: Self.room(text), hasHeadings: true)
  }

  /// The cells of a line, behind what marks it.
  private static func room(_ text: RecordText) -> Int { max(1, (text.width ?? 80) - 2) }

  /// The lines of some rows, with the line above them.
  ///
  /// - Parameters:
  ///   - shown: The rows.
  ///   - chosen: The row that keys act on.
  ///   - marked: The rows that are marked.
  ///   - text: How records look.
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
