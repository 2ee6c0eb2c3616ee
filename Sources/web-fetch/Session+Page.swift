import Command
import Core
import Fetching

extension Session {
  /// Writes a page, or instead of a feed and a sitemap, when these are expanded, their entries; or
  /// why there is none.
  ///
  /// One whose body was cut is told and counts in the exit status; one over the line limit is cut
  /// to fit and says so.
  func write(_ result: Result<Page, Failure>, expanding: Bool) throws(Failure) {
    switch result {
    case .failure(let failure): fail(failure)
    case .success(let page):
      if expanding, let entries = page.entries {
        for entry in entries { try output.write(entry) }
      } else {
        try output.write(page.fitting(LineReader.maximumLength))
      }
      guard let failure = page.error else { return }
      remember(failure)
      diagnostics.report(failure)
    }
  }
}
