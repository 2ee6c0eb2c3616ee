package import Core
package import Events
import Storage
import Synchronization

/// The bounds of the log.
extension PostgresLog: EventRetention {
  /// A partition of the log.
  private struct Part {
    /// The first sequence number after the partition.
    let next: Int64
    let bytes: Int64
    /// The time at which its last event was logged; nil if there are later ones to come.
    let endedAt: Int64?
  }

  /// The bounds that are stored in the log.
  private struct Kept {
    var bounds: EventBounds
    /// The sequence number of the last processed event; nil if no hub processes events.
    var processed: Int64?
  }

  /// The time between two checks of the bounds.
  private static let checkInterval: Duration = .seconds(10)
  /// The number of processed events after which the position of the last one is recorded.
  private static let recordInterval: Int64 = 10_000
  /// The age of the last recorded event at which a later one is recorded, in milliseconds.
  private static let slack: Int64 = 60_000
  /// The query for the last processed event, if the log has the given epoch.
  private static let progress = """
    SELECT processed, count, (SELECT loggedAt FROM event WHERE sequence = processed),
      \(PostgresClock.expression)
    FROM eventKept, eventLog WHERE epoch = ?
    """
  /// The statements that begin the removal of old events.
  ///
  /// Readers wait behind a lock that is waited for. The time limit ends that.
  private static let beginRemoval = """
    BEGIN; SET LOCAL lock_timeout = 200; SELECT pg_advisory_xact_lock(\(PostgresSchema.eventLock));
    SELECT last, \(PostgresClock.expression) FROM eventLog
    """
  private static let parts = """
    SELECT next, pg_total_relation_size('event_' || first),
      (SELECT loggedAt FROM event WHERE sequence = eventPart.next - 1)
    FROM eventPart ORDER BY first
    """

  /// Stores the given bounds in the log.
  ///
  /// All hubs use them instead of their own. Events that no hub has processed are dropped only if
  /// the log uses too many bytes.
  ///
  /// - Throws: `StorageFailed` if the log cannot be written.
  package func apply(_ bounds: EventBounds, processedUpTo processed: String?) throws(Failure) {
    try writer.use { (connection) throws(Failure) in
      let log = try connection.begin(
        "BEGIN; SELECT pg_advisory_xact_lock(\(PostgresSchema.eventLock)); SELECT epoch FROM eventLog"
      ).value(row: 0, column: 0)
      let position = processed.flatMap { EventPosition($0) } ?? EventPosition()
      let sequence = log == .text(position.epoch) ? position.sequence : 0
      do throws(Failure) {
        try connection.run("DELETE FROM eventKept")
        _ = try connection.run(
          "INSERT INTO eventKept (count, bytes, seconds, processed) VALUES (?, ?, ?, ?)",
          [
            .integer(Int64(bounds.count)), .integer(Int64(bounds.bytes)), .real(bounds.seconds),
            .integer(sequence),
          ])
      } catch {
        connection.rollBack()
        throw error
      }
      try connection.commit("COMMIT")
    }
    nextCheck.withLock { $0 = .now }
  }

  /// Records the last event that a hub has processed.
  ///
  /// Only some calls write to the log, because each write is costly. The time is the database's.
  ///
  /// - Throws: `StorageFailed` if the log cannot be written.
  package func recordProcessed(upTo id: String, at now: Timestamp) throws(Failure) {
    guard let position = EventPosition(id) else { return }
    let result = try base.query(Self.progress, [.text(position.epoch)])
    guard let processed = result.integer(row: 0, column: 0), position.sequence > processed,
      let count = result.integer(row: 0, column: 1), let now = result.integer(row: 0, column: 3)
    else { return }
    let isFar = position.sequence - processed >= min(Self.recordInterval, count / 10)
    let isOld = result.integer(row: 0, column: 2).map { $0 < now - Self.slack } ?? true
    guard isFar || isOld else { return }
    try writer.use { (connection) throws(Failure) in
      try connection.retryingOnce { () throws(Failure) in
        _ = try connection.run(
          "UPDATE eventKept SET processed = greatest(processed, ?)", [.integer(position.sequence)])
      }
    }
  }

  /// Drops the partitions beyond the bounds, unless this was checked recently.
  ///
  /// A failure is ignored: the next check repeats the removal.
  func checkBounds(over connection: PostgresConnection) {
    let isDue = nextCheck.withLock { next in
      guard next <= .now else { return false }
      next = .now + Self.checkInterval
      return true
    }
    guard isDue else { return }
    do throws(Failure) {
      try removeOldest(over: connection)
    } catch {
      connection.rollBack()
    }
  }

  private func removeOldest(over connection: PostgresConnection) throws(Failure) {
    let start = try connection.begin(Self.beginRemoval)
    let found = try connection.run(Self.parts)
    let parts = (0..<found.count).map { row in
      Part(
        next: found.integer(row: row, column: 0) ?? 0,
        bytes: found.integer(row: row, column: 1) ?? 0, endedAt: found.integer(row: row, column: 2))
    }
    guard parts.count > 1, let last = start.integer(row: 0, column: 0),
      let now = start.integer(row: 0, column: 1)
    else { return connection.rollBack() }
    let kept = try Self.kept(over: connection) ?? Kept(bounds: bounds)
    guard let end = Self.end(of: parts, beyond: kept, last: last, now: now) else {
      return connection.rollBack()
    }
    try connection.run("SELECT dropEventParts(\(end))")
    try connection.commit("COMMIT")
  }

  /// Returns the first sequence number that is retained; nil if no partition is to be dropped.
  private static func end(
    of parts: [Part], beyond kept: Kept, last: Int64, now: Int64
  ) -> Int64? {
    var end: Int64?
    var bytes = parts.reduce(0) { $0 + $1.bytes }
    let due = now - Int64(kept.bounds.seconds * 1000)
    for part in parts where part.next <= last {
      let isTooLarge = bytes > kept.bounds.bytes
      let isUnprocessed = kept.processed.map { part.next - 1 > $0 } ?? false
      let isBeyond =
        last - (part.next - 1) >= kept.bounds.count || part.endedAt.map { $0 < due } ?? false
      guard isTooLarge || isBeyond && !isUnprocessed else { break }
      end = part.next
      bytes -= part.bytes
    }
    return end
  }

  private static func kept(over connection: PostgresConnection) throws(Failure) -> Kept? {
    let result = try connection.run("SELECT count, bytes, seconds, processed FROM eventKept")
    guard let count = result.integer(row: 0, column: 0),
      let bytes = result.integer(row: 0, column: 1),
      case .real(let seconds) = result.value(row: 0, column: 2)
    else { return nil }
    var bounds = EventBounds()
    (bounds.count, bounds.bytes, bounds.seconds) = (Int(count), Int(bytes), seconds)
    return Kept(bounds: bounds, processed: result.integer(row: 0, column: 3))
  }
}
