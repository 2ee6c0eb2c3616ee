public import Core
import Reading

extension Page {
  /// The entries of a feed or a sitemap, as separate records; nil for any other page.
  public var entries: [URLRecord]? {
    guard let type = facts.pageType.flatMap(PageType.init), type == .feed || type == .sitemap else {
      return nil
    }
    return (facts.links ?? []).map { URLRecord(url: $0.url, labels: labels) }
  }
}
