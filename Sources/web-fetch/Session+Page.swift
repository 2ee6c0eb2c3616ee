import Command
import Core

extension Session {
  /// Writes a page.
  ///
  /// One whose body was cut is told and counts in the exit status; one over the line limit is cut
  /// to fit and says so.
  func write(_ page: Page) throws(Failure) {
    try output.write(page.fitting(LineReader.maximumLength))
    guard let failure = page.error else { return }
    remember(failure)
    diagnostics.report(failure)
  }
}

extension Page {
  /// The page with its text cut so that its record stays within so many bytes.
  fileprivate func fitting(_ bytes: Int) throws(Failure) -> Page {
    var page = self
    var limit = page.characters ?? 0
    while try page.line().count > bytes, limit > 0 {
      limit /= 2
      page.text = text.map { $0.prefix(scalars: limit) }
      page.markdown = markdown.map { $0.prefix(scalars: limit) }
      page.links = nil
      page.truncated = true
      page.characters = page.text?.unicodeScalars.count
    }
    return page
  }
}

extension String {
  fileprivate func prefix(scalars count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
