/// The text of a preformatted element, as its author wrote it.
///
/// Line numbers that a syntax highlighter added are removed. Each element that the highlighter
/// created for a line becomes a line.
struct CodeText {
  private let tree: NodeTree
  private let content: ContentSelection
  private let deadline: Deadline
  private var output: [UInt8] = []
  /// `true` if an element for a line has ended and no line break was written since.
  private var endsLine = false

  /// Returns the text in the given node, without empty lines at both ends.
  static func of(
    _ node: Int32, in tree: NodeTree, _ content: ContentSelection, _ deadline: Deadline
  ) -> ArraySlice<UInt8> {
    var code = CodeText(tree: tree, content: content, deadline: deadline)
    code.collect(node)
    var slice = code.output[...]
    while let last = slice.last, isSpace(last) { slice = slice.dropLast() }
    while let line = slice.firstIndex(of: 0x0A), slice[..<line].allSatisfy(isSpace) {
      slice = slice[(line + 1)...]
    }
    return slice
  }

  private init(tree: NodeTree, content: ContentSelection, deadline: Deadline) {
    self.tree = tree
    self.content = content
    self.deadline = deadline
  }

  private mutating func collect(_ node: Int32) {
    guard !content.isDropped[Int(node)], deadline.spend(1) else { return }
    let tag = tree[node].tag
    switch tag {
    case .text: text(tree.bytes(of: node))
    case .br:
      endLine()
      output.append(0x0A)
    case .sup, .sub: raised(node)
    default:
      if content.lineNumbers.isColumn(node) { return }
      let isLine =
        Tag.block.contains(tag) && tag != .pre && !Tag.cell.contains(tag) || tree.isCodeLine(node)
      if isLine { beginLine() }
      collectChildren(of: node)
      if isLine { endsLine = true }
    }
  }

  /// Collects raised or lowered text, such as an exponent.
  private mutating func raised(_ node: Int32) {
    switch tree.raisedText(node, content.isDropped, deadline) {
    case .written(let bytes): return text(bytes[...])
    case .enclosed(let bytes):
      text(bytes[...])
      collectChildren(of: node)
      return output.append(UInt8(ascii: ")"))
    case .apart: output.append(0x20)
    case .plain, .marks: break
    }
    collectChildren(of: node)
  }

  private mutating func collectChildren(of node: Int32) {
    var child = tree[node].first
    while child >= 0 {
      collect(child)
      child = tree[child].next
    }
  }

  private mutating func text(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first else { return }
    deadline.spend(bytes.count)
    if endsLine, first != 0x0A, first != 0x0D { output.append(0x0A) }
    endsLine = false
    if bytes.contains(where: Self.isUnseen) {
      output.append(contentsOf: bytes.lazy.filter { !Self.isUnseen($0) })
    } else {
      output.append(contentsOf: bytes)
    }
  }

  /// Returns `true` if the given byte is a carriage return or a form feed, which code does not
  /// show.
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
  /// Returns `true` if the given element is a highlighter's element for one line of code.
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
}
