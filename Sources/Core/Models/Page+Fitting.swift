extension Page {
  /// Returns the page, its text truncated so that the record has at most the given number of bytes.
  ///
  /// - Throws: `BadInput` if the page cannot be written as JSON.
  public func fitting(_ bytes: Int) throws(Failure) -> Page {
    guard facts.mayExceed(bytes) else { return self }
    var page = self
    var limit = facts.characters ?? 0
    while try page.line().count > bytes, limit > 0 {
      limit /= 2
      page.text = facts.text.map { $0.prefix(scalars: limit) }
      page.markdown = facts.markdown.map { $0.prefix(scalars: limit) }
      page.links = nil
      page.truncated = true
      page.characters = (page.text ?? page.markdown)?.unicodeScalars.count
    }
    return page
  }
}

extension PageFacts {
  /// Returns `true` if a cheap estimate of the record's size exceeds the given number of bytes.
  fileprivate func mayExceed(_ bytes: Int) -> Bool {
    let listed = (links ?? []).reduce(0) { $0 + $1.url.utf8.count + $1.text.utf8.count + 8 }
    let texts = (text?.utf8.count ?? 0) + (markdown?.utf8.count ?? 0) + listed
    // JSON needs at most six bytes for each byte of text; other members are under a megabyte.
    return texts * 6 + (1 << 20) > bytes
  }
}

extension String {
  fileprivate func prefix(scalars count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
