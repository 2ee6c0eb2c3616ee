import Core

extension MarkdownRenderer {
  /// Renders a table of data as a table, one that only lays a page out as the blocks in it.
  mutating func renderTable(_ node: Int32) throws(Failure) {
    var rows: [[Int32]] = []
    var captions: [Int32] = []
    collect(node, &rows, &captions)
    let columns = rows.lazy.map(\.count).max() ?? 0
    guard writer.singleLine == 0, rows.count > 1, columns > 1, columns <= 1000,
      !rows.contains(where: { $0.contains(where: holdsLayout) })
    else {
      writer.separate(.blank)
      try children(node)
      return writer.separate(.blank)
    }
    for caption in captions { try render(caption) }
    writer.separate(.blank)
    table += 1
    writer.singleLine += 1
    for (index, row) in rows.enumerated() {
      try render(row: row, columns: index == 0 ? columns : row.count)
      if index == 0 {
        writer.beginRow()
        writer.put(("|" + String(repeating: " --- |", count: columns)).utf8)
      }
    }
    writer.singleLine -= 1
    table -= 1
    writer.separate(.blank)
  }

  private mutating func render(row: [Int32], columns: Int) throws(Failure) {
    writer.beginRow()
    for index in 0..<columns {
      writer.put([UInt8(ascii: "|")])
      if index < row.count {
        writer.separate(.space)
        try children(row[index])
      }
      writer.separate(.space)
    }
    writer.put([UInt8(ascii: "|")])
  }

  private func collect(_ node: Int32, _ rows: inout [[Int32]], _ captions: inout [Int32]) {
    for child in tree.children(of: node) where !content.isDropped[Int(child)] {
      switch tree[child].tag {
      case .tr:
        let cells = tree.children(of: child).filter {
          Tag.cell.contains(tree[$0].tag) && !content.isDropped[Int($0)]
        }
        if !cells.isEmpty { rows.append(cells) }
      case .thead, .tbody, .tfoot: collect(child, &rows, &captions)
      case .caption: captions.append(child)
      default: continue
      }
    }
  }

  /// Whether a cell holds what a table of Markdown cannot.
  private func holdsLayout(_ cell: Int32) -> Bool {
    guard content.holdsBlock[Int(cell)] else { return false }
    var next = cell + 1
    // Descendants follow their ancestor; see ``NodeTree``.
    while Int(next) < tree.nodes.count, tree[next].parent >= cell {
      switch tree[next].tag {
      case .table, .pre, .ul, .ol, .blockquote, .h1, .h2, .h3, .h4, .h5, .h6: return true
      default: next += 1
      }
    }
    return false
  }
}
