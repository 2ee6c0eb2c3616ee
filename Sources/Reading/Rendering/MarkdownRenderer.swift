import Core

/// A renderer of a tree's content as Markdown (CommonMark 0.31, with GitHub's tables).
struct MarkdownRenderer {
  let tree: NodeTree
  let content: ContentSelection
  let resolver: LinkResolver
  let limits: ReadLimits
  let keepsImages: Bool
  let deadline: Deadline
  var writer = MarkdownWriter()
  var links: [PageLink] = []
  var listed: Set<[UInt8]> = []
  /// For each node, `true` if it contains a block (`holdsBlock`) or content text (`holdsText`).
  let holdsBlock: [Bool]
  let holdsText: [Bool]
  /// The starts of blocks in the output.
  private(set) var marks: [BlockMark] = []
  /// The nesting depths of emphasis, links, headings and tables.
  ///
  /// Markdown cannot nest these.
  var strong = 0
  var emphasis = 0
  var strike = 0
  var linkDepth = 0
  var headings = 0
  var table = 0
  /// `true` inside raised text whose links are the marks of footnotes.
  var bracketsLinks = false
  /// The number of empty cells written so far for cells that span columns or rows.
  ///
  /// It is limited.
  var padding = 0
  /// The number of bytes that addresses may still use.
  ///
  /// They are limited because a long base address makes every link long.
  var addressBytes: Int
  /// The addresses of links that contain several blocks, by the heading inside the link.
  var headingLinks: [Int32: [UInt8]] = [:]
  /// The end of the last link in the output, and the range of the last code span.
  var linkEnd = -1
  /// The offset in the output at which deleted text last began or ended.
  var deletionEdge = -1
  var lastCode: (start: Int, end: Int, words: [UInt8]) = (-1, -1, [])
  /// The end and the depth of the last list.
  ///
  /// The flag is `true` if it had the first kind of mark.
  var lastList: (end: Int, depth: Int, isFirstKind: Bool) = (-1, 0, true)

  init(
    _ tree: NodeTree, _ content: ContentSelection, resolver: LinkResolver, limits: ReadLimits,
    deadline: Deadline, keepsImages: Bool = false
  ) {
    self.tree = tree
    self.content = content
    self.resolver = resolver
    self.limits = limits
    self.deadline = deadline
    self.keepsImages = keepsImages
    addressBytes = (4 << 20) + 4 * tree.text.count
    var holdsBlock = [Bool](repeating: false, count: tree.nodes.count)
    // A parent's index is smaller than its children's.
    for index in stride(from: tree.nodes.count - 1, to: 0, by: -1) where !content.isDropped[index] {
      let node = tree.nodes[index]
      if holdsBlock[index] || Tag.block.contains(node.tag) { holdsBlock[Int(node.parent)] = true }
    }
    self.holdsBlock = holdsBlock
    holdsText = content.holdsText(in: tree)
  }

  /// Renders the given node and its descendants.
  ///
  /// - Throws: `Timeout` if the deadline has passed.
  mutating func render(_ node: Int32) throws(Failure) {
    guard !content.isDropped[Int(node)] else { return }
    let tag = tree[node].tag
    guard deadline.spend(tag == .text ? Int(tree[node].count) : 1) else {
      throw .extractionDeadline
    }
    if Tag.block.contains(tag) { mark(node) }
    switch tag {
    case .text: text(tree.bytes(of: node))
    case .br: writer.breakLine()
    case .hr: rule()
    case .h1, .h2, .h3, .h4, .h5, .h6: try heading(node, tag.headingLevel)
    case .pre, .xmp, .plaintext: preformatted(node)
    case .blockquote: try quote(node)
    case .ul, .ol, .menu: try list(node)
    case .li: try item(node)
    case .dt: try term(node)
    case .table: try renderTable(node)
    case .td, .th: if !content.lineNumbers.isGutter(node) { try block(node) }
    case .a: try link(node)
    case .code, .kbd, .samp, .tt: try code(node)
    case .strong, .b:
      if headings > 0 { try children(node) } else { try inline(node, .strong, \.strong) }
    case .em, .i: try inline(node, .emphasis, \.emphasis)
    case .del, .s: try deleted(node)
    case .sup, .sub: try raised(node)
    case .img: image(node)
    case .math: write(tree.formula(node, content, deadline))
    default: try Tag.block.contains(tag) ? block(node) : children(node)
    }
  }

