/// The metadata in a document's head and in its microdata, read in one pass.
struct PageHead {
  private(set) var title: String?
  private(set) var language: String?
  private(set) var canonical: ArraySlice<UInt8>?
  private(set) var base: ArraySlice<UInt8>?
  private(set) var headings: [(node: Int32, text: String)] = []
  private(set) var itemTypes: Set<String> = []
  private(set) var tags = MetaTags()

  private let tree: NodeTree
  private let limits: ReadLimits
  private let deadline: Deadline
  /// The number of titles and headings that may still be read.
  ///
  /// A page may have any number of empty ones.
  private var looksLeft = 32

  init(_ tree: NodeTree, limits: ReadLimits, deadline: Deadline) {
    self.tree = tree
    self.limits = limits
    self.deadline = deadline
  }

  mutating func read() {
    language = tree.string(.lang, of: NodeTree.root)
    for (index, node) in tree.nodes.enumerated() where node.tag != .text {
      guard deadline.spend(1 + Int(node.count)) else { return }
      let node32 = Int32(index)
      switch node.tag {
      // An SVG drawing has its own title.
      case .title where title == nil && (node.parent < 0 || tree[node.parent].tag != .svg):
        title = text(of: node32)
      case .h1 where headings.count < 6:
        if let text = text(of: node32) { headings.append((node32, text)) }
      case .base: base = base ?? tree.value(.href, of: node32)
      case .link: readLink(node32)
      case .meta: readMeta(node32)
      case .html, .body: language = language ?? tree.string(.lang, of: node32)
      default: break
      }
      if node.count > 0 { readMicrodata(node32, node) }
    }
    tags.finish()
  }

  private mutating func text(of node: Int32) -> String? {
    guard looksLeft > 0 else { return nil }
    looksLeft -= 1
    let text = tree.collapsedText(of: node, limit: limits.metadataBytes, deadline)
    let words = collapsedSpace(text.utf8)
    return words.isEmpty ? nil : words
  }

  private mutating func readLink(_ node: Int32) {
    guard canonical == nil, let rel = tree.value(.rel, of: node),
      rel.split(whereSeparator: isSpace).contains(where: {
        $0.count == 9 && $0.starts(withLowercase: "canonical")
      })
    else { return }
    canonical = tree.value(.href, of: node)
  }

  private mutating func readMeta(_ node: Int32) {
    guard
      let key = tree.value(.property, of: node) ?? tree.value(.name, of: node)
        ?? tree.value(.itemprop, of: node) ?? tree.value(.httpEquiv, of: node),
      key.count <= 64, let value = tree.value(.content, of: node)
    else { return }
    // The limit is longer than any field's value may be.
    let content = collapsedSpace(
      CharacterReference.resolved(value.prefix(limits.metadataBytes * 2), dropsTags: false).utf8)
    guard !content.isEmpty else { return }
    // The steps are for comparing each of the element's names with dozens of words.
    deadline.spend(32 * (content.utf8.count + key.count))
    for each in key.split(separator: 0x20) { tags.read(each, content) }
  }

  /// Reads `itemtype`, and the dates and authors in `itemprop` outside of comments.
  private mutating func readMicrodata(_ node: Int32, _ element: NodeTree.Node) {
    for value in tree.attributes[Int(element.start)..<Int(element.start + element.count)] {
      let bytes = tree.text[Int(value.start)..<Int(value.start + value.count)]
      switch value.attribute {
      case .itemtype where itemTypes.count < 64 && bytes.count < 256:
        for name in String(decoding: bytes, as: UTF8.self).split(separator: " ") {
          itemTypes.insert(LinkedData.shortName(String(name)))
        }
      case .itemprop where element.tag != .meta:
        if bytes.elementsEqual("datePublished".utf8) {
          tags.claimDate(.published, date(of: node))
        } else if bytes.elementsEqual("dateModified".utf8) {
          tags.claimDate(.modified, date(of: node))
        }
      default: continue
      }
    }
  }

  private func date(of node: Int32) -> String? {
    let value =
      tree.string(.datetime, of: node) ?? tree.string(.content, of: node)
      ?? tree.nearText(of: node, limit: 100, deadline)
    return DateValue.normalised(value)
  }
}
