import Core

/// Renders the content of a tree as Markdown: CommonMark 0.31 with the tables of GitHub's.
struct MarkdownRenderer {
  let tree: NodeTree
  let content: ContentSelection
  let resolver: LinkResolver
  let limits: ReadLimits
  private let deadline: Deadline
  var writer = MarkdownWriter()
  private(set) var links: [PageLink] = []
  private var listed: Set<String> = []
  /// Where blocks begin in what was written.
  private(set) var marks: [BlockMark] = []
  private var visits = 0
  private var strong = 0
  private var emphasis = 0
  private var linkDepth = 0
  var table = 0

  init(
    _ tree: NodeTree, _ content: ContentSelection, resolver: LinkResolver, limits: ReadLimits,
    deadline: Deadline
  ) {
    self.tree = tree
    self.content = content
    self.resolver = resolver
    self.limits = limits
    self.deadline = deadline
  }

  /// Renders a node with all that is under it.
  ///
  /// - Throws: ``Failure`` with `timeout` when the deadline passed.
  mutating func render(_ node: Int32) throws(Failure) {
    guard !content.isDropped[Int(node)] else { return }
    visits += 1
    if visits & 0xFFF == 0, deadline.hasPassed { throw .extractionDeadline }
    let tag = tree[node].tag
    if Tag.block.contains(tag) { mark(node) }
    switch tag {
    case .text: text(tree.bytes(of: node))
    case .br: writer.breakLine()
    case .hr: rule()
    case .h1, .h2, .h3, .h4, .h5, .h6: try heading(node, tag.headingLevel)
    case .pre, .xmp, .plaintext: preformatted(node)
    case .blockquote: try quote(node)
    case .ul, .ol, .menu: try list(node)
    case .table: try renderTable(node)
    case .a: try link(node)
    case .code, .kbd, .samp, .tt: try code(node)
    case .strong, .b: try inline(node, "**", \.strong)
    case .em, .i: try inline(node, "*", \.emphasis)
    default: try Tag.block.contains(tag) ? block(node) : children(node)
    }
  }

