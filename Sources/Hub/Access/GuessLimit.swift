import Core
import Synchronization

/// How many wrong codes a hub looks at in a minute, whoever tries them.
///
/// A code has 50 random bits and is good for ten minutes; with 20 tries a minute it is guessed once in
/// five million million times. Whoever keeps guessing keeps others from registering for as long, and
/// from nothing else.
final class GuessLimit: Sendable {
  static let mostPerMinute = 20
  private let wrong = Mutex<[Timestamp]>([])

  /// Refuses a try where there were too many wrong ones in the minute before.
  ///
  /// - Throws: `RateLimited`.
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
