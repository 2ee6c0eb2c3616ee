/// The rows of what is watched: as many of each part as have room, those about the chosen one.
struct WatchRows {
  private let text: RecordText
  private let chosen: Int
  private let marked: Set<Int>
  private(set) var lines: [String] = []

  /// - Parameters:
  ///   - parts: What there is.
  ///   - chosen: The item that keys act on, counted through all parts.
  ///   - marked: The items that are marked, counted in the same way.
  ///   - rows: The rows that there are.
  ///   - text: How records look.
  ///   - none: The words that stand there if there is nothing.
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
    // A part takes a heading and a row at least; an empty row is between two. Where there is no room
    // for all, the one about the chosen row is shown.
    let own = firsts.lastIndex { $0 <= max(0, chosen) } ?? 0
    let drawn = rows >= parts.count * 3 ? Array(parts.indices) : [own]
    let heights = Self.heights(drawn.map { parts[$0].rows.count }, rows: rows - (drawn.count - 1))
    for (place, index) in drawn.enumerated() {
      if place > 0 { lines.append("") }
      add(parts[index], first: firsts[index], height: heights[place])
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
