import Core
import HTTP

/// The waits between the attempts to send a message.
///
/// The first attempts follow ``RetryPolicy`` for calls. After them, the waits grow from 30 seconds to
/// an hour, until a day has passed since the first attempt.
enum PushRetry {
  private static let firstWait = 30.0
  private static let longestWait = 3600.0
  private static let day = 86_400.0

  /// Returns the wait before the next attempt; nil if there must be none.
  ///
  /// - Parameters:
  ///   - failure: The failure of the last attempt.
  ///   - attempts: The number of attempts so far.
  ///   - seconds: The seconds since the first attempt.
  ///   - isHurried: `true` to give up after the attempts of the policy.
  /// - Returns: The seconds to wait.
  static func wait(
    after failure: Failure, attempts: Int, seconds: Double, isHurried: Bool
  ) -> Double? {
    guard mayPass(failure), seconds < day else { return nil }
    let policy = RetryPolicy()
    if let wait = policy.delay(after: failure, tries: attempts, jitter: .random(in: 0...1)) {
      return wait
    }
    guard !isHurried else { return nil }
    let grown = firstWait * Double(1 << min(max(0, attempts - 2), 7))
    let wait = min(grown, longestWait) * .random(in: 1...1.25)
    return max(wait, min(failure.retryAfterSeconds ?? 0, day))
  }

  /// Returns `true` if a later attempt may succeed.
  private static func mayPass(_ failure: Failure) -> Bool {
    if let status = failure.status {
      return [408, 425, 429].contains(status)
        || (500...599).contains(status) && ![501, 505].contains(status)
    }
    switch failure.code {
    case .networkUnavailable: return failure.kind != .tls
    case .timeout, .overloaded, .streamInterrupted, .invalidResponse: return true
    default: return false
    }
  }
}
