import Foundation

/// A JSON feed (jsonfeed.org).
struct JSONFeed: Decodable {
  private struct Item: Decodable {
    var url: String?
    var externalUrl: String?
    var title: String?
    var summary: String?
    var contentText: String?
    var contentHtml: String?
    var datePublished: String?
    var dateModified: String?
  }

  private var version: String
  private var title: String?
  private var description: String?
  private var language: String?
  private var items: [Item]

  init?(_ bytes: [UInt8]) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let feed = try? decoder.decode(JSONFeed.self, from: Data(bytes)),
      feed.version.contains("jsonfeed.org/version/")
    else { return nil }
    self = feed
  }

  var feed: Feed {
    var feed = Feed()
    feed.title = Self.text(title)
    feed.description = Self.text(description)
    feed.language = Array((language ?? "").utf8)
    feed.entries = items.prefix(Feed.maximumEntries).map { item in
      let text = Self.text(item.summary ?? item.contentText)
      return Feed.Entry(
        title: Self.text(item.title), address: Array((item.url ?? item.externalUrl ?? "").utf8),
        date: Array((item.datePublished ?? item.dateModified ?? "").utf8),
        summary: text.isEmpty ? Array((item.contentHtml ?? "").utf8) : text)
    }
    return feed
  }

  private static func text(_ value: String?) -> [UInt8] {
    FeedParser.escaped(Array((value ?? "").utf8))
  }
}
