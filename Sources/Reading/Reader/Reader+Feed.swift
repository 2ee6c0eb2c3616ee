import Core

extension Reader {
  /// Reads a feed or a sitemap, in XML or JSON, as a page that links to its entries.
  ///
  /// Any other document is read as text.
  static func feed(
    _ bytes: [UInt8], _ options: ReadOptions, _ deadline: Deadline
  ) throws(Failure) -> PageFacts {
    deadline.spend(bytes.count)
    let decoded = decodeText(bytes, contentType: options.contentType, isHTML: false)
    guard let feed = Feed(decoded.bytes) else { return text(bytes, options) }
    let resolver = LinkResolver(base: options.baseURL)
    let listing = FeedListing(feed, resolver: resolver) { plainText($0, deadline) }
    try deadline.check()
    let metadata = Metadata(
      listing.tree, linkedData: LinkedData(), limits: ReadLimits(), resolver: resolver,
      address: options.baseURL, deadline: deadline)
    try deadline.check()
    var page = metadata.facts
    try page.render(
      listing.tree, ContentSelection(of: listing.tree, deadline), resolver: resolver,
      options: options, deadline: deadline)
    page.hidden = 0
    page.removed = listing.removed
    page.pageType = (feed.isSitemap ? PageType.sitemap : .feed).rawValue
    page.links = listing.links
    page.title = listing.title.isEmpty ? nil : String(decoding: listing.title, as: UTF8.self)
    page.language = feed.language.isEmpty ? nil : String(decoding: feed.language, as: UTF8.self)
    page.modifiedAt = feed.updated.isEmpty ? nil : String(decoding: feed.updated, as: UTF8.self)
    page.explainEmptiness()
    page.charset = decoded.charset
    return page
  }

  /// Returns the beginning of the given HTML or plain text as one line of text.
  private static func plainText(_ html: [UInt8], _ deadline: Deadline) -> [UInt8] {
    guard html.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return shortened(html)
    }
    deadline.spend(html.count)
    var options = ReadOptions()
    options.isWhole = true
    do throws(Failure) {
      let document = try Document.parse(html, options, limits: ReadLimits(), deadline: deadline)
      let (text, marks) = try TextRenderer.render(
        document.tree, ContentSelection(document, deadline), deadline: deadline)
      let cut = TextCut(
        text, offset: 0, limit: 2 * summaryLength, boundaries: marks.map { Int($0.offset) })
      return shortened(Array(text[cut.range]))
    } catch {
      // A summary that takes too long is dropped, and the feed itself then fails by the same
      // deadline.
      return []
    }
  }

  private static let summaryLength = 500

  /// Returns the beginning of the given text, at most `summaryLength` characters, on one line.
  private static func shortened(_ text: [UInt8]) -> [UInt8] {
    var words: [UInt8] = []
    text[...].forEachWord { word in
      guard let word else { return }
      if !words.isEmpty { words.append(0x20) }
      words += word
    }
    let cut = TextCut(words, offset: 0, limit: summaryLength)
    return words[cut.range] + (cut.isCut ? Array("…".utf8) : [])
  }
}
