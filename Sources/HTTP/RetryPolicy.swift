public import Core

/// How often a failed request is sent again, and after what wait: one table for all tools.
///
/// | failure | requests in all | wait |
/// | --- | --- | --- |
/// | rate limit (429) | 5 | what the peer asks, else 5, 10, 20, 40 s |
/// | network, no answer in time | 2 | 2 s |
/// | 5xx and 529 | 3 | what the peer asks, else 0.5 and 1 s |
/// | everything else | 1 | |
///
/// Whoever has seen the first byte of a 200's body does not ask: that request is never sent again.
public struct RetryPolicy: Sendable, Hashable {
  /// Requests after the first one, in place of the table's count for failures that are retried.
  public var retries: Int?
  /// The longest wait, in seconds; a peer that asks for more ends the tries.
  public var maximumWait: Double = 600

  /// Creates the table, or one with another count.
  public init(retries: Int? = nil) {
    self.retries = retries
  }

  /// Decides whether a failed request is sent again.
  ///
  /// - Parameters:
  ///   - failure: What the last request ended with.
  ///   - tries: The requests sent so far, the failed one included.
  ///   - shouldRetry: The answer's `x-should-retry`, where it had one; it decides what is retried.
  ///   - jitter: From 0 up to 1, from the caller's random source; it lengthens our own waits by up
  ///     to a quarter, and never touches a wait that the peer named.
  /// - Returns: The seconds to wait before the next request, or nil to give up.
  public func delay(
    after failure: Failure, tries: Int, shouldRetry: Bool?, jitter: Double
  ) -> Double? {
    guard let row = Row(failure, shouldRetry: shouldRetry), tries >= 1 else { return nil }
    guard tries <= retries ?? row.requests - 1 else { return nil }
    if let asked = failure.retryAfterSeconds, asked.isFinite, asked >= 0 {
      return asked <= maximumWait ? asked : nil
    }
    // 2 to the power 10 is past every cap.
    let grown = row.grows ? row.firstWait * Double(1 << min(tries - 1, 10)) : row.firstWait
    let share = jitter.isFinite ? min(max(jitter, 0), 1) : 0
    return min(grown, row.longestWait) * (1 + share / 4)
  }

  /// One row of the table.
  private struct Row {
    var requests: Int
    var firstWait: Double
    var grows = true
    var longestWait: Double = 60

    init?(_ failure: Failure, shouldRetry: Bool?) {
      if shouldRetry == false { return nil }
      let isServers = failure.status.map { (500...599).contains($0) } ?? false
      switch failure.code {
      case .rateLimited:
        (requests, firstWait) = (5, 5)
      case .networkUnavailable where failure.kind != "tls", .timeout where failure.status == nil:
        (requests, firstWait, grows) = (2, 2, false)
      case .overloaded:
        (requests, firstWait, longestWait) = (3, 0.5, 8)
      case .serverError where isServers, .timeout where isServers:
        (requests, firstWait, longestWait) = (3, 0.5, 8)
      default:
        guard shouldRetry == true else { return nil }
        (requests, firstWait, longestWait) = (3, 0.5, 8)
      }
    }
  }
}
