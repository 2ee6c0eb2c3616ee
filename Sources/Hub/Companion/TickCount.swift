import Synchronization

/// A count of successive ticks without activity.
final class TickCount: Sendable {
  private let ticks = Atomic<Int>(0)

  /// Restarts the count, because there was activity.
  func reset() { ticks.store(0, ordering: .relaxed) }

  /// Counts a tick.
  ///
  /// - Returns: `true` if the limit is reached; the count then restarts.
  func count(upTo limit: Int) -> Bool {
    guard ticks.wrappingAdd(1, ordering: .relaxed).newValue >= limit else { return false }
    reset()
    return true
  }
}
