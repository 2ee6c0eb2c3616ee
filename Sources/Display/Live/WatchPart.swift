import Core

/// What is watched of one kind, under one title, as it is drawn for a width.
///
/// Its columns are laid out for all rows, so that none moves when others come into view.
struct WatchPart {
  let title: String
  let rows: [[TableCell]]
  private let headings: [TableCell]
  /// The columns where all rows have room, and where not: then their number stands behind the title.
  private let layouts: (whole: TableLayout, cut: TableLayout)

  /// - Parameters:
  ///   - title: What stands above the first column.
  ///   - records: What there is, of one type and not empty.
  ///   - text: How records look.
  init(_ title: String, _ records: [any TabledRecord], _ text: RecordText) {
    self.title = title
    let table = text.table(records, hasHeadings: true) ?? Table([])
    headings = table.columns.map { TableCell($0.heading.uppercased(), .faint) }
    rows = table.rows
    func layout(_ heading: String) -> TableLayout {
      var table = table
      table.columns[0].heading = heading
      table.columns[0].leastWidth = max(table.columns[0].leastWidth, heading.count)
      return TableLayout(table, width: max(1, (text.width ?? 80) - 2), hasHeadings: true)
    }
    let cut = Self.title(title, shown: records.count - 1, of: records.count)
    layouts = (layout(title), layout(cut))
  }

  private static func title(_ title: String, shown: Int, of count: Int) -> String {
    shown < count ? "\(title) (\(shown) of \(count))" : title
  }

  /// The lines of some rows, with the line above them.
  func lines(_ shown: Range<Int>, chosen: Int?, _ text: RecordText) -> [String] {
    let layout = shown.count < rows.count ? layouts.cut : layouts.whole
    var cells = headings
    cells[0] = TableCell(Self.title(title, shown: shown.count, of: rows.count), .strong)
    return ["  " + layout.line(cells, text.palette)]
      + shown.map { row in
        guard row == chosen else { return "  " + layout.line(rows[row], text.palette) }
        let line = "> " + layout.line(rows[row].map { TableCell(drawn: $0.text) }, .none)
        return text.palette.painted(Cells.padded(line, to: text.width ?? 80), .chosen)
      }
  }
}
