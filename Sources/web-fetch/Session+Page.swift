import Command
import Core
import Fetching

extension Session {
  /// Writes a page, or the entries of an expanded feed or sitemap, or the failure.
  ///
  /// A page whose body was cut is reported and counts in the exit status; a page over the line
  /// limit is cut to fit and says so.
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
