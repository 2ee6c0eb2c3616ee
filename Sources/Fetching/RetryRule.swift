import Core
import Foundation

/// How often a page is asked for again, and after what wait.
///
/// Again: 429, 502, 503, 504, and connections that were not made or were lost before an answer. A
/// wait that the server names is kept to, up to a minute; ours are 1, 2, 4 … s, from half to
/// one and a half times that, so that many clients do not come back at once.
struct RetryRule: Sendable, Hashable {
  /// Requests after the first one.
  var retries = 2
  /// Seconds before the second request, where the server names none.
  var firstWait = 1.0

  /// A server that asks for a longer wait gets no longer one.
  static let longestWait = 60.0

  /// The seconds to wait before the next request, or nil to give up: `tries` counts the requests sent
  /// so far, `jitter` is from 0 up to 1, from the caller's random source.
  func wait(after failure: Failure, tries: Int, jitter: Double) -> Double? {
    guard tries <= retries, Self.mayPass(failure) else { return nil }
    if let asked = failure.retryAfterSeconds, asked.isFinite, asked >= 0 {
      return min(asked, Self.longestWait)
    }
    // 2 to the power 6 is past the longest wait.
    let grown = firstWait * Double(1 << min(max(tries, 1) - 1, 6)) * (0.5 + jitter)
    return min(grown, Self.longestWait)
  }

  static func mayPass(_ failure: Failure) -> Bool {
    if let status = failure.status { return [429, 502, 503, 504].contains(status) }
    return ["connect", "reset", "connectTimeout"].contains(failure.kind)
  }
}
