/// Which elements hold the numbers that a highlighter put beside the lines of code.
///
/// What each element holds is found for all of them at once, when the first one is asked about: they
/// may lie in each other, and most pages have none.
final class LineNumbers {
  private let tree: NodeTree
  private let deadline: Deadline
  /// Whether each node holds text that is no number, and whether it holds one.
  private var isOther: [Bool] = []
  private var hasNumber: [Bool] = []
  /// Nodes and bytes of text under each node.
  private var size: [Int32] = []

  init(_ tree: NodeTree, _ deadline: Deadline) {
    self.tree = tree
    self.deadline = deadline
  }

  /// Whether an element holds only numbers and is named as a column of line numbers.
  func isColumn(_ node: Int32) -> Bool {
    guard tree[node].count > 0, let names = tree.value(.class, of: node), names.count < 200 else {
      return false
    }
    let isNamed = names.split(whereSeparator: isSpace).contains { name in
      let word = String(decoding: name, as: UTF8.self).lowercased()
      return Self.names.contains { word.hasPrefix($0) }
    }
    return isNamed && holdsOnlyNumbers(node, mayBeEmpty: true)
  }

  private static let names = [
    "lineno", "line-no", "linenumber", "line-number", "line_number", "hljs-ln-n", "gutter", "lnt",
    "lnlinks", "ln-num", "blob-num", "rouge-gutter", "code-line-number", "line-num", "crayon-num",
    "react-code-line-number", "hl-ln",
  ]

  /// Whether a cell of a table holds the line numbers of the code in the cell beside it.
  func isGutter(_ cell: Int32) -> Bool {
    guard Tag.cell.contains(tree[cell].tag) else { return false }
    var other = tree[cell].next
    while other >= 0, !Tag.cell.contains(tree[other].tag) {
      deadline.spend(1)
      other = tree[other].next
    }
    guard other >= 0, holdsCode(other) else { return false }
    return holdsOnlyNumbers(cell, mayBeEmpty: false)
  }

  private func holdsCode(_ cell: Int32) -> Bool {
    // A highlighter's cell begins with its code.
    var next = cell + 1
    while Int(next) < tree.nodes.count, next < cell + 8, tree[next].parent >= cell {
      if tree[next].tag == .pre || tree[next].tag == .code { return true }
      next += 1
    }
    return false
  }

  /// Nodes and bytes from which on nothing is a column of numbers.
  private static let longest: Int32 = 60_000

  private func holdsOnlyNumbers(_ node: Int32, mayBeEmpty: Bool) -> Bool {
    if size.isEmpty { measure() }
    let index = Int(node)
    return !isOther[index] && size[index] < Self.longest && (hasNumber[index] || mayBeEmpty)
  }

  private func measure() {
    let count = tree.nodes.count
    isOther = [Bool](repeating: false, count: count)
    hasNumber = isOther
    size = [Int32](repeating: 0, count: count)
    // Descendants follow their ancestor.
    for index in stride(from: count - 1, to: 0, by: -1) {
      let node = tree.nodes[index]
      let parent = Int(node.parent)
      if node.tag == .text {
        deadline.spend(Int(node.count))
        for byte in tree.bytes(of: Int32(index)) {
          if isDigit(byte) {
            hasNumber[index] = true
          } else if !isSpace(byte), byte != UInt8(ascii: ".") {
            isOther[index] = true
            break
          }
        }
      }
      size[parent] += 1 + (node.tag == .text ? node.count : size[index])
      if isOther[index] { isOther[parent] = true }
      if hasNumber[index] { hasNumber[parent] = true }
    }
    deadline.spend(count)
  }
}
