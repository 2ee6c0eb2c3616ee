import Core
import Synchronization

/// The limit of wrong codes that a hub checks per minute, from all senders together.
///
/// While codes are being guessed, only registration is blocked. A code has 50 random bits and is
/// valid for ten minutes. With 20 attempts per minute, the chance to guess it is one in five
/// million million.
final class GuessLimit: Sendable {
  static let mostPerMinute = 20
  private let wrong = Mutex<[Timestamp]>([])

  /// Refuses an attempt if too many wrong codes were tried in the last minute.
  ///
  /// - Throws: `RateLimited` if the attempt is refused.
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

  /// Counts a wrong attempt.
  func count(at now: Timestamp) { wrong.withLock { $0.append(now) } }
}
