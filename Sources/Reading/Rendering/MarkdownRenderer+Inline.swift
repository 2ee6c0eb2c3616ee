import Core

extension MarkdownRenderer {
  mutating func inline(
    _ node: Int32, _ mark: MarkdownWriter.Mark, _ depth: WritableKeyPath<MarkdownRenderer, Int>
  ) throws(Failure) {
    guard !holdsBlock[Int(node)], self[keyPath: depth] == 0 else {
      return try children(node)
    }
    self[keyPath: depth] += 1
    writer.open(mark)
    try children(node)
    writer.close(mark)
    self[keyPath: depth] -= 1
  }

  /// Renders deleted text, which another text mostly replaces.
  mutating func deleted(_ node: Int32) throws(Failure) {
    deletionEdge = writer.output.count
    try inline(node, .strike, \.strike)
    deletionEdge = writer.output.count
  }

  /// Returns `true` if a word that begins with the given byte would change text that was deleted.
  func joinsDeletion(_ first: UInt8) -> Bool {
    let isEdge =
      deletionEdge == writer.output.count || writer.endsInMarks(after: deletionEdge)
    return isEdge && writer.gap == .none && joinsWords(writer.lastVisible, first)
  }

  // MARK: Code

  mutating func code(_ node: Int32) throws(Failure) {
    guard !holdsBlock[Int(node)] else { return try children(node) }
    // Code that consists of one link is written as a link.
    if let only = onlyLink(in: node) {
      return try link(only) { (renderer) in
        renderer.codeSpan(CodeText.of(only, in: renderer.tree, renderer.content, renderer.deadline))
      }
    }
    let text = CodeText.of(node, in: tree, content, deadline)
    let isOwnBlock = writer.singleLine == 0 && linkDepth + strong + emphasis + strike == 0
    if isOwnBlock, text.contains(0x0A), holdsBreak(node) {
      return write(block: text, language: CodeLanguage.of(node, in: tree))
    }
    codeSpan(text)
  }

  /// Returns the link that is the only child of the given node; nil if there is none.
  ///
  /// White space beside the link is ignored.
  private func onlyLink(in node: Int32) -> Int32? {
    var found: Int32?
    var child = tree[node].first
    while child >= 0 {
      deadline.spend(1)
      if tree[child].tag == .a, found == nil {
        found = child
      } else if tree[child].tag != .text || !tree.bytes(of: child).allSatisfy(isSpace) {
        return nil
      }
      child = tree[child].next
    }
    return found
  }

  private func holdsBreak(_ node: Int32) -> Bool {
    var child = tree[node].first
    while child >= 0 {
      deadline.spend(1)
      if tree[child].tag == .br { return true }
      child = tree[child].next
    }
    return false
  }

  mutating func codeSpan(_ code: ArraySlice<UInt8>) {
    // A definition ends at the first bracket and colon, even inside code.
    if linkDepth > 0, zip(code, code.dropFirst()).contains(where: { $0 == 0x5D && $1 == 0x3A }) {
      return text(code)
    }
    var words: [UInt8] = []
    code.forEachWord { word in
      guard let word else { return }
      if !words.isEmpty { words.append(0x20) }
      for byte in word {
        if byte == UInt8(ascii: "|"), table > 0 { words.append(UInt8(ascii: "\\")) }
        words.append(byte)
      }
    }
    guard !words.isEmpty else { return }
    if lastCode.end == writer.output.count, writer.gap == .none, lastCode.words.count < 4096 {
      // Two adjacent spans would be read as one span with other backticks, so they are merged.
      writer.truncate(to: lastCode.start)
      deadline.spend(lastCode.words.count)
      words = lastCode.words + words
    } else if writer.gap == .none, writer.endsInMarks(after: lastCode.end) {
      writer.separate(.space)
    }
    writer.flush()
    let start = writer.output.count
    let tick = UInt8(ascii: "`")
    let marks = [UInt8](
      repeating: tick, count: MarkdownEscaping.longestRun(of: tick, in: words) + 1)
    let pad: [UInt8] = words.first == tick || words.last == tick ? [0x20] : []
    writer.append(marks + pad + words + pad + marks)
    lastCode = (start, writer.output.count, words)
  }

  // MARK: Links

  mutating func link(_ node: Int32) throws(Failure) {
    try link(node) { (renderer) throws(Failure) in
      guard renderer.bracketsLinks,
        let mark = renderer.tree.bracketed(
          node, renderer.content.isDropped, renderer.deadline)
      else { return try renderer.children(node) }
      renderer.text(mark[...])
    }
  }

  private mutating func link(
    _ node: Int32, _ inside: (inout MarkdownRenderer) throws(Failure) -> Void
  ) throws(Failure) {
    if tree.isPermalink(node, deadline) { return }
    // Adjacent links are mostly menus and tags, which the page's style separates.
    if linkEnd == writer.output.count, linkEnd > 0 { writer.separate(.space) }
    guard linkDepth == 0, let href = tree.value(.href, of: node) else { return try inside(&self) }
    let absolute = resolver.resolve(href)
    guard let url = absolute ?? resolver.relative(href) else { return try inside(&self) }
    let address = Array(url.utf8)
    guard reserveAddress(address) else { return try inside(&self) }
    let isAbsolute = resolver.hasBase || absolute != nil
    if isAbsolute, links.count < limits.links, listed.insert(address).inserted {
      let text = CollapsedText.of(node, in: tree, content.isDropped, limit: 1024, deadline) {
        [tree, content, deadline] in tree.formula($0, content, deadline)?.text
      }
      links.append(PageLink(url: url, text: text))
    }
    if holdsBlock[Int(node)], writer.singleLine == 0, let heading = firstHeading(in: node) {
      // A Markdown link cannot span blocks, so its heading becomes the link.
      headingLinks[heading] = address
      try inside(&self)
      headingLinks[heading] = nil
    } else {
      try linked(to: address, inside)
    }
    linkEnd = writer.output.count
  }

