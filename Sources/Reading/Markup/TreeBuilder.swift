import CXML2
import Core

/// A builder that creates a ``NodeTree`` from the callbacks of libxml2's HTML SAX parser.
///
/// libxml2 parses a skeleton that ``MarkupScanner`` wrote (see ``MarkupScanner/Result/skeleton``),
/// and passes a pointer to the builder to each callback.
struct TreeBuilder {
  private var tree: NodeTree
  private let texts: [MarkupScanner.Piece]
  private let lists: [MarkupScanner.Piece]
  /// The nodes of the open elements.
  ///
  /// An element beyond the depth limit is represented by its parent.
  private var open: [Int32] = [NodeTree.root]
  private let limits: ReadLimits
  private let deadline: Deadline
  /// The digits, read so far, of a text's number.
  private var number = PieceNumber()
  private var sawRoot = false
  private var isFull = false
  private var context: htmlParserCtxtPtr?

  /// Builds the tree of the scanned document.
  ///
  /// - Returns: The tree. The flag is `true` if the document exceeded the limits.
  /// - Throws: `Timeout` if the deadline has passed; `ToolFailed` of the kind `library` if libxml2
  ///   is missing.
  static func build(
    _ scan: MarkupScanner.Result, limits: ReadLimits, deadline: Deadline
  ) throws(Failure) -> (tree: NodeTree, isCut: Bool) {
    var builder = TreeBuilder(scan, limits, deadline)
    try builder.parse(scan.skeleton)
    try deadline.check()
    return (builder.tree, builder.isFull)
  }

  private init(_ scan: MarkupScanner.Result, _ limits: ReadLimits, _ deadline: Deadline) {
    tree = NodeTree(text: scan.text, attributes: scan.attributes)
    tree.reserve(min(scan.texts.count + scan.lists.count, limits.nodes))
    texts = scan.texts
    lists = scan.lists
    self.limits = limits
    self.deadline = deadline
  }

  private mutating func parse(_ skeleton: [UInt8]) throws(Failure) {
    try SystemLibrary.xml.require()
    _ = Self.initialised
    guard !skeleton.isEmpty else { return }
    guard let size = Int32(exactly: skeleton.count), let context = htmlNewParserCtxt() else {
      throw Failure(.badInput, "the page is too large to parse", kind: .tooLarge)
    }
    defer { htmlFreeParserCtxt(context) }
    guard let handler = context.pointee.sax else { return }
    handler.pointee = Self.makeHandler()
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_NODEFDTD.rawValue | XML_PARSE_HUGE.rawValue
    self.context = context
    let document = withUnsafeMutablePointer(to: &self) { builder in
      context.pointee.userData = UnsafeMutableRawPointer(builder)
      return skeleton.withUnsafeBytes { raw in
        htmlCtxtReadMemory(
          context, raw.bindMemory(to: CChar.self).baseAddress, size, nil, "UTF-8", Int32(options))
      }
    }
    self.context = nil
    // These callbacks create no document, but a later libxml2 may create one.
    if let document { xmlFreeDoc(document) }
  }

  /// The one-time setup that libxml2 requires before it is used from several threads.
  private static let initialised: Void = xmlInitParser()

  private static func makeHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElement = { user, name, attributes in
      TreeBuilder.from(user)?.pointee.start(name, attributes)
    }
    handler.endElement = { user, _ in TreeBuilder.from(user)?.pointee.end() }
    handler.characters = { user, text, count in
      TreeBuilder.from(user)?.pointee.text(text, count)
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    // Errors are expected, and libxml2 would print them without this callback.
    handler.serror = { user, _ in TreeBuilder.from(user)?.pointee.checkDeadline() }
    return handler
  }

  @inline(__always)
  private static func from(
    _ user: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<TreeBuilder>? {
    user?.assumingMemoryBound(to: TreeBuilder.self)
  }

  private func stop() {
    guard let context else { return }
    xmlStopParser(context)
  }

  private mutating func checkDeadline() {
    if !deadline.spend(1) { stop() }
  }

  private mutating func hasRoom() -> Bool {
    checkDeadline()
    guard !deadline.isLate, !isFull else { return false }
    guard tree.nodes.count < limits.nodes else {
      isFull = true
      stop()
      return false
    }
    return true
  }

  private mutating func start(
    _ name: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard hasRoom(), let name, let parent = open.last else { return }
    let own = attributes?[1].flatMap(self.attributes) ?? MarkupScanner.Piece(start: 0, count: 0)
    let tag = Self.tag(name)
    if tag == .html {
      guard !sawRoot else { return open.append(parent) }
      sawRoot = true
      tree.setRoot(own)
      open.append(NodeTree.root)
    } else if open.count > limits.depth {
      open.append(parent)
    } else {
      open.append(tree.append(tag, to: parent, own))
    }
  }

  private mutating func end() {
    checkDeadline()
    if open.count > 1 { open.removeLast() }
  }

  /// Returns the piece with the given number, which is the value of a tag's only attribute.
  private func attributes(_ value: UnsafePointer<xmlChar>) -> MarkupScanner.Piece? {
    var number = PieceNumber()
    var next = value
    while number.add(next.pointee) { next += 1 }
    return lists.indices.contains(number.value) ? lists[number.value] : nil
  }

  /// Appends the texts whose numbers end in the given chunk, which may begin within a number.
  private mutating func text(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    deadline.spend(Int(count))
    for byte in UnsafeBufferPointer(start: text, count: Int(count)) {
      guard !number.add(byte) else { continue }
      if byte == UInt8(ascii: ","), !number.isEmpty, let parent = open.last,
        texts.indices.contains(number.value)
      {
        guard hasRoom() else { return }
        tree.append(text: texts[number.value], to: parent)
      }
      number = PieceNumber()
    }
  }

  private static func tag(_ name: UnsafePointer<xmlChar>) -> Tag {
    var hash = NameHash()
    var next = name
    while next.pointee != 0 {
      hash.add(next.pointee)
      next += 1
    }
    return Tag.named(hash.value)
  }
}
