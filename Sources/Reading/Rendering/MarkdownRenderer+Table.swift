import Core

extension MarkdownRenderer {
  /// Renders the given table.
  ///
  /// A layout table is rendered as the blocks in it.
  mutating func renderTable(_ node: Int32) throws(Failure) {
    guard writer.singleLine == 0 else { return try block(node) }
    let shape = TableShape(node, in: tree, content, holdsText: holdsText, deadline)
    guard shape.isData else { return try block(node) }
    for caption in shape.captions { try render(caption) }
    writer.separate(.blank)
    writer.abandonLink()
    table += 1
    writer.singleLine += 1
    /// For each column, the number of further rows that a cell from above occupies.
    var spans: [Int] = []
    if !shape.hasHeader {
      writer.beginRow()
      writer.write(("|" + String(repeating: "  |", count: shape.columns)).utf8)
      writeDelimiters(shape)
    }
    for (index, row) in shape.rows.enumerated() {
      let isHeader = index == 0 && shape.hasHeader
      try render(row, &spans, columns: isHeader ? shape.columns : 0)
      if isHeader { writeDelimiters(shape) }
    }
    writer.singleLine -= 1
    table -= 1
    writer.separate(.blank)
  }

  private mutating func writeDelimiters(_ shape: TableShape) {
    var cells: [String] = []
    for cell in shape.rows.first ?? [] {
      let mark = shape.alignment(cell.node)
      for _ in 0..<cell.columns where cells.count < shape.columns { cells.append(mark) }
    }
    while cells.count < shape.columns { cells.append("---") }
    writer.beginRow()
    writer.write(("| " + cells.joined(separator: " | ") + " |").utf8)
  }

  private mutating func render(
    _ row: [TableShape.Cell], _ spans: inout [Int], columns: Int
  ) throws(Failure) {
    writer.beginRow()
    deadline.spend(row.count + spans.count)
    while spans.last == 0 { spans.removeLast() }
    var column = 0
    for cell in row {
      while column < spans.count, spans[column] > 0, padding < 20_000 {
        spans[column] -= 1
        try render(cell: nil, &column)
        padding += 1
      }
      let start = column
      try render(cell: cell.node, &column)
      while column - start < cell.columns, padding < 20_000 {
        try render(cell: nil, &column)
        padding += 1
      }
      guard cell.rows > 1, column <= 1000 else { continue }
      while spans.count < column { spans.append(0) }
      for each in start..<column { spans[each] = cell.rows - 1 }
    }
    while column < spans.count, spans[column] > 0, padding < 20_000 {
      spans[column] -= 1
      try render(cell: nil, &column)
      padding += 1
    }
    while column < columns { try render(cell: nil, &column) }
    writer.write([UInt8(ascii: "|")])
  }

  private mutating func render(cell: Int32?, _ column: inout Int) throws(Failure) {
    writer.beginCell()
    if let cell { try children(cell) }
    writer.endCell()
    column += 1
  }
}
