public import Core

/// The number of retries after a failed request, and the waits before them, by the kind of failure.
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
/// A call is not retried if its peer requests a wait of more than ten minutes. A page waits at most
/// a minute. Waits that no peer requested have jitter, so that clients do not retry simultaneously.
///
/// A request is never retried after the first byte of a 200's body.
public struct RetryPolicy: Sendable, Hashable {
  /// The number of retries of a retryable failure; nil to use the number in the table.
  public var retries: Int?
  /// The seconds before the first retry of a page; nil if the policy is for calls.
  private var firstPageWait: Double?

  /// Creates the policy for calls.
  ///
  /// `retries` replaces the number in the table.
  public init(retries: Int? = nil) {
    self.retries = retries
  }

  /// Returns the policy for pages.
  ///
  /// - Parameters:
  ///   - retries: The number of retries; nil for the number in the table.
  ///   - firstWait: The seconds before the first retry, if the server requests no wait.
  /// - Returns: The policy.
  public static func pages(retries: Int? = nil, firstWait: Double = 1) -> RetryPolicy {
    var policy = RetryPolicy(retries: retries)
    policy.firstPageWait = firstWait
    return policy
  }

  /// The longest wait in seconds.
  private var maximumWait: Double { firstPageWait == nil ? 600 : 60 }

  /// Returns the wait before a failed request is sent again; nil if it should not be sent again.
  ///
  /// - Parameters:
  ///   - failure: The failure of the last attempt.
  ///   - tries: The number of attempts so far.
  ///   - shouldRetry: The value of the response's `x-should-retry`; nil if there is none. For calls,
  ///     `false` prevents a retry, and `true` permits one.
  ///   - jitter: A random number from 0 to 1. It lengthens the wait of a call by up to a quarter,
  ///     or multiplies the wait of a page by 0.5 to 1.5, unless the peer requested the wait.
  /// - Returns: The seconds to wait before the next attempt; nil to give up.
  public func delay(
    after failure: Failure, tries: Int, shouldRetry: Bool? = nil, jitter: Double
  ) -> Double? {
    guard let row = row(failure, shouldRetry), tries >= 1 else { return nil }
    guard tries <= retries ?? row.requests - 1 else { return nil }
    if let asked = failure.retryAfterSeconds, asked.isFinite, asked >= 0 {
      guard asked > maximumWait else { return asked }
      return firstPageWait == nil ? nil : maximumWait
    }
    // A factor of 2^10 exceeds every limit.
    let grown = row.grows ? row.firstWait * Double(1 << min(tries - 1, 10)) : row.firstWait
    let share = jitter.isFinite ? min(max(jitter, 0), 1) : 0
    let spread = row.spread.lowerBound + share * (row.spread.upperBound - row.spread.lowerBound)
    return min(min(grown, row.longestWait) * spread, maximumWait)
  }

  /// Returns `true` if the given failure to fetch a page may be temporary.
  public static func mayPass(_ failure: Failure) -> Bool {
    if let status = failure.status { return [429, 502, 503, 504].contains(status) }
    return [.connect, .reset, .connectTimeout].contains(failure.kind)
  }

  private func row(_ failure: Failure, _ shouldRetry: Bool?) -> Row? {
    guard let firstPageWait else { return Row(call: failure, shouldRetry: shouldRetry) }
    return Self.mayPass(failure) ? Row(pageAfter: firstPageWait) : nil
  }

  /// One row of the policy's table.
  private struct Row {
    var requests: Int
    var firstWait: Double
    var grows = true
    /// The longest wait in seconds, before jitter.
    var longestWait: Double = 60
    /// The range of the jitter's factor.
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
