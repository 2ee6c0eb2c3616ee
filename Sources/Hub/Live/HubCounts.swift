import Synchronization

/// What the readers of the live stream were not given.
final class HubCounts: Sendable {
  private let suppressedCount = Atomic<Int>(0)
  private let gapCount = Atomic<Int>(0)

  /// Events that somebody was not given for the rate.
  var suppressed: Int { suppressedCount.load(ordering: .relaxed) }
  /// Times that the ring had passed a reader.
  var gaps: Int { gapCount.load(ordering: .relaxed) }

  /// Counts events that one reader was not given.
  func suppress(_ count: Int) { suppressedCount.wrappingAdd(count, ordering: .relaxed) }
  /// Counts a gap.
  func countGap() { gapCount.wrappingAdd(1, ordering: .relaxed) }
}
