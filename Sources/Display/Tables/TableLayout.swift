/// The widths of a table's columns.
public struct TableLayout: Sendable {
  private let columns: [TableColumn]
  /// The width of each column; nil for a column that was dropped.
  private var widths: [Int?]

  /// Fits the columns of the given table into `width`.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - width: The maximum number of cells of a line; nil for no limit.
  ///   - hasHeadings: `true` if the headings are shown. They then need room, too.
  public init(_ table: Table, width: Int?, hasHeadings: Bool) {
    columns = table.columns
    let natural = table.columns.indices.map { column -> Int? in
      let widest = table.rows.lazy.map { Cells.width($0[column].text) }.max() ?? 0
      let own = table.columns[column]
      if hasHeadings { return widest > 0 ? max(widest, Cells.width(own.heading)) : nil }
      let usual = table.rows.count == 1 ? own.usualWidth : 0
      return max(widest, usual) > 0 ? max(widest, usual) : nil
    }
    widths = natural
    guard let width else { return }
    // Columns shrink from the least important to the most; among equals, the later one first.
    let order = columns.indices.filter { natural[$0] != nil }
      .sorted { (columns[$0].importance, $1) < (columns[$1].importance, $0) }
    // One long value must not take the room of all other columns.
    for column in order.reversed() where excess(over: width) > 0 {
      shrink(column, by: min(excess(over: width), (widths[column] ?? 0) - width * 2 / 5))
    }
    for column in order where excess(over: width) > 0 { shrink(column, by: excess(over: width)) }
    for column in order.dropLast() where excess(over: width) > 0 { widths[column] = nil }
    if let last = order.last, excess(over: width) > 0 { widths[last] = max(1, width) }
    // Dropping columns may free more room than needed. The columns that lack the least get it
    // first.
    func lack(_ column: Int) -> Int { (natural[column] ?? 0) - (widths[column] ?? 0) }
    for column in order.sorted(by: { lack($0) < lack($1) }) {
      guard let now = widths[column], let whole = natural[column] else { continue }
      widths[column] = min(whole, now + max(0, -excess(over: width)))
    }
  }

  /// The number of cells of a line.
  public var width: Int {
    let shown = widths.compactMap(\.self)
    return shown.reduce(0, +) + max(0, shown.count - 1) * Table.gap
  }

  private func excess(over width: Int) -> Int { self.width - width }

  private mutating func shrink(_ column: Int, by cells: Int) {
    guard let now = widths[column], ![.number, .plot].contains(columns[column].kind) else {
      return
    }
    widths[column] = max(min(now, columns[column].leastWidth), now - max(0, cells))
  }

  /// Returns a line of headings that begins with the given title.
  ///
  /// If the title extends into other columns, their headings move right. A heading that no longer
  /// fits into its column is dropped.
  ///
  /// - Parameters:
  ///   - title: The title, shown in place of the first heading.
  ///   - headings: The headings, one for each column.
  ///   - room: The maximum number of cells of the line.
  ///   - palette: The palette that draws looks.
  /// - Returns: The line.
  func line(
    title: TableCell, before headings: [TableCell], room: Int, _ palette: Palette
  ) -> String {
    let text = Cells.cut(title.text, to: room)
    var line = palette.painted(text, title.look)
    var used = Cells.width(text)
    var start = 0
    for (place, column) in widths.indices.filter({ widths[$0] != nil }).enumerated() {
      let width = widths[column] ?? 0
      defer { start += width + Table.gap }
      guard place > 0, !headings[column].text.isEmpty else { continue }
      let text = Cells.cut(headings[column].text, to: width)
      let own = Cells.width(text)
      let isNumber = columns[column].kind == .number
      let first = max(isNumber ? start + width - own : start, used + Table.gap)
      guard first + own <= start + width else { continue }
      line += String(repeating: " ", count: first - used)
      line += palette.painted(text, headings[column].look)
      used = first + own
    }
    return line
  }

  /// Returns the given row as a line without its line end.
  public func line(_ cells: [TableCell], _ palette: Palette) -> String {
    let shown = widths.indices.filter { widths[$0] != nil }
    // Spaces are written only if visible text follows.
    let last = shown.last { !cells[$0].text.isEmpty }
    var line = ""
    var pending = 0
    for column in shown {
      guard let last, column <= last, let width = widths[column] else { break }
      let cell = cells[column]
      let isPath = columns[column].kind == .path
      let text = Cells.cut(cell.text, to: width, keepingEnd: isPath)
      let room = width - Cells.width(text)
      let before = columns[column].kind == .number ? room : 0
      line += String(repeating: " ", count: pending + before) + palette.painted(text, cell.look)
      pending = room - before + Table.gap
    }
    return line
  }
}
