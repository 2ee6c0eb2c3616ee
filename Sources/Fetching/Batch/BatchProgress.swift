public import Core

/// The progress of a batch, which can be shown as text on a terminal.
public struct BatchProgress: Sendable {
  private let began = Timestamp.now
  private var done = 0
  private var failed = 0
  private var bytes = 0

  /// Creates a progress that starts now, with no pages.
  public init() {}

  /// Counts the given result, which is a page or a failure.
  public mutating func count(_ result: Result<Page, Failure>) {
    guard case .success(let page) = result else {
      failed += 1
      return
    }
    if page.error == nil { done += 1 } else { failed += 1 }
    bytes += page.bytes ?? 0
  }

  /// The progress in words: the numbers of pages done, pages failed, bytes, and pages per second.
  public var text: String {
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