  /// Reserves room for the given address.
  ///
  /// - Returns: `false` if there is not enough room.
  private mutating func reserveAddress(_ address: [UInt8]) -> Bool {
    guard addressBytes >= address.count else { return false }
    addressBytes -= address.count
    deadline.spend(address.count)
    return true
  }

  /// Renders the children of the given node as a link.
  ///
  /// The link ends at the end of the first block.
  mutating func linked(_ node: Int32, to address: [UInt8]) throws(Failure) {
    try linked(to: address) { (renderer) throws(Failure) in try renderer.children(node) }
  }

  private mutating func linked(
    to address: [UInt8], _ inside: (inout MarkdownRenderer) throws(Failure) -> Void
  ) throws(Failure) {
    linkDepth += 1
    writer.target = Self.written(address)
    writer.open(.link)
    try inside(&self)
    writer.close(.link)
    linkDepth -= 1
  }

  /// Returns the given address, escaped.
  ///
  /// It then contains no character reference and cannot end the link.
  private static func written(_ address: [UInt8]) -> [UInt8] {
    guard address.contains(where: { $0 == 0x28 || $0 == 0x29 || $0 == 0x3B }) else {
      return address
    }
    let isBalanced = isBalanced(address)
    var output: [UInt8] = []
    for (index, byte) in address.enumerated() {
      switch byte {
      case UInt8(ascii: "(") where !isBalanced: output.append(contentsOf: "%28".utf8)
      case UInt8(ascii: ")") where !isBalanced: output.append(contentsOf: "%29".utf8)
      case UInt8(ascii: "&") where isReference(address[index...]):
        output.append(contentsOf: "&amp;".utf8)
      default: output.append(byte)
      }
    }
    return output
  }

  /// Returns `true` if the given address has balanced parentheses whose nesting CommonMark accepts.
  private static func isBalanced(_ address: [UInt8]) -> Bool {
    var depth = 0
    for byte in address where byte == 0x28 || byte == 0x29 {
      depth += byte == 0x28 ? 1 : -1
      if depth < 0 || depth > 16 { return false }
    }
    return depth == 0
  }

  private static func isReference(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.dropFirst().prefix(40).prefix {
      isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "#")
    }
    return name.endIndex < text.endIndex && text[name.endIndex] == UInt8(ascii: ";")
  }

  /// Returns the first heading in the given node that is not dropped.
  private func firstHeading(in node: Int32) -> Int32? {
    var next = node + 1
    // Descendants follow their ancestor; see ``NodeTree``. The limit is for nested links.
    let end = min(Int32(tree.nodes.count), next + 4096)
    while next < end, tree[next].parent >= node {
      deadline.spend(1)
      if Tag.heading.contains(tree[next].tag), !content.isDropped[Int(next)] { return next }
      next += 1
    }
    return nil
  }

  // MARK: Raised and lowered text

  /// Renders raised or lowered text, such as an exponent or a footnote's mark.
  mutating func raised(_ node: Int32) throws(Failure) {
    let kind = tree.raisedText(node, content.isDropped, deadline)
    switch kind {
    case .plain, .marks: break
    case .apart: writer.separate(.space)
    case .written(let bytes): return text(bytes[...])
    case .enclosed(let bytes): text(bytes[...])
    }
    let wasBracketing = bracketsLinks
    bracketsLinks = kind == .marks
    try children(node)
    bracketsLinks = wasBracketing
    if case .enclosed = kind { text([UInt8(ascii: ")")]) }
  }

  // MARK: Images and mathematics

  mutating func image(_ node: Int32) {
    guard tree.isAmongContent(node, content) else { return }
    if tree.isFormulaImage(node) { return write(tree.formula(ofImage: node, content, deadline)) }
    guard keepsImages, let source = ImageSource.of(node, in: tree),
      let url = resolver.resolve(source) ?? resolver.relative(source)
    else { return }
    let address = Self.written(Array(url.utf8))
    guard reserveAddress(address) else { return }
    writer.flush()
    writer.append("![".utf8)
    let alt = tree.value(.alt, of: node)?.prefix(1000) ?? []
    var isFirst = true
    linkDepth += 1
    alt.forEachWord { word in
      guard let word else { return }
      if !isFirst { writer.append(0x20) }
      isFirst = false
      var escaping = MarkdownEscaping(isLineStart: false)
      escaping.isInLink = true
      escaping.isInTable = table > 0
      escaping.endsText = true
      writer.append(word, escaping)
    }
    linkDepth -= 1
    writer.append("](".utf8)
    writer.append(address)
    writer.append(UInt8(ascii: ")"))
  }

  /// Writes the given formula, as a block where Markdown can have one.
  mutating func write(_ formula: Formula?) {
    guard var formula else { return }
    formula.isDisplay = formula.isDisplay && writer.singleLine == 0 && linkDepth == 0
    if formula.isDisplay { writer.separate(.blank) }
    // Two dollar signs in a row would begin a block.
    if writer.gap == .none, writer.output.last == UInt8(ascii: "$") { writer.separate(.space) }
    writer.flush()
    writer.append(
      formula.markdown(isInTable: table > 0, isInEmphasis: strong + emphasis > 0))
    if formula.isDisplay { writer.separate(.blank) }
  }
}
