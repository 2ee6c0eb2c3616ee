import Synchronization

/// What became of events that were to be sent on.
final class ForwardingCounts: Sendable {
  private let sentCount = Atomic<Int>(0)
  private let rejectedCount = Atomic<Int>(0)
  private let lostCount = Atomic<Int>(0)
  private let retryCount = Atomic<Int>(0)

  /// Events that the collector took.
  var sent: Int { sentCount.load(ordering: .relaxed) }
  /// Events that it did not take.
  var rejected: Int { rejectedCount.load(ordering: .relaxed) }
  /// Times that the log had let go of events before they were sent.
  var gaps: Int { lostCount.load(ordering: .relaxed) }
  /// Requests that were sent again.
  var retries: Int { retryCount.load(ordering: .relaxed) }

  /// Counts events of a request that was answered.
  func count(sent: Int, rejected: Int) {
    sentCount.wrappingAdd(sent, ordering: .relaxed)
    rejectedCount.wrappingAdd(rejected, ordering: .relaxed)
  }

  /// Counts a gap.
  func countGap() { lostCount.wrappingAdd(1, ordering: .relaxed) }
  /// Counts a request that is sent again.
  func countRetry() { retryCount.wrappingAdd(1, ordering: .relaxed) }
}
