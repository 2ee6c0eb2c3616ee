/// A Markdown table that is drawn within a given width.
///
/// Its cells are wrapped, and never cut.
struct MarkdownTable {
  /// The minimum number of cells of a column.
  ///
  /// If a column would be narrower, the table is drawn with each cell on a separate line.
  private static let narrowest = 6
  /// The maximum number of columns that are drawn.
  ///
  /// Nobody could read more.
  private static let mostColumns = 40

  private let head: [[StyledText]]
  private let rows: [[[StyledText]]]
  private let palette: Palette

  /// - Parameters:
  ///   - rows: The cells of each row; the first row holds the headings.
  ///   - palette: The palette that draws looks.
  init(_ rows: [[ArraySlice<UInt8>]], palette: Palette) {
    let count = min(rows.first?.count ?? 0, Self.mostColumns)
    head = (rows.first ?? []).prefix(count).map { StyledText.pieces($0, base: .heading) }
    self.rows = rows.dropFirst().map { row in
      (0..<count).map { row.indices.contains($0) ? StyledText.pieces(row[$0]) : [] }
    }
    self.palette = palette
  }

  /// Returns the lines of the table, each at most `width` cells wide.
  func lines(width: Int) -> [String] {
    guard !head.isEmpty else { return [] }
    let natural = head.indices.map { column in
      ([head] + rows).reduce(1) { max($0, Self.width($1[column])) }
    }
    let widths = Self.fitted(natural, to: width - (head.count - 1) * Table.gap)
    guard zip(widths, natural).allSatisfy({ $0 >= min($1, Self.narrowest) }) else {
      return oneByOne(width: width)
    }
    let drawn = ([head] + rows).map { row(_: $0, widths) }
    // If a row takes several lines, an empty line separates it from the next row.
    let isApart = drawn.dropFirst().contains { $0.count > 1 }
    return drawn[0] + drawn.dropFirst().joined(separator: isApart ? [""] : [])
  }

  /// Returns column widths whose sum is at most `room`.
  ///
  /// Narrow columns keep their natural width. The other columns share the rest.
  private static func fitted(_ natural: [Int], to room: Int) -> [Int] {
    var widths = natural
    var left = room
    let order = natural.indices.sorted { natural[$0] < natural[$1] }
    for (place, column) in order.enumerated() {
      widths[column] = min(natural[column], max(0, left / (order.count - place)))
      left -= widths[column]
    }
    return widths
  }

  private static func width(_ pieces: [StyledText]) -> Int {
    pieces.reduce(0) { $0 + Cells.width($1.text) }
  }

  /// Returns the lines of the given row.
  ///
  /// Their number is that of the tallest cell.
  private func row(_ cells: [[StyledText]], _ widths: [Int]) -> [String] {
    let wrapped = zip(cells, widths).map { StyledLines.wrapped($0, to: $1) }
    return (0..<(wrapped.map(\.count).max() ?? 0)).map { place in
      var line = ""
      var pending = 0
      for (column, lines) in wrapped.enumerated() {
        let pieces = lines.indices.contains(place) ? lines[place] : []
        if !pieces.isEmpty {
          line += String(repeating: " ", count: pending)
          line += pieces.map { $0.drawn(palette) }.joined()
          pending = 0
        }
        pending += widths[column] - Self.width(pieces) + Table.gap
      }
      return line
    }
  }

  /// Returns the rows one below the other, with each cell on a separate line after its heading.
  private func oneByOne(width: Int) -> [String] {
    let label = min(head.map(Self.width).max() ?? 0, width / 3)
    let room = width - label - Table.gap
    // A wide character takes two cells.
    guard label > 1, room > 1 else {
      return ([head] + rows).flatMap { $0.flatMap { drawn($0, width: width) } }
    }
    let blocks = (rows.isEmpty ? [head.map { _ in [] }] : rows).map { row in
      zip(head, row).flatMap { heading, cell -> [String] in
        let left = StyledLines.wrapped(heading, to: label)
        let right = StyledLines.wrapped(cell, to: room)
        return (0..<max(left.count, right.count)).map { place in
          let name = left.indices.contains(place) ? left[place] : []
          let text = right.indices.contains(place) ? right[place] : []
          let gap = text.isEmpty ? 0 : label - Self.width(name) + Table.gap
          return (name + [StyledText(String(repeating: " ", count: gap))] + text)
            .map { $0.drawn(palette) }.joined()
        }
      }
    }
    return Array(blocks.joined(separator: [""]))
  }

  private func drawn(_ pieces: [StyledText], width: Int) -> [String] {
    StyledLines.wrapped(pieces, to: width).map { $0.map { $0.drawn(palette) }.joined() }
  }
}
