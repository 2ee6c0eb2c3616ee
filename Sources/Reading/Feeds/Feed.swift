import Core

/// The content of a feed or a sitemap.
struct Feed {
  /// An entry of a feed or a sitemap.
  struct Entry {
    var title: [UInt8] = []
    var address: [UInt8] = []
    var date: [UInt8] = []
    /// The entry's summary as HTML.
    var summary: [UInt8] = []
  }

  var isSitemap = false
  var title: [UInt8] = []
  var description: [UInt8] = []
  var language: [UInt8] = []
  var updated: [UInt8] = []
  var entries: [Entry] = []

  /// The maximum number of entries, which is that of the sitemap protocol.
  static let maximumEntries = 50_000

  /// Creates an empty feed.
  init() {}

  /// Parses RSS, Atom, RDF, a sitemap or a JSON feed; nil for any other document.
  ///
  /// - Parameter bytes: The document, in valid UTF-8.
  init?(_ bytes: [UInt8]) {
    if bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") {
      guard let feed = JSONFeed(bytes)?.feed else { return nil }
      self = feed
    } else {
      guard let feed = FeedParser.parse(bytes) else { return nil }
      self = feed
    }
  }

  /// Parses a plain-text sitemap, which has one address on each line; nil for any other text.
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
