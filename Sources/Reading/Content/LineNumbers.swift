/// The elements with line numbers that a syntax highlighter put beside code.
///
/// All elements are measured together at the first query, because elements may be nested. Most
/// pages have no line numbers and need no measurement.
final class LineNumbers {
  private let tree: NodeTree
  private let deadline: Deadline
  /// For each node, `true` if it contains text other than numbers, and `true` if it contains a
  /// number.
  private var isOther: [Bool] = []
  private var hasNumber: [Bool] = []
  /// For each node, the number of nodes in it plus the number of bytes of their text.
  private var size: [Int32] = []

  init(_ tree: NodeTree, _ deadline: Deadline) {
    self.tree = tree
    self.deadline = deadline
  }

  /// Returns `true` if the given element contains only numbers and has the class of a line number
  /// column.
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

  /// Returns `true` if the given table cell contains the line numbers of the code in the next cell.
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
    // In a highlighter's output, a cell begins with its code.
    var next = cell + 1
    while Int(next) < tree.nodes.count, next < cell + 8, tree[next].parent >= cell {
      if tree[next].tag == .pre || tree[next].tag == .code { return true }
      next += 1
    }
    return false
  }

  /// The size, as ``size`` measures it, above which an element is not checked for line numbers.
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
