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

extension Page {
  /// The page with its text cut so that its record stays within so many bytes.
  fileprivate func fitting(_ bytes: Int) throws(Failure) -> Page {
    guard mayExceed(bytes) else { return self }
    var page = self
    var limit = page.characters ?? 0
    while try page.line().count > bytes, limit > 0 {
      limit /= 2
      page.text = text.map { $0.prefix(scalars: limit) }
      page.markdown = markdown.map { $0.prefix(scalars: limit) }
      page.links = nil
      page.truncated = true
      page.characters = (page.text ?? page.markdown)?.unicodeScalars.count
    }
    return page
  }

  /// Whether the record could be so long, by what is cheap to know.
  private func mayExceed(_ bytes: Int) -> Bool {
    let listed = (links ?? []).reduce(0) { $0 + $1.url.utf8.count + $1.text.utf8.count + 8 }
    let texts = (text?.utf8.count ?? 0) + (markdown?.utf8.count ?? 0) + listed
    // JSON takes at most six bytes for one, and all else is less than a megabyte.
    return texts * 6 + (1 << 20) > bytes
  }
}

extension String {
  fileprivate func prefix(scalars count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
