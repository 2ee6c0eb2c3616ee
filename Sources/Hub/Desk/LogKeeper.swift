import Core
import Events
import Synchronization

/// Tells the log how much of it the hub wants to be kept, so that whoever writes it keeps that much,
/// and tells of what was gone too early all the same.
final class LogKeeper: Sendable {
  private let journal: EventJournal
  private let bounds: EventBounds
  private let note: Note
  /// Times that events were gone before they were taken in.
  let gaps = Atomic<Int>(0)

  /// Keeps so much of a log.
  init(_ journal: EventJournal, _ bounds: EventBounds, note: @escaping Note) {
    (self.journal, self.bounds, self.note) = (journal, bounds, note)
  }

  /// Sets how much is kept.
  ///
  /// - Parameter taken: The last event that was taken in; nil before the first.
  /// - Throws: `StorageFailed`.
  func begin(after taken: String?) throws(Failure) {
    try journal.keep(bounds, takenUpTo: taken)
  }

  /// Tells of events that were gone before they were taken in.
  func lost(_ gap: Gap) {
    gaps.wrappingAdd(1, ordering: .relaxed)
    note("events between \(gap.from) and \(gap.to ?? "now") were deleted before they were counted")
    // Another log has not been told yet. Where it cannot be written, that is told of those who write
    // events.
    if gap.reason == .epoch { try? journal.keep(bounds, takenUpTo: nil) }
  }
}
