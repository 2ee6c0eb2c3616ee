import Core
import Synchronization

/// The limit of wrong codes that a hub checks per minute, over all senders.
///
/// While codes are being guessed, registration is blocked but nothing else. A code has 50 random
/// bits and is valid for ten minutes, so 20 tries a minute guess one code in five million million.
final class GuessLimit: Sendable {
  static let mostPerMinute = 20
  private let wrong = Mutex<[Timestamp]>([])

  /// Refuses a try if too many wrong codes were tried in the last minute.
  ///
  /// - Throws: `RateLimited` if the try is refused.
  func check(at now: Timestamp) throws(Failure) {
    let wait: Double? = wrong.withLock { wrong in
      wrong.removeAll { now.seconds(since: $0) >= 60 || $0 > now }
      guard wrong.count >= Self.mostPerMinute, let first = wrong.first else { return nil }
      return max(1, 60 - now.seconds(since: first))
    }
    guard let wait else { return }
    throw Failure(
      .rateLimited, "too many wrong codes", retryAfterSeconds: wait.rounded(.up))
  }

  /// Counts a wrong try.
  func count(at now: Timestamp) { wrong.withLock { $0.append(now) } }
}
