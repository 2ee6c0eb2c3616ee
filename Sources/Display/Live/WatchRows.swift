/// The visible rows of the watched records.
///
/// Each part shows as many rows as fit, including the selected row.
struct WatchRows {
  private let text: RecordText
  private let chosen: Int
  private let marked: Set<Int>
  private(set) var lines: [String] = []

  /// - Parameters:
  ///   - parts: The parts of the list.
  ///   - chosen: The index of the selected item, counted across all parts.
  ///   - marked: The indices of the marked items, counted across all parts.
  ///   - rows: The number of available rows.
  ///   - text: The renderer of records.
  ///   - none: The text that an empty list shows.
  init(
    _ parts: [WatchPart], chosen: Int, marked: Set<Int> = [], rows: Int, text: RecordText,
    none: String
  ) {
    self.text = text
    self.chosen = chosen
    self.marked = marked
    guard !parts.isEmpty else {
      lines = ["", text.palette.painted(Cells.cut("  \(none)", to: text.width ?? 80), .faint)]
      return
    }
    let firsts = parts.indices.map { parts[..<$0].reduce(0) { $0 + $1.rows.count } }
    // A part needs at least a heading and a row, and an empty row separates two parts. If not all
    // parts fit, only the part of the selected row is shown.
    let own = firsts.lastIndex { $0 <= max(0, chosen) } ?? 0
    let drawn = rows >= parts.count * 3 ? Array(parts.indices) : [own]
    let heights = Self.heights(drawn.map { parts[$0].rows.count }, rows: rows - (drawn.count - 1))
    for (place, index) in drawn.enumerated() {
      if place > 0 { lines.append("") }
      add(parts[index], first: firsts[index], height: heights[place])
    }
  }

  /// Returns the number of rows that each part gets, without its heading.
  ///
  /// If not all rows fit, small parts get their rows first, so that only long parts are cut.
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

  private mutating func add(_ part: WatchPart, first: Int, height: Int) {
    let count = part.rows.count
    let own = chosen - first
    let isIn = part.rows.indices.contains(own)
    let start = isIn ? max(0, min(own - height / 2, count - height)) : 0
    lines += part.lines(
      start..<min(count, start + height), chosen: isIn ? own : nil,
      marked: Set(marked.map { $0 - first }), text)
  }
}
