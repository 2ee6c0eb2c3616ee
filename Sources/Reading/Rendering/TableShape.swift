/// The rows and cells of a table.
///
/// It also shows if the table contains data or is used for layout.
struct TableShape {
  struct Cell {
    var node: Int32
    /// The number of columns, and the number of rows, that the cell spans.
    var columns = 1
    var rows = 1
  }

  private(set) var rows: [[Cell]] = []
  private(set) var captions: [Int32] = []
  /// `true` if the first row names the columns.
  private(set) var hasHeader = true
  private(set) var isData = false
  /// The number of columns of the widest row, including spans.
  private(set) var columns = 0

  private let tree: NodeTree
  private let content: ContentSelection
  private let deadline: Deadline

  /// - Parameters:
  ///   - node: The node of the table.
  ///   - tree: The tree that contains the node.
  ///   - content: The part of the tree that is content.
  ///   - holdsText: For each node, `true` if it contains text that is content.
  ///   - deadline: The deadline of the extraction.
  init(
    _ node: Int32, in tree: NodeTree, _ content: ContentSelection, holdsText: [Bool],
    _ deadline: Deadline
  ) {
    self.tree = tree
    self.content = content
    self.deadline = deadline
    collect(node, depth: 0)
    // Rows of empty cells, and rows that are not content, are dropped.
    rows.removeAll { row in row.allSatisfy { !holdsText[Int($0.node)] } }
    columns = countColumns()
    isData = judge(node)
    guard let first = rows.first else { return }
    let isNamed = first.allSatisfy { tree[$0.node].tag == .th }
    let hasNames = rows.contains { row in row.contains { tree[$0.node].tag == .th } }
    hasHeader = isNamed || !hasNames
  }

  /// Returns the number of columns of the widest row.
  ///
  /// Cells that reach down into the row count.
  private func countColumns() -> Int {
    var widest = 0
    var spans: [Int] = []
    for row in rows {
      while spans.last == 0 { spans.removeLast() }
      deadline.spend(row.count + spans.count)
      var column = 0
      for cell in row {
        while column < spans.count, spans[column] > 0 {
          spans[column] -= 1
          column += 1
        }
        let end = min(column + cell.columns, 1000)
        if cell.rows > 1 {
          while spans.count < end { spans.append(0) }
          for each in column..<max(column, end) { spans[each] = cell.rows - 1 }
        }
        column += cell.columns
      }
      while column < spans.count {
        if spans[column] > 0 { spans[column] -= 1 }
        column += 1
      }
      widest = max(widest, column)
    }
    return widest
  }

  private mutating func collect(_ node: Int32, depth: Int) {
    for child in tree.children(of: node) where !content.isDropped[Int(child)] {
      deadline.spend(1)
      switch tree[child].tag {
      case .tr:
        var cells: [Cell] = []
        for cell in tree.children(of: child)
        where Tag.cell.contains(tree[cell].tag) && !content.isDropped[Int(cell)]
          && !content.lineNumbers.isGutter(cell)
        {
          cells.append(
            Cell(node: cell, columns: span(.colspan, cell), rows: span(.rowspan, cell)))
        }
        if !cells.isEmpty { rows.append(cells) }
      case .thead, .tbody, .tfoot:
        if depth < 4 { collect(child, depth: depth + 1) }
      case .caption: captions.append(child)
      default: continue
      }
    }
  }

  private func span(_ attribute: Attribute, _ cell: Int32) -> Int {
    guard let value = tree.value(attribute, of: cell), value.count < 4,
      let number = Int(String(decoding: value, as: UTF8.self))
    else { return 1 }
    return min(max(number, 1), 100)
  }

  private func judge(_ node: Int32) -> Bool {
    let role = tree.string(.role, of: node)?.lowercased()
    guard role != "presentation", role != "none", (2...500).contains(columns) else { return false }
    var cells = 0
    var named = 0
    for row in rows {
      guard row.count > 1 || rows.count > 1 else { return false }
      for cell in row {
        cells += 1
        if tree[cell.node].tag == .th { named += 1 }
        if holdsLayout(cell.node, isOnlyRow: rows.count == 1) { return false }
      }
    }
    return rows.contains { $0.count > 1 } && (rows.count > 1 || named > 0 || cells > 1)
  }

  /// Returns `true` if the given cell has content that a Markdown table cannot represent.
  private func holdsLayout(_ cell: Int32, isOnlyRow: Bool) -> Bool {
    var next = Int(cell) + 1
    var blocks = 0
    var bytes = 0
    // Descendants follow their ancestor; see ``NodeTree``.
    while next < tree.nodes.count, tree.nodes[next].parent >= cell {
      defer { next += 1 }
      deadline.spend(1)
      guard !content.isDropped[next] else { continue }
      let tag = tree.nodes[next].tag
      switch tag {
      case .text: bytes += Int(tree.nodes[next].count)
      case .table, .pre, .blockquote, .form: return true
      case .h1, .h2, .h3, .h4, .h5, .h6:
        // A heading in a `th` names a column; in any other cell, it names a part of the page.
        if tree[cell].tag != .th { return true }
      default: if Tag.block.contains(tag) { blocks += 1 }
      }
    }
    let isLong = bytes > (isOnlyRow ? 300 : 1500)
    return isLong && (blocks > 0 || isOnlyRow) || blocks > 40
  }

  /// Returns the alignment of the column that the given cell, in the first row, belongs to.
  func alignment(_ cell: Int32) -> String {
    let value = tree.string(.align, of: cell) ?? tree.string(.style, of: cell).map(Self.alignment)
    switch value?.lowercased() {
    case "center": return ":---:"
    case "right": return "---:"
    default: return "---"
    }
  }

  private static func alignment(of style: String) -> String {
    guard style.utf8.count < 512 else { return "" }
    for declaration in style.lowercased().split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ $0 != " " }) == "text-align" else { continue }
      return String(parts[1].filter { $0 != " " })
    }
    return ""
  }
}
