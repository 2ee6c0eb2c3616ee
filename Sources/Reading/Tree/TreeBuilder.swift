import CXML2
import Core

/// Builds a ``NodeTree`` from libxml2's HTML SAX callbacks.
///
/// A class, since libxml2 keeps a pointer to it while it parses.
final class TreeBuilder {
  private var tree = NodeTree()
  /// The open elements as indices of nodes; elements past the depth limit stand as their parent.
  private var open: [Int32] = [NodeTree.root]
  private let limits: ReadLimits
  private let deadline: Deadline
  private var calls = 0
  private var sawRoot = false
  private var isFull = false
  private var isLate = false
  private var context: htmlParserCtxtPtr?

  /// Parses markup that ``MarkupScanner`` wrote.
  ///
  /// - Returns: The tree, and whether the document was longer than the limits.
  /// - Throws: ``Failure`` with `timeout` when the deadline passed.
  static func build(
    _ markup: [UInt8], limits: ReadLimits, deadline: Deadline
  ) throws(Failure) -> (tree: NodeTree, isCut: Bool) {
    let builder = TreeBuilder(limits: limits, deadline: deadline)
    try builder.parse(markup)
    guard !builder.isLate else { throw .extractionDeadline }
    return (builder.tree, builder.isFull)
  }

  private init(limits: ReadLimits, deadline: Deadline) {
    self.limits = limits
    self.deadline = deadline
  }

  private func parse(_ markup: [UInt8]) throws(Failure) {
    _ = Self.initialised
    guard !markup.isEmpty else { return }
    guard let size = Int32(exactly: markup.count), let context = htmlNewParserCtxt() else {
      throw Failure(.badInput, "the page is too large to parse", kind: "tooLarge")
    }
    self.context = context
    defer {
      self.context = nil
      htmlFreeParserCtxt(context)
    }
    guard let handler = context.pointee.sax else { return }
    handler.pointee = Self.makeHandler()
    context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_NODEFDTD.rawValue | XML_PARSE_HUGE.rawValue
    let document = markup.withUnsafeBytes { raw in
      htmlCtxtReadMemory(
        context, raw.bindMemory(to: CChar.self).baseAddress, size, nil, "UTF-8", Int32(options))
    }
    // No callback of ours makes a document, but a later libxml2 may.
    if let document { xmlFreeDoc(document) }
  }

  /// libxml2 asks for this once, before it is used from several threads.
  private static let initialised: Void = xmlInitParser()

  private static func makeHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElement = { user, name, attributes in
      TreeBuilder.from(user)?.start(name, attributes)
    }
    handler.endElement = { user, name in TreeBuilder.from(user)?.end(name) }
    handler.characters = { user, text, count in TreeBuilder.from(user)?.text(text, count) }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    // Errors are expected; without this callback libxml2 would print them.
    handler.serror = { user, _ in TreeBuilder.from(user)?.checkDeadline() }
    return handler
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> TreeBuilder? {
    user.map { Unmanaged<TreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  private func stop() {
    guard let context else { return }
    xmlStopParser(context)
  }

  private func checkDeadline() {
    calls &+= 1
    guard calls & 0x3FF == 0, !isLate, deadline.hasPassed else { return }
    isLate = true
    stop()
  }

  private func hasRoom() -> Bool {
    checkDeadline()
    guard !isLate, !isFull else { return false }
    guard tree.nodes.count < limits.nodes else {
      isFull = true
      stop()
      return false
    }
    return true
  }

  private func start(
    _ name: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard hasRoom(), let name, let parent = open.last else { return }
    let tag = Self.tag(name)
    if tag == .html {
      guard !sawRoot else { return open.append(parent) }
      sawRoot = true
      open.append(NodeTree.root)
    } else if open.count > limits.depth {
      return open.append(parent)
    } else {
      open.append(tree.append(tag, to: parent))
    }
    guard var pair = attributes else { return }
    while let key = pair[0] {
      let value = pair[1]
      pair += 2
      guard let attribute = Attribute.named(Self.hash(key)) else { continue }
      tree.add(attribute, UnsafeBufferPointer(start: value, count: value.map(Self.length) ?? 0))
    }
  }

  private func end(_ name: UnsafePointer<xmlChar>?) {
    checkDeadline()
    if open.count > 1 { open.removeLast() }
  }

  private func text(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard hasRoom(), let text, count > 0, let parent = open.last else { return }
    tree.append(text: UnsafeBufferPointer(start: text, count: Int(count)), to: parent)
  }

  private static func tag(_ name: UnsafePointer<xmlChar>) -> Tag { Tag.named(hash(name)) }

  private static func hash(_ name: UnsafePointer<xmlChar>) -> UInt64 {
    var hash = NameHash()
    var next = name
    while next.pointee != 0 {
      hash.add(next.pointee)
      next += 1
    }
    return hash.value
  }

  private static func length(_ text: UnsafePointer<xmlChar>) -> Int { Int(xmlStrlen(text)) }
}

extension Failure {
  /// The extraction took longer than it was given.
  static var extractionDeadline: Failure {
    Failure(.timeout, "the page took too long to read", kind: "tooSlow")
  }
}
