import Synchronization

/// The counts of events that subscribers of the live stream did not receive.
final class HubCounts: Sendable {
  private let suppressedCount = Atomic<Int>(0)
  private let gapCount = Atomic<Int>(0)

  /// The number of events that subscribers did not receive because of their rate.
  var suppressed: Int { suppressedCount.load(ordering: .relaxed) }
  /// The number of times that a subscriber fell behind the ring.
  var gaps: Int { gapCount.load(ordering: .relaxed) }

  /// Counts events that a subscriber did not receive.
  func suppress(_ count: Int) { suppressedCount.wrappingAdd(count, ordering: .relaxed) }
  /// Counts a gap.
  func countGap() { gapCount.wrappingAdd(1, ordering: .relaxed) }
}
