public import Core

/// How often a failed request is sent again, and after what wait: one table for all tools.
///
/// | a call's failure | requests in all | wait |
/// | --- | --- | --- |
/// | rate limit (429) | 5 | what the peer asks, else 5, 10, 20, 40 s |
/// | network, no answer in time | 2 | 2 s |
/// | 5xx and 529 | 3 | what the peer asks, else 0.5 and 1 s |
/// | everything else | 1 | |
///
/// | a page's failure | requests in all | wait |
/// | --- | --- | --- |
/// | 429, 502, 503, 504, a connection not made or lost | 3 | what the peer asks, else 1, 2, 4 … s |
/// | everything else | 1 | |
///
/// A call waits as long as the peer asks, or is not made again; a page waits a minute at most. Our own
/// waits are made uneven, so that many clients do not come back at once.
///
/// Whoever has seen the first byte of a 200's body does not ask: that request is never sent again.
public struct RetryPolicy: Sendable, Hashable {
  /// Requests after the first one, in place of the table's count for failures that are retried.
  public var retries: Int?
  /// Seconds before the second request for a page; nil for calls.
  private var firstPageWait: Double?

  /// Creates the table of calls, or one with another count.
  public init(retries: Int? = nil) {
    self.retries = retries
  }

  /// The table of pages.
  ///
  /// - Parameters:
  ///   - retries: Requests after the first one; nil for the table's.
  ///   - firstWait: Seconds before the second request, where the server names none.
  /// - Returns: The table, with these.
  public static func pages(retries: Int? = nil, firstWait: Double = 1) -> RetryPolicy {
    var policy = RetryPolicy(retries: retries)
    policy.firstPageWait = firstWait
    return policy
  }

  /// The longest wait, in seconds.
  private var maximumWait: Double { firstPageWait == nil ? 600 : 60 }

  /// Decides whether a failed request is sent again.
  ///
  /// - Parameters:
  ///   - failure: What the last request ended with.
  ///   - tries: The requests sent so far, the failed one included.
  ///   - shouldRetry: The answer's `x-should-retry`, where it had one; it decides which call is retried.
  ///   - jitter: From 0 up to 1, from the caller's random source; it lengthens a call's wait by up to a
  ///     quarter, makes a page's from half to one and a half times as long, and never touches a wait
  ///     that the peer named.
  /// - Returns: The seconds to wait before the next request, or nil to give up.
  public func delay(
    after failure: Failure, tries: Int, shouldRetry: Bool? = nil, jitter: Double
  ) -> Double? {
    guard let row = row(failure, shouldRetry), tries >= 1 else { return nil }
    guard tries <= retries ?? row.requests - 1 else { return nil }
    if let asked = failure.retryAfterSeconds, asked.isFinite, asked >= 0 {
      guard asked > maximumWait else { return asked }
      return firstPageWait == nil ? nil : maximumWait
    }
    // 2 to the power 10 is past every cap.
    let grown = row.grows ? row.firstWait * Double(1 << min(tries - 1, 10)) : row.firstWait
    let share = jitter.isFinite ? min(max(jitter, 0), 1) : 0
    let spread = row.spread.lowerBound + share * (row.spread.upperBound - row.spread.lowerBound)
    return min(min(grown, row.longestWait) * spread, maximumWait)
  }

  /// Whether a failure to fetch a page may be over by the next try.
  public static func mayPass(_ failure: Failure) -> Bool {
    if let status = failure.status { return [429, 502, 503, 504].contains(status) }
    return [.connect, .reset, .connectTimeout].contains(failure.kind)
  }

  private func row(_ failure: Failure, _ shouldRetry: Bool?) -> Row? {
    guard let firstPageWait else { return Row(call: failure, shouldRetry: shouldRetry) }
    return Self.mayPass(failure) ? Row(pageAfter: firstPageWait) : nil
  }

  /// One row of the table.
  private struct Row {
    var requests: Int
    var firstWait: Double
    var grows = true
    /// Before it is made uneven.
    var longestWait: Double = 60
    /// How many times as long a wait of ours becomes.
    var spread = 1.0...1.25

    init(pageAfter firstWait: Double) {
      (requests, self.firstWait, longestWait, spread) = (3, firstWait, firstWait * 64, 0.5...1.5)
    }

    init?(call failure: Failure, shouldRetry: Bool?) {
      if shouldRetry == false { return nil }
      let isServers = failure.status.map { (500...599).contains($0) } ?? false
      switch failure.code {
      case .rateLimited:
        (requests, firstWait) = (5, 5)
      case .networkUnavailable where failure.kind != .tls, .timeout where failure.status == nil:
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
