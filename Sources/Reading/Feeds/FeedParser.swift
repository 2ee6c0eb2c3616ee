/// A parser of feeds and sitemaps in XML.
struct FeedParser {
  private var scanner: XMLScanner
  private var feed = Feed()
  /// The names of the open elements, at most as many as the maximum depth.
  private var open: [String] = []
  private var depth = 0
  /// The name that entry elements have in this document.
  ///
  /// It depends on the root element.
  private var entryName = ""
  private var entry: Feed.Entry?
  private var entryDepth = 0
  private var content: [UInt8] = []
  /// The text of the current field, and the depth of the element that contains it.
  private var text: [UInt8] = []
  private var wanted: Int?
  private var isHTML = false
  private var isPermanent = true

  static func parse(_ bytes: [UInt8]) -> Feed? {
    var parser = FeedParser(scanner: XMLScanner(bytes))
    return parser.run() ? parser.feed : nil
  }

  private init(scanner: XMLScanner) { self.scanner = scanner }

  /// Parses the document.
  ///
  /// - Returns: `true` if it is a feed.
  private mutating func run() -> Bool {
    var isFeed = false
    while let event = scanner.next() {
      switch event {
      case .start(let name):
        if depth == 0 {
          guard let entryName = Self.entryNames[name] else { return isFeed }
          isFeed = true
          self.entryName = entryName
          feed.isSitemap = name == "urlset" || name == "sitemapindex"
        }
        start(name)
      case .end(let name): end(name)
      case .text(let bytes):
        if wanted != nil, text.count < Self.maximumText { text += bytes }
      }
      if feed.entries.count >= Feed.maximumEntries { return true }
    }
    return isFeed
  }

  /// Returns `true` if the root element of a feed can have the given qualified name.
  static func isRoot(_ name: String) -> Bool { entryNames[name] != nil || name == "rdf:RDF" }

  /// The names of entry elements, by the name of the feed's root element.
  private static let entryNames = [
    "rss": "item", "RDF": "item", "feed": "entry", "urlset": "url", "sitemapindex": "sitemap",
  ]
  private static let maximumText = 1 << 20
  private static let maximumDepth = 16

  private mutating func start(_ name: String) {
    let parent = open.last ?? ""
    depth += 1
    if depth <= Self.maximumDepth { open.append(name) }
    if wanted != nil {
      // Elements inside a field separate words.
      text.append(0x20)
    } else if name == entryName, entry == nil {
      entry = Feed.Entry()
      entryDepth = depth
      content = []
    } else if name == "link", let href = scanner.attribute("href") {
      link(href, relation: scanner.attribute("rel").map { String(decoding: $0, as: UTF8.self) })
    } else if Self.fields.contains(name), isField(of: parent) {
      wanted = depth
      text = []
      let type = scanner.attribute("type").map { String(decoding: $0, as: UTF8.self) }
      isHTML = type == "html" || type == nil && open.first != "feed"
      isPermanent = scanner.attribute("isPermaLink").map { $0.elementsEqual("true".utf8) } ?? true
    }
  }

  /// Returns `true` if a child of the given element is a field of an entry or of the feed.
  private func isField(of parent: String) -> Bool {
    guard entry != nil else { return parent == "channel" || depth == 2 }
    return depth == entryDepth + 1 || parent == "news"
  }

  private static let fields: Set = [
    "title", "link", "guid", "id", "pubDate", "date", "published", "updated", "lastmod",
    "lastBuildDate", "description", "summary", "subtitle", "encoded", "content", "loc", "language",
    "publication_date",
  ]

  private mutating func end(_ name: String) {
    guard depth <= Self.maximumDepth else {
      depth -= 1
      return
    }
    // An end tag without a start tag is ignored; an element without an end tag ends with its
    // parent.
    guard open.contains(name) else { return }
    while let last = open.popLast() {
      close(last)
      depth -= 1
      if last == name { return }
    }
  }

  private mutating func close(_ name: String) {
    if wanted == depth {
      wanted = nil
      field(name)
    } else if var found = entry, entryDepth == depth {
      if found.summary.isEmpty { found.summary = content }
      feed.entries.append(found)
      entry = nil
      wanted = nil
    }
  }

  private mutating func link(_ address: [UInt8], relation: String?) {
    guard relation == nil || relation == "alternate" else { return }
    if entry?.address.isEmpty ?? false { entry?.address = address }
  }

  private mutating func field(_ name: String) {
    let value = Array(text[...].trimmedSpace)
    guard !value.isEmpty else { return }
    guard entry != nil else { return feedField(name, value) }
    switch name {
    case "title": set(\.title, isHTML ? value : Self.escaped(value))
    case "loc": set(\.address, value)
    case "link": set(\.address, value)
    case "guid":
      if isPermanent, value.starts(with: "http".utf8) { set(\.address, value) }
    case "pubDate", "date", "published", "lastmod", "publication_date": set(\.date, value)
    case "updated": set(\.date, value)
    case "description", "summary": set(\.summary, isHTML ? value : Self.escaped(value))
    case "encoded", "content": content = isHTML ? value : Self.escaped(value)
    default: return
    }
  }

  private mutating func set(_ field: WritableKeyPath<Feed.Entry, [UInt8]>, _ value: [UInt8]) {
    if entry?[keyPath: field].isEmpty ?? false { entry?[keyPath: field] = value }
  }

  private mutating func feedField(_ name: String, _ value: [UInt8]) {
    switch name {
    case "title" where feed.title.isEmpty: feed.title = isHTML ? value : Self.escaped(value)
    case "description" where feed.description.isEmpty, "subtitle" where feed.description.isEmpty:
      feed.description = isHTML ? value : Self.escaped(value)
    case "language": feed.language = value
    case "updated", "lastBuildDate": feed.updated = value
    default: return
    }
  }

  /// Returns the given text escaped for HTML.
  static func escaped(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { "<>&\"".utf8.contains($0) }) else { return text }
    var output: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      default: output.append(byte)
      }
    }
    return output
  }
}
