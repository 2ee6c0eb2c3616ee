import Command
import Core
import Fetching

extension Session {
  /// Writes the page, or the entries of an expanded feed or sitemap, or the failure.
  ///
  /// If the body was cut, that is reported and affects the exit status. If the page is longer than
  /// a line may be, it is cut, and its record says so. As text, a page that the limit of
  /// characters cut is reported.
  func write(_ result: Result<Page, Failure>, _ reading: ReadingOptions) throws(Failure) {
    switch result {
    case .failure(let failure): fail(failure)
    case .success(let page):
      defer {
        if let failure = page.error {
          remember(failure)
          diagnostics.report(failure)
        }
      }
      if reading.expand, let entries = page.entries {
        for entry in entries { try output.write(entry) }
      } else {
        try output.write(page.fitting(LineReader.maximumLength))
        if !output.isNDJSON, let note = page.cutNote(after: reading.offset) {
          diagnostics.report(note)
        }
      }
    }
  }
}

extension Page {
  /// Returns a sentence that reports where the limit of characters cut the page; nil if it did not.
  ///
  /// The given offset is the number of skipped characters.
  fileprivate func cutNote(after offset: Int) -> String? {
    guard facts.truncated == true, let count = facts.characters, let total = facts.totalCharacters
    else { return nil }
    let (end, isTooLarge) = offset.addingReportingOverflow(count)
    guard !isTooLarge, end < total else { return nil }
    let name = origin.path ?? ShownURL.withoutUserinfo(origin.url)
    return "'\(name)' was cut at \(end) of \(total) characters: "
      + "use --max-characters 0 for all, or --offset \(end) for the next part"
  }
}