  /// Records the start of the given block, unless the block is within a single line.
  ///
  /// A table row, for example, is a single line.
  mutating func mark(_ node: Int32) {
    guard writer.singleLine == 0, linkDepth == 0 else { return }
    marks.append(BlockMark(node: node, offset: Int32(clamping: writer.output.count)))
  }

  mutating func children(_ node: Int32) throws(Failure) {
    var child = tree[node].first
    while child >= 0 {
      try render(child)
      child = tree[child].next
    }
  }

  mutating func block(_ node: Int32) throws(Failure) {
    writer.separate(.blank)
    try children(node)
    writer.separate(.blank)
  }

  // MARK: Text

  mutating func text(_ bytes: ArraySlice<UInt8>) {
    bytes.forEachWord { word in
      guard let word else { return writer.separate(.space) }
      write(word, endsText: word.endIndex == bytes.endIndex)
    }
  }

  /// Writes the given word, with backslashes where they are needed.
  private mutating func write(_ word: ArraySlice<UInt8>, endsText: Bool) {
    if joinsDeletion(word.first ?? 0) { writer.separate(.space) }
    let isApart = writer.gap > .none || writer.isAtStart
    // The gap and the containers' marks determine whether the word begins a line.
    writer.flush(before: word.first ?? 0)
    var escaping = MarkdownEscaping(isLineStart: writer.isLineStart)
    escaping.isInTable = table > 0
    escaping.isInLink = linkDepth > 0
    escaping.isInHeading = headings > 0
    escaping.isInEmphasis = strong + emphasis > 0
    escaping.isInStrike = strike > 0
    escaping.endsText = endsText
    escaping.previous = isApart ? writer.mark : writer.lastByte
    writer.append(word, escaping)
  }

  // MARK: Blocks

  private mutating func rule() {
    if writer.singleLine == 0 { writer.rule() } else { writer.separate(.space) }
  }

  private mutating func heading(_ node: Int32, _ level: Int) throws(Failure) {
    let address = headingLinks.removeValue(forKey: node)
    guard writer.singleLine == 0 else { return try block(node) }
    writer.separate(.blank)
    writer.begin(first: Array(repeating: UInt8(ascii: "#"), count: level) + [0x20], rest: [])
    writer.singleLine += 1
    headings += 1
    if let address {
      try linked(node, to: address)
    } else {
      try children(node)
    }
    headings -= 1
    writer.singleLine -= 1
    writer.endContainer()
    writer.separate(.blank)
  }

  private mutating func quote(_ node: Int32) throws(Failure) {
    guard writer.singleLine == 0 else { return try block(node) }
    writer.separate(.blank)
    writer.beginQuote()
    try children(node)
    writer.endContainer()
    writer.separate(.blank)
  }

  /// Renders the given term of a definition list as a paragraph in bold.
  private mutating func term(_ node: Int32) throws(Failure) {
    writer.separate(.blank)
    if writer.singleLine == 0 {
      try inline(node, .strong, \.strong)
    } else {
      try children(node)
    }
    writer.separate(.blank)
  }

  private mutating func preformatted(_ node: Int32) {
    guard !content.lineNumbers.isColumn(node) else { return }
    let text = CodeText.of(node, in: tree, content, deadline)
    guard text.contains(where: { !isSpace($0) }) else { return }
    guard writer.singleLine == 0 else { return codeSpan(text) }
    write(block: text, language: CodeLanguage.of(node, in: tree))
  }

  /// Writes a code block.
  ///
  /// Its fences are longer than any run of backticks in it. The block interrupts a quote, so that
  /// its lines have no quote mark. Tools that read lines can then find the code unchanged.
  mutating func write(block text: ArraySlice<UInt8>, language: [UInt8]) {
    let fence = max(3, MarkdownEscaping.longestRun(of: UInt8(ascii: "`"), in: text) + 1)
    let marks = [UInt8](repeating: UInt8(ascii: "`"), count: fence)
    writer.separate(.blank)
    let quotes = writer.leaveQuotes()
    writer.abandonLink()
    writer.write(lines: marks + language + [0x0A] + text + [0x0A] + marks)
    writer.separate(.blank)
    writer.resume(quotes)
  }
}
