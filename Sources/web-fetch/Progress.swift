import Command
import Core

/// How far a run is, for a person at a terminal.
struct Progress {
  private let began = Timestamp.now
  private var done = 0
  private var failed = 0
  private var bytes = 0

  /// Counts a page that was read.
  mutating func count(_ page: Page) {
    if page.error == nil { done += 1 } else { failed += 1 }
    bytes += page.bytes ?? 0
  }

  /// Counts a page that could not be had.
  mutating func countFailure() {
    failed += 1
  }

  /// Done, failed, bytes, and pages a second.
  var text: String {
    let seconds = max(Timestamp.now.seconds(since: began), 0.001)
    let rate = Double(done + failed) / seconds
    let size = Double(bytes) / 1e6
    return "\(done) done, \(failed) failed, \(tenths(size)) MB, \(tenths(rate)) pages/s"
  }

  private func tenths(_ value: Double) -> String {
    let number = Int((value * 10).rounded())
    return "\(number / 10).\(number % 10)"
  }
}