  /// Notes that a block begins, unless it is part of one line.
  private mutating func mark(_ node: Int32) {
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

  private mutating func block(_ node: Int32) throws(Failure) {
    writer.separate(.blank)
    try children(node)
    writer.separate(.blank)
  }

  private mutating func text(_ bytes: ArraySlice<UInt8>) {
    bytes.forEachWord { word in
      guard let word else { return writer.separate(.space) }
      // The gap and the containers' marks decide whether the word begins a line.
      writer.flush()
      let escaping = MarkdownEscaping(isLineStart: writer.isLineStart, isInTable: table > 0)
      writer.put(escaping.escape(word))
    }
  }

  private mutating func rule() {
    writer.separate(.blank)
    guard writer.singleLine == 0 else { return }
    writer.put("---".utf8)
    writer.separate(.blank)
  }

  private mutating func heading(_ node: Int32, _ level: Int) throws(Failure) {
    guard writer.singleLine == 0 else { return try block(node) }
    writer.separate(.blank)
    writer.open(Array(repeating: UInt8(ascii: "#"), count: level) + [0x20])
    writer.singleLine += 1
    try children(node)
    writer.singleLine -= 1
    writer.close([])
    writer.separate(.blank)
  }

  private mutating func quote(_ node: Int32) throws(Failure) {
    guard writer.singleLine == 0 else { return try block(node) }
    writer.separate(.blank)
    writer.begin(first: Array("> ".utf8), rest: Array("> ".utf8))
    try children(node)
    writer.endContainer()
    writer.separate(.blank)
  }

  private mutating func list(_ node: Int32) throws(Failure) {
    guard writer.singleLine == 0 else { return try block(node) }
    let isNested = tree[node].parent >= 0 && tree[tree[node].parent].tag == .li
    writer.separate(isNested ? .tight : .blank)
    // Nine digits are the most a list number may have.
    var number = tree.string(.start, of: node).flatMap { Int($0) } ?? 1
    number = min(max(number, 0), 999_000_000)
    for child in tree.children(of: node) where !content.isDropped[Int(child)] {
      guard tree[child].tag == .li else {
        try render(child)
        continue
      }
      self.mark(child)
      let mark = tree[node].tag == .ol ? "\(number). " : "- "
      number = min(number + 1, 999_999_999)
      writer.separate(.tight)
      writer.begin(
        first: Array(mark.utf8), rest: Array(repeating: 0x20, count: mark.utf8.count))
      try children(child)
      writer.endItem()
    }
    writer.separate(isNested ? .tight : .blank)
  }

  private mutating func preformatted(_ node: Int32) {
    let text = tree.preformattedText(of: node, content)
    guard text.contains(where: { !isSpace($0) }) else { return }
    guard writer.singleLine == 0 else { return codeSpan(text) }
    let fence = max(3, MarkdownEscaping.longestRun(of: UInt8(ascii: "`"), in: text) + 1)
    let marks = [UInt8](repeating: UInt8(ascii: "`"), count: fence)
    writer.separate(.blank)
    writer.put(lines: marks + language(of: node) + [0x0A] + text + [0x0A] + marks)
    writer.separate(.blank)
  }

  /// The language a highlighter's class names, such as `language-swift`.
  private func language(of node: Int32) -> ArraySlice<UInt8> {
    let names = [node] + tree.children(of: node).prefix(2)
    for name in names {
      let classes = tree.value(.class, of: name)?.split(whereSeparator: isSpace) ?? []
      for each in classes {
        for prefix in ["language-", "lang-"] where each.starts(with: prefix.utf8) {
          let language = each.dropFirst(prefix.utf8.count)
          let isPlain = language.allSatisfy {
            isLetter($0) || isDigit($0) || "+-_#.".utf8.contains($0)
          }
          if isPlain, language.count <= 32 { return language }
        }
      }
    }
    return []
  }

  private mutating func code(_ node: Int32) throws(Failure) {
    guard !content.holdsBlock[Int(node)] else { return try children(node) }
    codeSpan(tree.preformattedText(of: node, content))
  }

  private mutating func codeSpan(_ text: ArraySlice<UInt8>) {
    var words: [UInt8] = []
    text.forEachWord { word in
      guard let word else { return }
      if !words.isEmpty { words.append(0x20) }
      for byte in word {
        if byte == UInt8(ascii: "|"), table > 0 { words.append(UInt8(ascii: "\\")) }
        words.append(byte)
      }
    }
    guard !words.isEmpty else { return }
    let tick = UInt8(ascii: "`")
    let marks = [UInt8](
      repeating: tick, count: MarkdownEscaping.longestRun(of: tick, in: words) + 1)
    let pad: [UInt8] = words.first == tick || words.last == tick ? [0x20] : []
    writer.put(marks + pad + words + pad + marks)
  }

  private mutating func inline(
    _ node: Int32, _ mark: String, _ depth: WritableKeyPath<MarkdownRenderer, Int>
  ) throws(Failure) {
    guard !content.holdsBlock[Int(node)], self[keyPath: depth] == 0 else {
      return try children(node)
    }
    self[keyPath: depth] += 1
    writer.open(Array(mark.utf8))
    try children(node)
    writer.close(Array(mark.utf8))
    self[keyPath: depth] -= 1
  }

  private mutating func link(_ node: Int32) throws(Failure) {
    guard linkDepth == 0, let href = tree.value(.href, of: node),
      let url = resolver.resolve(href)
    else { return try children(node) }
    if links.count < limits.links, listed.insert(url).inserted {
      links.append(PageLink(url: url, text: tree.collapsedText(of: node, limit: 1024)))
    }
    // A link may not span blocks in Markdown.
    guard !content.holdsBlock[Int(node)] else { return try children(node) }
    linkDepth += 1
    writer.open([UInt8(ascii: "[")])
    try children(node)
    writer.close(Array("](\(url))".utf8))
    linkDepth -= 1
  }
}
