import Core

/// A feed in the form of a page's tree.
///
/// The tree has the feed's title and description. For each entry, the title, the address, the date
/// and the beginning of the summary follow.
struct FeedListing {
  private(set) var tree = NodeTree()
  /// The addresses of the entries.
  ///
  /// Each address occurs once.
  private(set) var links: [PageLink] = []
  /// The feed's title as text.
  let title: [UInt8]
  /// The number of invisible characters that were removed.
  private(set) var removed = 0

  private let resolver: LinkResolver
  private let limits = ReadLimits()
  private let plainText: (_ html: [UInt8]) -> [UInt8]
  private var listed: Set<String> = []

  /// The size of the tree's text, in bytes, above which no more entries are listed.
  private static let maximumPage = 32 << 20

  /// Lists the entries of the given feed.
  ///
  /// - Parameters:
  ///   - feed: The feed to list.
  ///   - resolver: The resolver for relative addresses.
  ///   - plainText: A function that converts a title or a summary from HTML to text.
  init(
    _ feed: Feed, resolver: LinkResolver,
    plainText: @escaping (_ html: [UInt8]) -> [UInt8] = { $0 }
  ) {
    self.resolver = resolver
    self.plainText = plainText
    title = plainText(feed.title)
    let isEmpty = feed.title.isEmpty && feed.description.isEmpty && feed.entries.isEmpty
    guard !isEmpty else { return }
    let body = element(.body, in: NodeTree.root)
    if !feed.title.isEmpty { add(title, to: element(.h1, in: body)) }
    if !feed.description.isEmpty { add(plainText(feed.description), to: element(.p, in: body)) }
    let list = feed.isSitemap ? element(.ul, in: body) : body
    // The size is checked because every relative address repeats the base address, which may be
    // long.
    for entry in feed.entries where tree.text.count < Self.maximumPage {
      let title = plainText(entry.title)
      let address = address(of: entry, title)
      if feed.isSitemap {
        listItem(entry, title, address, in: list)
      } else {
        section(entry, title, address, in: list)
      }
    }
  }

  /// Returns the address of the given entry, and adds it to the links if it is new.
  private mutating func address(of entry: Feed.Entry, _ title: [UInt8]) -> String? {
    let found = resolver.resolve(entry.address[...]).flatMap { $0.hasPrefix("http") ? $0 : nil }
    guard let found else { return nil }
    if listed.insert(found).inserted {
      links.append(PageLink(url: found, text: String(decoding: title, as: UTF8.self)))
    }
    return found
  }

  /// Adds the given sitemap entry: its address, title and date on one line.
  private mutating func listItem(
    _ entry: Feed.Entry, _ title: [UInt8], _ address: String?, in list: Int32
  ) {
    let item = element(.li, in: list)
    if let address { link(to: address, in: item) }
    let words = title.isEmpty ? [] : title + [0x20]
    add([0x20] + words + Self.date(of: entry), to: item)
  }

  /// Adds the given feed entry.
  ///
  /// It has a heading, a paragraph with the address and the date, and a paragraph with the summary.
  private mutating func section(
    _ entry: Feed.Entry, _ title: [UInt8], _ address: String?, in body: Int32
  ) {
    add(title, to: element(.h2, in: body))
    let facts = element(.p, in: body)
    let date = Self.date(of: entry)
    if let address {
      link(to: address, in: facts)
      if !date.isEmpty { _ = element(.br, in: facts) }
    }
    add(date, to: facts)
    add(plainText(entry.summary), to: element(.p, in: body))
  }

  private static func date(of entry: Feed.Entry) -> [UInt8] {
    // The cut may be inside a character, which is then replaced.
    Array(String(decoding: entry.date.prefix(64), as: UTF8.self).utf8)
  }

  /// Adds a link whose text is its address.
  ///
  /// If the address is too long, only the text is added.
  private mutating func link(to address: String, in parent: Int32) {
    let bytes = Array(address.utf8)
    guard FeedParser.escaped(bytes).count <= limits.tagBytes else {
      return add(bytes, to: element(.a, in: parent))
    }
    let (node, removed) = tree.append(link: bytes, to: parent)
    self.removed += removed
    add(bytes, to: node)
  }

  private mutating func element(_ tag: Tag, in parent: Int32) -> Int32 {
    tree.append(tag, to: parent, MarkupScanner.Piece(start: 0, count: 0))
  }

  private mutating func add(_ text: [UInt8], to parent: Int32) {
    removed += tree.append(text: text, to: parent)
  }
}
