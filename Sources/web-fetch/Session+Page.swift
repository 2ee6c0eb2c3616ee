import Command
import Core
import Reading

extension Session {
  /// Writes a page, or instead of a feed and a sitemap, when these are expanded, their entries.
  ///
  /// One whose body was cut is told and counts in the exit status; one over the line limit is cut
  /// to fit and says so.
  func write(_ page: Page, expanding: Bool) throws(Failure) {
    if expanding,
      page.pageType == PageType.feed.rawValue || page.pageType == PageType.sitemap.rawValue
    {
      for link in page.links ?? [] {
        try output.write(URLRecord(url: link.url, labels: page.labels))
      }
    } else {
      try output.write(page.fitting(LineReader.maximumLength))
    }
    guard let failure = page.error else { return }
    remember(failure)
    diagnostics.report(failure)
  }
}
