import Synchronization

/// Counts of events that subscribers of the live stream did not receive.
final class HubCounts: Sendable {
  private let suppressedCount = Atomic<Int>(0)
  private let gapCount = Atomic<Int>(0)

  /// The number of events that subscribers did not receive because of their maximum rates.
  var suppressed: Int { suppressedCount.load(ordering: .relaxed) }
  /// The number of times that the ring no longer had a subscriber's next event.
  var gaps: Int { gapCount.load(ordering: .relaxed) }

  /// Counts events that a subscriber did not receive because of its maximum rate.
  func suppress(_ count: Int) { suppressedCount.wrappingAdd(count, ordering: .relaxed) }
  /// Counts that the ring no longer had a subscriber's next event.
  func countGap() { gapCount.wrappingAdd(1, ordering: .relaxed) }
}
