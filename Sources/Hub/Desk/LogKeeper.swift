import Core
import Events
import Synchronization

/// Tells the log how much of it the hub wants to be kept, and what of it was taken in, so that whoever
/// writes it keeps that much.
final class LogKeeper: Sendable {
  private struct Noted {
    var position: EventPosition
    var at: ContinuousClock.Instant
  }

  private let journal: EventJournal
  private let bounds: EventBounds
  private let noted = Mutex<Noted?>(nil)
  /// Times that events were gone before they were taken in.
  let gaps = Atomic<Int>(0)

  /// What was taken in is noted after so many events, or so much time.
  private static let pause = (events: 10_000, duration: Duration.seconds(10))

  /// Keeps so much of a log.
  init(_ journal: EventJournal, _ bounds: EventBounds) {
    (self.journal, self.bounds) = (journal, bounds)
  }

  /// Sets how much is kept; that nothing was taken in yet holds until ``took(upTo:_:)``.
  ///
  /// - Throws: `StorageFailed`.
  func begin() throws(Failure) {
    try journal.keep(bounds, takenUpTo: nil)
  }

  /// Notes what was taken in, now and then.
  ///
  /// - Parameters:
  ///   - id: The last event that was.
  ///   - gap: What was gone before it could be.
  func took(upTo id: String, _ gap: Gap?) {
    if let gap {
      gaps.wrappingAdd(1, ordering: .relaxed)
      Diagnostics.shared.say(
        "events between \(gap.from) and \(gap.to ?? "now") were gone uncounted")
    }
    guard let position = EventPosition(id) else { return }
    let isDue = noted.withLock { noted in
      if let before = noted, before.position.epoch == position.epoch {
        let count = position.sequence - before.position.sequence
        guard
          count >= min(Self.pause.events, bounds.count / 10 + 1)
            || count != 0 && before.at + Self.pause.duration <= .now
        else { return false }
      }
      noted = Noted(position: position, at: .now)
      return true
    }
    guard isDue else { return }
    do throws(Failure) {
      try journal.keep(bounds, takenUpTo: id)
    } catch {
      // A log that cannot be written is told of by those who write events.
      noted.withLock { $0 = nil }
    }
  }
}
