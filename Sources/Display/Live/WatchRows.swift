import Core

/// The rows of a watched overview: as many of each part as have room, those about the chosen one.
struct WatchRows {
  private let text: RecordText
  private let chosen: Int
  private(set) var lines: [String] = []

  /// - Parameters:
  ///   - overview: What goes on.
  ///   - chosen: The item that keys act on, counted through all parts.
  ///   - rows: The rows that there are.
  ///   - text: How records look.
  init(_ overview: Overview, chosen: Int, rows: Int, text: RecordText) {
    self.text = text
    self.chosen = chosen
    let parts: [(title: String, records: [any TabledRecord])] = [
      ("GATES", overview.pendingGates), ("INCIDENTS", overview.activeIncidents),
      ("SWARMS", overview.activeSwarms), ("AGENTS", overview.activeSessions),
    ]
    let shown = parts.filter { !$0.records.isEmpty }
    guard !shown.isEmpty else {
      lines = ["", text.palette.painted("  No agent is at work.", .faint)]
      return
    }
    // A part takes a title, a heading and a row at least; an empty row is between two.
    let heights = Self.heights(
      shown.map(\.records.count), rows: rows - (shown.count - 1), most: [0.3, 0.3, 0.3, 1])
    var first = 0
    for (index, part) in shown.enumerated() {
      if index > 0 { lines.append("") }
      add(part.title, part.records, first: first, height: heights[index])
      first += part.records.count
    }
  }

  /// How many rows of records each part has: those before the last at most a share, the last the rest.
  static func heights(_ counts: [Int], rows: Int, most: [Double]) -> [Int] {
    let room = max(counts.count, rows - counts.count)
    var left = room
    return counts.enumerated().map { index, count in
      let after = counts.count - 1 - index
      let share = after == 0 ? left : max(1, Int(Double(room) * most[index]))
      let height = max(1, min(count, share, left - after))
      left -= height
      return height
    }
  }

  private mutating func add(
    _ title: String, _ records: [any TabledRecord], first: Int, height: Int
  ) {
    let own = chosen - first
    let isIn = records.indices.contains(own)
    let start = isIn ? max(0, min(own - height / 2, records.count - height)) : 0
    let visible = Array(records[start..<min(records.count, start + height)])
    guard var table = text.table(visible, hasHeadings: true) else { return }
    // What the part is called stands above its first column.
    table.columns[0].heading = title
    table.columns[0].leastWidth = max(table.columns[0].leastWidth, title.count)
    let width = text.width ?? 80
    let layout = TableLayout(table, width: max(1, width - 2), hasHeadings: true)
    let more = records.count - visible.count
    var cells = table.columns.map { TableCell($0.heading.uppercased(), .faint) }
    cells[0].look = .strong
    let heading = layout.line(cells, text.palette)
    let note = more > 0 ? "  +\(more)" : ""
    lines.append(
      "  " + heading
        + text.palette.painted(
          Cells.width(note) + layout.width + 2 <= width ? note : "", .faint))
    for (offset, row) in table.rows.enumerated() {
      let isChosen = isIn && start + offset == own
      let line = layout.line(
        isChosen ? row.map { TableCell(drawn: $0.text) } : row, isChosen ? .none : text.palette)
      lines.append(
        isChosen
          ? text.palette.painted(Cells.padded("> " + line, to: width), .chosen) : "  " + line)
    }
  }
}
