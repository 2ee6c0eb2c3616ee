/// The text of preformatted elements, as their author wrote it: line numbers that a highlighter
/// put beside it are left out, lines that it put into elements of their own stay lines.
struct CodeText {
  private let tree: NodeTree
  private let content: ContentSelection
  private var output: [UInt8] = []
  /// Whether a line has ended whose line break was not seen yet.
  private var endsLine = false

  /// The text under a node, without empty lines at its start and end.
  static func of(
    _ node: Int32, in tree: NodeTree, _ content: ContentSelection
  ) -> ArraySlice<UInt8> {
    var code = CodeText(tree: tree, content: content)
    code.collect(node)
    var slice = code.output[...]
    while let last = slice.last, isSpace(last) { slice = slice.dropLast() }
    while let line = slice.firstIndex(of: 0x0A), slice[..<line].allSatisfy(isSpace) {
      slice = slice[(line + 1)...]
    }
    return slice
  }

  private init(tree: NodeTree, content: ContentSelection) {
    self.tree = tree
    self.content = content
  }

  private mutating func collect(_ node: Int32) {
    guard !content.isDropped[Int(node)] else { return }
    let tag = tree[node].tag
    switch tag {
    case .text: text(tree.bytes(of: node))
    case .br:
      endLine()
      output.append(0x0A)
    default:
      if tree.isLineNumber(node) { return }
      let isLine =
        Tag.block.contains(tag) && tag != .pre && !Tag.cell.contains(tag) || tree.isCodeLine(node)
      if isLine { beginLine() }
      var child = tree[node].first
      while child >= 0 {
        collect(child)
        child = tree[child].next
      }
      if isLine { endsLine = true }
    }
  }

  private mutating func text(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first else { return }
    if endsLine, first != 0x0A, first != 0x0D { output.append(0x0A) }
    endsLine = false
    if bytes.contains(where: Self.isUnseen) {
      output.append(contentsOf: bytes.lazy.filter { !Self.isUnseen($0) })
    } else {
      output.append(contentsOf: bytes)
    }
  }

  /// Whether a byte is a carriage return or a form feed, of which code shows nothing.
  private static func isUnseen(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0C }

  private mutating func beginLine() {
    if endsLine || !output.isEmpty && output.last != 0x0A { output.append(0x0A) }
    endsLine = false
  }

  private mutating func endLine() {
    if endsLine { output.append(0x0A) }
    endsLine = false
  }
}

extension NodeTree {
  /// Whether an element holds one line of code, as highlighters make them.
  fileprivate func isCodeLine(_ node: Int32) -> Bool {
    guard self[node].count > 0, let names = value(.class, of: node), names.count < 200 else {
      return false
    }
    return names.split(whereSeparator: isSpace).contains {
      Self.lineNames.contains(String(decoding: $0, as: UTF8.self))
    }
  }

  private static let lineNames: Set = [
    "line", "token-line", "code-line", "view-line", "CodeMirror-line", "hljs-ln-line", "cm-line",
    "crayon-line", "code__line",
  ]

  /// Whether an element holds only numbers and is named as a column of line numbers.
  func isLineNumber(_ node: Int32) -> Bool {
    guard self[node].count > 0, let names = value(.class, of: node), names.count < 200 else {
      return false
    }
    let isNamed = names.split(whereSeparator: isSpace).contains { name in
      let word = String(decoding: name, as: UTF8.self).lowercased()
      return Self.numberNames.contains { word.hasPrefix($0) }
    }
    return isNamed && holdsOnlyNumbers(node, mayBeEmpty: true)
  }

  private static let numberNames = [
    "lineno", "line-no", "linenumber", "line-number", "line_number", "hljs-ln-n", "gutter", "lnt",
    "lnlinks", "ln-num", "blob-num", "rouge-gutter", "code-line-number", "line-num", "crayon-num",
    "react-code-line-number", "hl-ln",
  ]

  /// Whether a cell of a table holds the line numbers of the code in the cell beside it.
  func isGutter(_ cell: Int32) -> Bool {
    guard Tag.cell.contains(self[cell].tag) else { return false }
    var other = self[cell].next
    while other >= 0, !Tag.cell.contains(self[other].tag) { other = self[other].next }
    guard other >= 0, holdsCode(other) else { return false }
    return holdsOnlyNumbers(cell, mayBeEmpty: false)
  }

  private func holdsCode(_ cell: Int32) -> Bool {
    // A highlighter's cell begins with its code.
    var next = cell + 1
    while Int(next) < nodes.count, next < cell + 8, self[next].parent >= cell {
      if self[next].tag == .pre || self[next].tag == .code { return true }
      next += 1
    }
    return false
  }

  private func holdsOnlyNumbers(_ node: Int32, mayBeEmpty: Bool) -> Bool {
    var next = Int(node) + 1
    var seen = 0
    var hasNumber = false
    // Descendants follow their ancestor; a column is not longer than this.
    while next < nodes.count, nodes[next].parent >= node {
      seen += 1 + Int(nodes[next].tag == .text ? nodes[next].count : 0)
      guard seen < 60_000 else { return false }
      if nodes[next].tag == .text {
        for byte in bytes(of: Int32(next)) {
          guard isDigit(byte) || isSpace(byte) || byte == UInt8(ascii: ".") else { return false }
          if isDigit(byte) { hasNumber = true }
        }
      }
      next += 1
    }
    return hasNumber || mayBeEmpty
  }

  /// Whether an element is the link by which a heading points at itself, such as `¶`.
  func isPermalink(_ node: Int32) -> Bool {
    guard self[node].tag == .a, let href = value(.href, of: node), href.contains(0x23) else {
      return false
    }
    let text = nearText(of: node, limit: 8)
    return ["¶", "#", "§", "🔗", "∞", "⚓", "⌗"].contains(text)
  }
}
