/// The text of an element as one line, in which numbers and formulas keep their value.
struct CollapsedText {
  private let tree: NodeTree
  private let dropped: [Bool]?
  private let formula: ((Int32) -> [UInt8]?)?
  private let limit: Int
  private let deadline: Deadline
  private var output: [UInt8] = []
  /// The number of nodes and bytes that may still be read.
  private var left: Int
  /// `true` inside raised text whose links are the marks of footnotes.
  private var bracketsLinks = false

  /// Returns at most `limit` bytes of the text under the given node, with collapsed whitespace.
  ///
  /// The search for text is limited, because callers may query many nested nodes.
  ///
  /// - Parameters:
  ///   - node: The element.
  ///   - tree: The tree that contains the element.
  ///   - dropped: The nodes that are no content; nil for none.
  ///   - limit: The maximum number of bytes.
  ///   - deadline: The deadline.
  ///   - formula: Returns the text of the given formula, or nil if it is no content. Without it,
  ///     the text of its parts is read.
  /// - Returns: The text.
  static func of(
    _ node: Int32, in tree: NodeTree, _ dropped: [Bool]? = nil, limit: Int, _ deadline: Deadline,
    formula: ((Int32) -> [UInt8]?)? = nil
  ) -> String {
    let most = 16 * limit
    var text = CollapsedText(
      tree: tree, dropped: dropped, formula: formula, limit: limit, deadline: deadline, left: most)
    text.collect(node)
    deadline.spend(most - max(0, text.left))
    if text.output.last == 0x20 { text.output.removeLast() }
    return String(decoding: text.output.prefix(limit), as: UTF8.self)
  }

  private mutating func collect(_ node: Int32) {
    left -= 1
    switch tree[node].tag {
    case .text: write(tree.bytes(of: node))
    case .sup, .sub: raised(node)
    case .a where bracketsLinks:
      if let mark = tree.bracketed(node, dropped, deadline) {
        write(mark[...])
      } else {
        children(node)
      }
    case .math:
      guard let formula else { return children(node) }
      write(formula(node)?[...] ?? [])
    case let tag:
      let isApart = Tag.block.contains(tag) || tag == .br
      if isApart { separate() }
      children(node)
      if isApart { separate() }
    }
  }

  private mutating func children(_ node: Int32) {
    var child = tree[node].first
    while child >= 0, left > 0, output.count < limit {
      collect(child)
      child = tree[child].next
    }
  }

  private mutating func raised(_ node: Int32) {
    let kind = tree.raisedText(node, dropped, deadline)
    switch kind {
    case .plain, .marks: break
    case .apart: separate()
    case .written(let bytes): return write(bytes[...])
    case .enclosed(let bytes): write(bytes[...])
    }
    let wasBracketing = bracketsLinks
    bracketsLinks = kind == .marks
    children(node)
    bracketsLinks = wasBracketing
    if case .enclosed = kind { write([UInt8(ascii: ")")]) }
  }

  private mutating func separate() {
    if let last = output.last, last != 0x20 { output.append(0x20) }
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes.prefix(max(0, left)) where output.count < limit {
      left -= 1
      if isSpace(byte) { separate() } else { output.append(byte) }
    }
  }
}

extension NodeTree {
  /// Returns at most `limit` bytes of the text under the given node, without formulas.
  func collapsedText(of node: Int32, limit: Int, _ deadline: Deadline) -> String {
    CollapsedText.of(node, in: self, limit: limit, deadline)
  }
}
