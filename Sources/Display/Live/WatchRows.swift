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
    let firsts = shown.indices.map { shown[..<$0].reduce(0) { $0 + $1.records.count } }
    // A part takes a heading and a row at least; an empty row is between two. Where there is no room
    // for all, the one about the chosen row is shown.
    let own = firsts.lastIndex { $0 <= max(0, chosen) } ?? 0
    let drawn = rows >= shown.count * 3 ? Array(shown.indices) : [own]
    let heights = Self.heights(
      drawn.map { shown[$0].records.count }, rows: rows - (drawn.count - 1))
    for (place, index) in drawn.enumerated() {
      if place > 0 { lines.append("") }
      add(shown[index].title, shown[index].records, first: firsts[index], height: heights[place])
    }
  }

  /// How many rows of records each part has, beside its heading: as many as it needs, where all have
  /// room; else the smallest first, so that none is cut for one that is long.
  static func heights(_ counts: [Int], rows: Int) -> [Int] {
    var left = max(counts.count, rows - counts.count)
    var heights = counts.map { _ in 0 }
    let order = counts.indices.sorted { counts[$0] < counts[$1] }
    for (place, index) in order.enumerated() {
      heights[index] = max(1, min(counts[index], left / (order.count - place)))
      left = max(0, left - heights[index])
    }
    return heights
  }

  private mutating func add(
    _ title: String, _ records: [any TabledRecord], first: Int, height: Int
  ) {
    let own = chosen - first
    let isIn = records.indices.contains(own)
    let start = isIn ? max(0, min(own - height / 2, records.count - height)) : 0
    let visible = Array(records[start..<min(records.count, start + height)])
    guard var table = text.table(visible, hasHeadings: true) else { return }
    let title =
      visible.count < records.count ? "\(title) (\(visible.count) of \(records.count))" : title
    // What the part is called stands above its first column.
    table.columns[0].heading = title
    table.columns[0].leastWidth = max(table.columns[0].leastWidth, title.count)
    let width = text.width ?? 80
    let layout = TableLayout(table, width: max(1, width - 2), hasHeadings: true)
    var cells = table.columns.map { TableCell($0.heading.uppercased(), .faint) }
    cells[0] = TableCell(title, .strong)
    let heading = layout.line(cells, text.palette)
    lines.append("  " + heading)
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
