import Synchronization

/// The counts of forwarded events, by outcome.
final class ForwardingCounts: Sendable {
  private let sentCount = Atomic<Int>(0)
  private let rejectedCount = Atomic<Int>(0)
  private let lostCount = Atomic<Int>(0)
  private let retryCount = Atomic<Int>(0)

  /// The number of events that the collector accepted.
  var sent: Int { sentCount.load(ordering: .relaxed) }
  /// The number of events that the collector rejected.
  var rejected: Int { rejectedCount.load(ordering: .relaxed) }
  /// The number of times that the log deleted events before they were sent.
  var gaps: Int { lostCount.load(ordering: .relaxed) }
  /// The number of repeated requests.
  var retries: Int { retryCount.load(ordering: .relaxed) }

  /// Counts the events of a request that the collector has answered.
  func count(sent: Int, rejected: Int) {
    sentCount.wrappingAdd(sent, ordering: .relaxed)
    rejectedCount.wrappingAdd(rejected, ordering: .relaxed)
  }

  /// Counts a gap.
  func countGap() { lostCount.wrappingAdd(1, ordering: .relaxed) }
  /// Counts a repeated request.
  func countRetry() { retryCount.wrappingAdd(1, ordering: .relaxed) }
}
