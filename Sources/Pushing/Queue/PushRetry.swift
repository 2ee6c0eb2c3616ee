import Core
import HTTP

/// The waits between the attempts to send a message.
///
/// The first attempts follow ``RetryPolicy`` for calls. After them, the waits grow from 30 seconds to
/// an hour, until a day has passed since the alert was added.
enum PushRetry {
  /// The time for which an alert is worth sending, in milliseconds.
  static let day: Int64 = 86_400_000
  private static let firstWait = 30.0
  private static let longestWait = 3600.0

  /// Returns the wait before the next attempt; nil if there must be none.
  ///
  /// - Parameters:
  ///   - failure: The failure of the last attempt.
  ///   - attempts: The number of attempts so far.
  ///   - isHurried: `true` to give up after the attempts of the policy.
  /// - Returns: The seconds to wait.
  static func wait(after failure: Failure, attempts: Int, isHurried: Bool) -> Double? {
    guard mayPass(failure) else { return nil }
    let policy = RetryPolicy()
    let delay = { policy.delay(after: failure, tries: $0, jitter: .random(in: 0...1)) }
    if let wait = delay(attempts) { return wait }
    guard !isHurried else { return nil }
    let first = (1...attempts).first { delay($0) == nil } ?? attempts
    let wait = min(firstWait * Double(1 << min(attempts - first, 7)), longestWait)
    return max(
      wait * .random(in: 1...1.25), min(failure.retryAfterSeconds ?? 0, Double(day) / 1000))
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
