/// What a document says about itself in its head.
struct Metadata {
  var title: String?
  var author: String?
  var publishedAt: String?
  var modifiedAt: String?
  var language: String?
  var siteName: String?
  var canonicalURL: String?
  var description: String?
  /// The document's `<base href>`, as written.
  var base: ArraySlice<UInt8>?

  private var openGraphTitle: String?
  private var headline: String?

  init(_ tree: NodeTree, limits: ReadLimits, resolver: LinkResolver) {
    language = Self.short(tree.string(.lang, of: NodeTree.root), limits)
    var canonical: ArraySlice<UInt8>?
    for (index, node) in tree.nodes.enumerated() {
      let node32 = Int32(index)
      switch node.tag {
      case .title where title == nil:
        title = Self.short(tree.collapsedText(of: node32, limit: limits.metadataBytes), limits)
      case .h1 where headline == nil:
        headline = Self.short(tree.collapsedText(of: node32, limit: limits.metadataBytes), limits)
      case .base: base = base ?? tree.value(.href, of: node32)
      case .link where tree.string(.rel, of: node32)?.lowercased() == "canonical":
        canonical = canonical ?? tree.value(.href, of: node32)
      case .meta: read(tree, node32, limits)
      default: continue
      }
    }
    title = title ?? openGraphTitle ?? headline
    let rebased = base.map { resolver.rebased(on: $0) } ?? resolver
    canonicalURL = canonical.flatMap { rebased.resolve($0) }
  }

  private mutating func read(_ tree: NodeTree, _ node: Int32, _ limits: ReadLimits) {
    let key =
      tree.string(.property, of: node) ?? tree.string(.name, of: node)
      ?? tree.string(.itemprop, of: node) ?? tree.string(.httpEquiv, of: node)
    guard let key, key.utf8.count <= 64,
      let content = Self.short(tree.string(.content, of: node), limits)
    else { return }
    switch key.lowercased() {
    case "og:title", "twitter:title": openGraphTitle = openGraphTitle ?? content
    case "og:site_name", "application-name": siteName = siteName ?? content
    case "description", "og:description", "dc.description":
      description = description ?? content
    case "author", "article:author", "dc.creator", "parsely-author":
      // Some sites name the author's profile here, which is an address and not a name.
      author = author ?? (content.contains("://") ? nil : content)
    case "article:published_time", "date", "dc.date", "datepublished", "parsely-pub-date":
      publishedAt = publishedAt ?? content
    case "article:modified_time", "last-modified", "datemodified", "og:updated_time":
      modifiedAt = modifiedAt ?? content
    case "content-language": language = language ?? content
    default: return
    }
  }

  /// A value with its whitespace collapsed, or nil when nothing or too much is left.
  private static func short(_ value: String?, _ limits: ReadLimits) -> String? {
    guard let value, value.utf8.count <= limits.metadataBytes else { return nil }
    let words = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}
