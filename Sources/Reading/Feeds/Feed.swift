import Core

/// A feed or a sitemap: what a site lists of itself for programs.
struct Feed {
  /// One entry.
  struct Entry {
    var title: [UInt8] = []
    var address: [UInt8] = []
    var date: [UInt8] = []
    /// In HTML.
    var summary: [UInt8] = []
  }

  var isSitemap = false
  var title: [UInt8] = []
  var description: [UInt8] = []
  var language: [UInt8] = []
  var updated: [UInt8] = []
  var entries: [Entry] = []

  /// The most entries of one feed, which is the most that a sitemap may have.
  static let maximumEntries = 50_000

  /// Bytes of the page that lists the entries from which on no more are listed.
  private static let maximumPage = 32 << 20

  /// An empty feed.
  init() {}

  /// Reads RSS, Atom, RDF, a sitemap, or a JSON feed; nil for anything else.
  ///
  /// - Parameter bytes: Valid UTF-8.
  init?(_ bytes: [UInt8]) {
    if bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") {
      guard let feed = JSONFeed(bytes)?.feed else { return nil }
      self = feed
    } else {
      guard let feed = FeedParser.parse(bytes) else { return nil }
      self = feed
    }
  }

  /// Reads a sitemap of plain text: an address on each line and nothing else.
  init?(lines bytes: [UInt8]) {
    isSitemap = true
    for line in bytes.split(separator: 0x0A) {
      let line = line.trimmedSpace
      guard !line.isEmpty else { continue }
      guard line.starts(with: "http://".utf8) || line.starts(with: "https://".utf8),
        !line.contains(where: isSpace)
      else { return nil }
      if entries.count < Self.maximumEntries { entries.append(Entry(address: Array(line))) }
    }
    guard !entries.isEmpty else { return nil }
  }
}

extension Feed {
  /// The feed as a page: its title and description, then each entry with its title, address, date
  /// and the beginning of its summary.
  ///
  /// - Parameters:
  ///   - resolver: Makes the addresses absolute.
  ///   - plainText: Turns a summary in HTML into text.
  /// - Returns: The page in HTML, and the addresses of the entries, each once.
  func page(
    _ resolver: LinkResolver, plainText: (_ html: [UInt8]) -> [UInt8]
  ) -> (html: [UInt8], links: [PageLink]) {
    var html: [UInt8] = []
    var links: [PageLink] = []
    var listed: Set<String> = []
    func put(_ open: String, _ text: some Sequence<UInt8>, _ close: String) {
      html += open.utf8
      html += text
      html += close.utf8
    }
    if !title.isEmpty { put("<h1>", FeedParser.escaped(plainText(title)), "</h1>") }
    if !description.isEmpty { put("<p>", FeedParser.escaped(plainText(description)), "</p>") }
    if isSitemap { html += "<ul>".utf8 }
    // A long address of the page's own would stand in each entry.
    for entry in entries where html.count < Self.maximumPage {
      let address = resolver.resolve(entry.address[...]).flatMap { $0.hasPrefix("http") ? $0 : nil }
      let title = plainText(entry.title)
      if let address, listed.insert(address).inserted {
        links.append(PageLink(url: address, text: String(decoding: title, as: UTF8.self)))
      }
      let link = Self.link(address)
      let date = FeedParser.escaped(Array(entry.date.prefix(64)))
      if isSitemap {
        put("<li>", link, " ")
        if !title.isEmpty { put("", FeedParser.escaped(title), " ") }
        put("", date, "</li>")
        continue
      }
      put("<h2>", FeedParser.escaped(title), "</h2><p>")
      put("", link, link.isEmpty || date.isEmpty ? "" : "<br>")
      put("", date, "</p>")
      put("<p>", FeedParser.escaped(plainText(entry.summary)), "</p>")
    }
    return (html, links)
  }

  private static func link(_ address: String?) -> [UInt8] {
    guard let address else { return [] }
    let escaped = FeedParser.escaped(Array(address.utf8))
    return Array("<a href=\"".utf8) + escaped + Array("\">".utf8) + escaped + Array("</a>".utf8)
  }
}
