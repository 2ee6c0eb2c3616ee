import Synchronization

/// What the readers of the live stream were not given, and how many there are.
final class HubCounts: Sendable {
  private let suppressedCount = Atomic<Int>(0)
  private let gapCount = Atomic<Int>(0)
  private let feedCount = Atomic<Int>(0)

  /// Events that somebody was not given for the rate.
  var suppressed: Int { suppressedCount.load(ordering: .relaxed) }
  /// Times that the ring had passed a reader.
  var gaps: Int { gapCount.load(ordering: .relaxed) }
  /// Readers by server-sent events.
  var feeds: Int { feedCount.load(ordering: .relaxed) }

  /// Counts events that one reader was not given.
  func suppress(_ count: Int) { suppressedCount.wrappingAdd(count, ordering: .relaxed) }
  /// Counts a gap.
  func countGap() { gapCount.wrappingAdd(1, ordering: .relaxed) }
  /// Counts a reader that comes, or goes.
  func countFeed(_ change: Int) { feedCount.wrappingAdd(change, ordering: .relaxed) }
}
