import Core
import Synchronization

/// The database's clock, as measured by its last answer.
///
/// The local wall clock is never read, because hubs would disagree about it.
final class PostgresClock: Sendable {
  private let origin = ContinuousClock.now
  /// The difference between the database's clock and `elapsed`, in milliseconds.
  private let offset = Mutex<Int64?>(nil)

  /// The SQL expression for the database's time in milliseconds since 1970.
  static let expression = "trunc(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

  /// Sets the clock by an answer of the database that has just arrived.
  ///
  /// The answer's way to this machine makes the clock late by that time. So an answer that took
  /// long is ignored, unless it is the first one.
  ///
  /// - Parameters:
  ///   - milliseconds: The database's time in milliseconds since 1970.
  ///   - start: The time at which the database was asked.
  func set(_ milliseconds: Int64, askedAt start: ContinuousClock.Instant) {
    let isLate = ContinuousClock.now - start > .seconds(1)
    offset.withLock { if $0 == nil || !isLate { $0 = milliseconds - elapsed } }
  }

  /// The database's time; nil before the first answer.
  var now: Timestamp? {
    offset.withLock { $0 }.map { Timestamp(milliseconds: $0 + elapsed) }
  }

  /// The time since the clock was created, in milliseconds.
  private var elapsed: Int64 { Int64((ContinuousClock.now - origin) / .milliseconds(1)) }
}
