import Core
import Events
import Synchronization

/// A keeper of the log's limits.
///
/// It stores the limits in the log, and reports events that were deleted before they were
/// processed.
final class LogKeeper: Sendable {
  private let journal: EventJournal
  private let bounds: EventBounds
  private let report: NoticeHandler
  /// The number of times that events were deleted before they were processed.
  let gaps = Atomic<Int>(0)

  /// Creates a keeper of the given limits.
  init(_ journal: EventJournal, _ bounds: EventBounds, report: @escaping NoticeHandler) {
    (self.journal, self.bounds, self.report) = (journal, bounds, report)
  }

  /// Stores the limits in the log.
  ///
  /// - Parameter processed: The id of the last processed event; nil if no event was processed yet.
  /// - Throws: `StorageFailed` if the log cannot be written.
  func begin(after processed: String?) throws(Failure) {
    try journal.apply(bounds, processedUpTo: processed)
  }

  /// Reports that events were deleted before they were processed.
  func lost(_ gap: Gap) {
    gaps.wrappingAdd(1, ordering: .relaxed)
    report(
      "events between \(gap.from) and \(gap.to ?? "now") were deleted before they were counted")
    // A new log does not have the limits yet. If this fails, so does the next write, and its sender
    // receives the failure.
    if gap.reason == .epoch { try? journal.apply(bounds, processedUpTo: nil) }
  }
}
