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
  /// For each node, `true` if it contains content text.
  ///
  /// Only tables need it.
  private lazy var holdsText = content.holdsText(in: tree)
  /// The offset in the output at which deleted text last began or ended.
  private var deletionEdge = -1
  /// `true` inside raised text whose links are the marks of footnotes.
  private var bracketsLinks = false
  /// `true` inside a table of data.
  private var isInData = false
  /// The offset in the output at which the open cell of such a table begins; nil outside of cells.
  private var cellStart: Int?

  /// The gap to write between the output and the next text.
  private enum Gap: Int, Comparable {
    case none, space, tab, line, blank
    /// The gap between two parts of one cell.
    case part

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
    case .br: separate(gap == .line ? .blank : .line)
    case .pre, .xmp, .plaintext: preformatted(node)
    case .li, .dt, .dd, .tr: try block(node, .line)
    case .td, .th: if !content.lineNumbers.isGutter(node) { try cell(node) }
    case .a: try link(node)
    case .sup, .sub: try raised(node)
    case .del, .s: try deleted(node)
    case .math: write(tree.formula(node, content, deadline))
    case .img:
      if tree.isFormulaImage(node), tree.isAmongContent(node, content) {
        write(tree.formula(ofImage: node, content, deadline))
      }
    case .table: try table(node)
    default: try Tag.block.contains(tag) ? block(node, .blank) : children(node)
    }
  }

  private mutating func block(_ node: Int32, _ kind: Gap) throws(Failure) {
    separate(kind)
    try children(node)
    separate(kind)
  }

  /// Requests that the gap before the next text is at least the given one.
  ///
  /// A cell of a table of data stays on its line: its parts are separated by commas.
  private mutating func separate(_ wanted: Gap) {
    guard let cellStart else { return gap = max(gap, wanted) }
    if cellStart < output.count { gap = max(gap, .part) }
  }

  private mutating func cell(_ node: Int32) throws(Failure) {
    gap = max(gap, .tab)
    let outer = cellStart
    if isInData { cellStart = output.count }
    try children(node)
    cellStart = outer
    gap = gap == .part ? .tab : max(gap, .tab)
  }

  private mutating func link(_ node: Int32) throws(Failure) {
    if tree.isPermalink(node, deadline) { return }
    // Adjacent links are mostly menus and tags, which the page's style separates.
    if linkEnd == output.count, linkEnd > 0 { gap = max(gap, .space) }
    if bracketsLinks, let mark = tree.bracketed(node, content.isDropped, deadline) {
      write(mark[...])
    } else {
      try children(node)
    }
    linkEnd = output.count
  }

  /// Renders raised or lowered text, such as an exponent or a footnote's mark.
  private mutating func raised(_ node: Int32) throws(Failure) {
    let kind = tree.raisedText(node, content.isDropped, deadline)
    switch kind {
    case .plain, .marks: break
    case .apart: gap = max(gap, .space)
    case .written(let bytes): return write(bytes[...])
    case .enclosed(let bytes): write(bytes[...])
    }
    let wasBracketing = bracketsLinks
    bracketsLinks = kind == .marks
    try children(node)
    bracketsLinks = wasBracketing
    if case .enclosed = kind { write([UInt8(ascii: ")")]) }
  }

  /// Renders deleted text, which another text mostly replaces.
  private mutating func deleted(_ node: Int32) throws(Failure) {
    deletionEdge = output.count
    try children(node)
    deletionEdge = output.count
  }

  /// Returns `true` if a word that begins with the given byte would change text that was deleted.
  private func joinsDeletion(_ first: UInt8) -> Bool {
    guard deletionEdge == output.count, gap == .none, let last = output.last else { return false }
    return joinsWords(last, first)
  }

  private mutating func write(_ formula: Formula?) {
    guard let formula else { return }
    if formula.isDisplay { separate(.blank) }
    // Two dollar signs in a row would begin a block.
    if gap == .none, output.last == UInt8(ascii: "$") { gap = .space }
    write(formula.text[...])
    if formula.isDisplay { separate(.blank) }
  }

  /// Renders the given table.
  ///
  /// In a table of data, each row is one line.
  private mutating func table(_ node: Int32) throws(Failure) {
    let outer = isInData
    isInData = TableShape(node, in: tree, content, holdsText: holdsText, deadline).isData
    try block(node, .blank)
    isInData = outer
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

  /// Writes the gap before a text that begins with the given byte.
  private mutating func writeGap(before first: UInt8 = 0) {
    defer { gap = .none }
    guard !output.isEmpty else { return }
    switch gap {
    case .none: return
    case .space: output.append(0x20)
    case .tab: output.append(0x09)
    case .part:
      output.append(
        contentsOf: MarkdownWriter.partGap(between: output.last ?? 0, and: first))
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
          if joinsDeletion(bytes[word.lowerBound]) { gap = .space }
          writeGap(before: bytes[word.lowerBound])
          output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[word]))
        } else {
          gap = max(gap, .space)
        }
      }
    }
  }
}
