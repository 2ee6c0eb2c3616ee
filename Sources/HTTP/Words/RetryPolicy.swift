public import Core

/// The number of retries after a failed request and the waits before them, in one table for all
/// tools.
///
/// | a call's failure | requests in all | wait |
/// | --- | --- | --- |
/// | rate limit (429) | 5 | the peer's wait, else 5, 10, 20, 40 s |
/// | network, no answer in time | 2 | 2 s |
/// | 5xx and 529 | 3 | the peer's wait, else 0.5 and 1 s |
/// | everything else | 1 | |
///
/// | a page's failure | requests in all | wait |
/// | --- | --- | --- |
/// | 429, 502, 503, 504, a connection not made or lost | 3 | the peer's wait, else 1, 2, 4 … s |
/// | everything else | 1 | |
///
/// A call waits as long as the peer specifies, or is not retried; a page waits a minute at most.
/// The policy's own waits have jitter, so that clients do not retry simultaneously.
///
/// A request is never retried after the first byte of a 200's body.
public struct RetryPolicy: Sendable, Hashable {
  /// Retries of a retryable failure, in place of the table's count.
  public var retries: Int?
  /// Seconds before the first retry of a page; nil for calls.
  private var firstPageWait: Double?

  /// Creates the table of calls, optionally with another count.
  public init(retries: Int? = nil) {
    self.retries = retries
  }

  /// Returns the table of pages.
  ///
  /// - Parameters:
  ///   - retries: The number of retries; nil for the table's.
  ///   - firstWait: Seconds before the first retry, if the server specifies none.
  /// - Returns: The table with these values.
  public static func pages(retries: Int? = nil, firstWait: Double = 1) -> RetryPolicy {
    var policy = RetryPolicy(retries: retries)
    policy.firstPageWait = firstWait
    return policy
  }

  /// The longest wait, in seconds.
  private var maximumWait: Double { firstPageWait == nil ? 600 : 60 }

  /// Returns the wait before a failed request is sent again, or nil.
  ///
  /// - Parameters:
  ///   - failure: The failure of the last request.
  ///   - tries: The requests sent so far, including the failed one.
  ///   - shouldRetry: The answer's `x-should-retry`, if it had one, which decides about calls.
  ///   - jitter: A random number from 0 up to 1. It lengthens a call's wait by up to a quarter, and
  ///     multiplies a page's wait by a half to one and a half. It does not change the peer's wait.
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
    // The tenth power of 2 exceeds every limit.
    let grown = row.grows ? row.firstWait * Double(1 << min(tries - 1, 10)) : row.firstWait
    let share = jitter.isFinite ? min(max(jitter, 0), 1) : 0
    let spread = row.spread.lowerBound + share * (row.spread.upperBound - row.spread.lowerBound)
    return min(min(grown, row.longestWait) * spread, maximumWait)
  }

  /// Returns `true` if a failure to fetch a page may be temporary.
  public static func mayPass(_ failure: Failure) -> Bool {
    if let status = failure.status { return [429, 502, 503, 504].contains(status) }
    return [.connect, .reset, .connectTimeout].contains(failure.kind)
  }

  private func row(_ failure: Failure, _ shouldRetry: Bool?) -> Row? {
    guard let firstPageWait else { return Row(call: failure, shouldRetry: shouldRetry) }
    return Self.mayPass(failure) ? Row(pageAfter: firstPageWait) : nil
  }

  /// A row of the table.
  private struct Row {
    var requests: Int
    var firstWait: Double
    var grows = true
    /// The maximum before jitter.
    var longestWait: Double = 60
    /// The range of the factor for the policy's own waits.
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
