import Core

/// A renderer of a tree's content as plain text.
///
/// Blocks are separated by blank lines. Whitespace is collapsed, except in preformatted text.
struct TextRenderer {
  private let tree: NodeTree
  private let content: ContentSelection
  private let deadline: Deadline
  private var output: [UInt8] = []
  private var gap = Gap.none
  /// The offset in the output at which the last link ended.
  private var linkEnd = -1
  private var marks: [BlockMark] = []

  /// The gap to write between the output and the next text.
  private enum Gap: Int, Comparable {
    case none, space, tab, line, blank

    static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
  }

  static func render(
    _ tree: NodeTree, _ content: ContentSelection, deadline: Deadline
  ) throws(Failure) -> (text: [UInt8], marks: [BlockMark]) {
    var renderer = TextRenderer(tree: tree, content: content, deadline: deadline)
    try renderer.render(NodeTree.root)
    return (renderer.output, renderer.marks)
  }

  private init(tree: NodeTree, content: ContentSelection, deadline: Deadline) {
    self.tree = tree
    self.content = content
    self.deadline = deadline
    output.reserveCapacity(tree.text.count / 2)
  }

  private mutating func render(_ node: Int32) throws(Failure) {
    guard !content.isDropped[Int(node)] else { return }
    let tag = tree[node].tag
    guard deadline.spend(tag == .text ? Int(tree[node].count) : 1) else {
      throw .extractionDeadline
    }
    if Tag.block.contains(tag) {
      marks.append(BlockMark(node: node, offset: Int32(clamping: output.count)))
    }
    switch tag {
    case .text: write(tree.bytes(of: node))
    case .br: gap = gap == .line ? .blank : max(gap, .line)
    case .pre, .xmp, .plaintext: preformatted(node)
    case .li, .dt, .dd, .tr: try block(node, .line)
    case .td, .th: if !content.lineNumbers.isGutter(node) { try block(node, .tab) }
    case .a: try link(node)
    case .math: write(tree.formula(node, content, deadline)[...])
    case .img:
      if let formula = tree.formulaImage(node), tree.isAmongContent(node, content) {
        write(formula[...])
      }
    default: try Tag.block.contains(tag) ? block(node, .blank) : children(node)
    }
  }

  private mutating func block(_ node: Int32, _ kind: Gap) throws(Failure) {
    gap = max(gap, kind)
    try children(node)
    gap = max(gap, kind)
  }

  private mutating func link(_ node: Int32) throws(Failure) {
    if tree.isPermalink(node, deadline) { return }
    // Adjacent links are mostly menus and tags, which the page's style separates.
    if linkEnd == output.count, linkEnd > 0 { gap = max(gap, .space) }
    try children(node)
    linkEnd = output.count
  }

  private mutating func children(_ node: Int32) throws(Failure) {
    var child = tree[node].first
    while child >= 0 {
      try render(child)
      child = tree[child].next
    }
  }

  private mutating func preformatted(_ node: Int32) {
    guard !content.lineNumbers.isColumn(node) else { return }
    let text = CodeText.of(node, in: tree, content, deadline)
    guard text.contains(where: { !isSpace($0) }) else { return }
    gap = .blank
    writeGap()
    output.append(contentsOf: text)
    gap = .blank
  }

  private mutating func writeGap() {
    defer { gap = .none }
    guard !output.isEmpty else { return }
    switch gap {
    case .none: return
    case .space: output.append(0x20)
    case .tab: output.append(0x09)
    case .line: output.append(0x0A)
    case .blank:
      output.append(0x0A)
      output.append(0x0A)
    }
  }

  private mutating func write(_ text: ArraySlice<UInt8>) {
    text.withUnsafeBufferPointer { bytes in
      bytes.forEachWord { word in
        if let word {
          writeGap()
          output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[word]))
        } else {
          gap = max(gap, .space)
        }
      }
    }
  }
}
