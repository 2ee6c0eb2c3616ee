/// A document as flat arrays.
///
/// No node needs an object or an allocation. A node is an index. The index of a parent is always
/// smaller than the indices of its children. Therefore, one pass from the last node to the first
/// can sum up subtrees without recursion.
struct NodeTree {
  struct Node {
    var tag: Tag
    /// The index of the parent; -1 for the root.
    var parent: Int32
    /// The indices of the first child, the last child and the next sibling.
    ///
    /// An index is -1 if there is no such node.
    var first: Int32 = -1
    var last: Int32 = -1
    var next: Int32 = -1
    /// The start of the node's bytes in ``NodeTree/text``.
    ///
    /// For an element, it is the start of its attributes in ``NodeTree/attributes``.
    var start: Int32
    var count: Int32 = 0
  }

  /// An attribute.
  ///
  /// Its value is a range of ``NodeTree/text``.
  struct Value {
    var attribute: Attribute
    var start: Int32
    var count: Int32
  }

  private(set) var nodes: [Node] = [Node(tag: .html, parent: -1, start: 0)]
  private(set) var attributes: [Value] = []
  private(set) var text: [UInt8] = []

  /// The index of the root, which exists even in an empty document.
  static let root: Int32 = 0

  subscript(index: Int32) -> Node { nodes[Int(index)] }

  /// Creates an empty tree.
  init() {}

  /// Creates a tree without nodes that contains the given texts and attributes.
  init(text: [UInt8], attributes: [Value]) {
    self.text = text
    self.attributes = attributes
  }

  /// Reserves room for the given number of nodes.
  mutating func reserve(_ count: Int) { nodes.reserveCapacity(count) }

  /// Appends a copy of the given node, and returns its index.
  ///
  /// The tree must already contain the text and the attributes of the node.
  mutating func append(copying node: Node) -> Int32 { link(node) }

  /// Appends an element to the given parent, and returns its index.
  ///
  /// The element has the given range of ``attributes``.
  mutating func append(_ tag: Tag, to parent: Int32, _ attributes: MarkupScanner.Piece) -> Int32 {
    link(Node(tag: tag, parent: parent, start: attributes.start, count: attributes.count))
  }

  /// Appends the given range of ``text`` to the given parent.
  ///
  /// If it directly follows the last text, that text's node is extended.
  mutating func append(text piece: MarkupScanner.Piece, to parent: Int32) {
    let last = Int(nodes[Int(parent)].last)
    if last >= 0, nodes[last].tag == .text, nodes[last].start + nodes[last].count == piece.start {
      nodes[last].count += piece.count
    } else {
      _ = link(Node(tag: .text, parent: parent, start: piece.start, count: piece.count))
    }
  }

  /// Appends the given bytes as a text of the given parent.
  ///
  /// Invisible characters are removed.
  ///
  /// - Returns: The number of characters that were removed.
  mutating func append(text bytes: some Sequence<UInt8>, to parent: Int32) -> Int {
    let (piece, removed) = add(bytes)
    if piece.count > 0 { append(text: piece, to: parent) }
    return removed
  }

  /// Appends a link to the given parent.
  ///
  /// - Returns: The index of the link, and the number of invisible characters that were removed
  ///   from its address.
  mutating func append(
    link address: some Sequence<UInt8>, to parent: Int32
  ) -> (node: Int32, removed: Int) {
    let (piece, removed) = add(address)
    attributes.append(Value(attribute: .href, start: piece.start, count: piece.count))
    let own = MarkupScanner.Piece(start: Int32(attributes.count - 1), count: 1)
    return (append(.a, to: parent, own), removed)
  }

  private mutating func add(_ bytes: some Sequence<UInt8>) -> (MarkupScanner.Piece, Int) {
    let start = text.count
    text.append(contentsOf: bytes)
    let removed = text.removeInvisible(from: start)
    return (
      MarkupScanner.Piece(start: Int32(clamping: start), count: Int32(text.count - start)), removed
    )
  }

  /// Sets the attributes of the root to the given run of ``attributes``.
  mutating func setRoot(_ attributes: MarkupScanner.Piece) {
    nodes[0].start = attributes.start
    nodes[0].count = attributes.count
  }

  /// Inserts `before` and `behind` around the text of the given node, inside its outer white space.
  mutating func surround(_ node: Int32, before: String, behind: String) {
    let old = bytes(of: node)
    let start = text.count
    let inner = old.trimmedSpace
    let bytes =
      old[..<inner.startIndex] + before.utf8 + inner + behind.utf8 + old[inner.endIndex...]
    guard start + bytes.count < Int(Int32.max) else { return }
    text.append(contentsOf: bytes)
    nodes[Int(node)].start = Int32(start)
    nodes[Int(node)].count = Int32(bytes.count)
  }

  /// Turns the given element into one that is never read.
  mutating func drop(_ node: Int32) { nodes[Int(node)].tag = .template }

  private mutating func link(_ node: Node) -> Int32 {
    let index = Int32(nodes.count)
    let parent = Int(node.parent)
    let last = nodes[parent].last
    if last >= 0 { nodes[Int(last)].next = index } else { nodes[parent].first = index }
    nodes[parent].last = index
    nodes.append(node)
    return index
  }

  /// Returns the bytes of the given text node.
  func bytes(of node: Int32) -> ArraySlice<UInt8> {
    let node = self[node]
    return text[Int(node.start)..<Int(node.start + node.count)]
  }

  /// Returns the value of the given attribute as bytes; nil if the element lacks the attribute.
  func value(_ attribute: Attribute, of node: Int32) -> ArraySlice<UInt8>? {
    let node = self[node]
    guard node.tag != .text, node.count > 0 else { return nil }
    for value in attributes[Int(node.start)..<Int(node.start + node.count)]
    where value.attribute == attribute {
      return text[Int(value.start)..<Int(value.start + value.count)]
    }
    return nil
  }

  /// Returns the value of the given attribute as a string; nil if the element lacks the attribute.
  func string(_ attribute: Attribute, of node: Int32) -> String? {
    value(attribute, of: node).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the children of the given node, in order.
  func children(of node: Int32) -> some Sequence<Int32> {
    sequence(state: self[node].first) { next in
      guard next >= 0 else { return nil }
      defer { next = self[next].next }
      return next
    }
  }
}
