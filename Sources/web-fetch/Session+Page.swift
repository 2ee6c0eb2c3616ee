import Command
import Core
import Fetching

extension Session {
  /// Writes the page, or the entries of an expanded feed or sitemap, or the failure.
  ///
  /// If the body was cut, that is reported and affects the exit status. If the page is longer than
  /// a line may be, it is cut, and its record says so.
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
