package import Core
package import Events
import Storage
import Synchronization

/// A log of events in PostgreSQL, which several hubs share.
///
/// One transaction at a time appends, among all hubs. It takes an advisory lock, and counts up the
/// log's last sequence number itself. Ids therefore rise in the order of commits, without holes.
/// Records have another lock, so appends and decisions do not wait for each other.
///
/// The bounds of the log drop whole partitions. The log therefore retains up to one partition more
/// than the bounds allow, and never drops the partition of the newest event.
package final class PostgresLog: Sendable {
  let base: PostgresBase
  /// The connection that appends and drops.
  let writer: PostgresPool
  /// The bounds that apply unless a hub has stored bounds in the log.
  let bounds: EventBounds
  /// The time of the next check of the bounds.
  let nextCheck = Mutex(ContinuousClock.now)

  /// Creates the log in the database of the given base.
  ///
  /// It reads and listens over the connections of the base, and opens one connection to write.
  ///
  /// - Parameters:
  ///   - base: The base.
  ///   - bounds: The bounds that apply unless a hub has stored bounds in the log.
  package init(_ base: PostgresBase, bounds: EventBounds = EventBounds()) {
    (self.base, self.bounds) = (base, bounds)
    writer = PostgresPool(base.address, count: 1)
  }
}

extension PostgresLog: EventEngine {
  /// Appends the given events, either all or none.
  ///
  /// The database's clock determines the time at which they are logged; `now` is not used.
  ///
  /// - Throws: `StorageFailed` if the log cannot be written; `StorageFailed` of kind
  ///   `unknownOutcome` if the connection was lost during the commit, and the database cannot be
  ///   reached again to find out if it succeeded.
  package func append(_ events: [EncodedEvent], at now: Timestamp) throws(Failure) -> [String] {
    try writer.use { (connection) throws(Failure) in
      let append = EventAppend(connection)
      let ids = events.isEmpty ? [] : try append.run(events)
      checkBounds(over: connection)
      return ids
    }
  }

  package func read(after last: String?, limit: Int) throws(Failure) -> EventBatch {
    let position = last.flatMap { EventPosition($0) } ?? EventPosition()
    let result = try base.query(
      Self.reading,
      [.text(position.epoch), .integer(position.sequence), .integer(Int64(max(0, limit)))])
    guard let epoch = result.text(row: 0, column: 0) else { throw missingLog }
    let newest = result.integer(row: 0, column: 1) ?? 0
    let known = last != nil && position.epoch == epoch ? position.sequence : nil
    let entries = Self.entries(result)
    var batch = EventBatch(entries: entries, last: entries.last?.id)
    guard let last else { return batch }
    let ts = base.now.milliseconds
    if let known, known > newest {
      // A restored database lacks events that were read. New events will reuse their ids.
      let end = "\(epoch)-\(newest)"
      return EventBatch(last: end, gap: Gap(ts: ts, from: last, to: end, reason: .epoch))
    }
    let first = result.integer(row: 0, column: 2)
    if known == nil {
      batch.gap = Gap(ts: ts, from: last, to: entries.first?.id, reason: .epoch)
    } else if let known, let first, first > known + 1 {
      batch.gap = Gap(ts: ts, from: last, to: entries.first?.id, reason: .retention)
    }
    return batch
  }

  package func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry] {
    let result = try base.query(
      Self.readingAgent, [.text(RecordValue.storable(id)), .integer(Int64(max(0, count)))])
    return Self.entries(result)
  }

  package func ends() throws(Failure) -> (oldest: String, newest: String)? {
    let result = try base.query(Self.readingEnds, [])
    guard let epoch = result.text(row: 0, column: 0) else { throw missingLog }
    guard let oldest = result.integer(row: 0, column: 1),
      let newest = result.integer(row: 0, column: 2)
    else { return nil }
    return ("\(epoch)-\(oldest)", "\(epoch)-\(newest)")
  }

  /// Starts to listen for the notifications that each append sends.
  ///
  /// The last sequence number is read each second as well, because a notification may be lost.
  package func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp {
    EventWakeUp(try base.wakeUp(for: .events, interruption))
  }
}

/// The queries of the log, each of which sees one state of it.
extension PostgresLog {
  /// The epoch, the last sequence number, and the events after a position, in no given order.
  private static let reading = """
    SELECT epoch, last, found.* FROM eventLog LEFT JOIN LATERAL (
      SELECT sequence, loggedAt, record FROM event
      WHERE sequence > CASE WHEN epoch = ? THEN ? ELSE 0 END ORDER BY sequence LIMIT ?
    ) AS found ON true
    """
  private static let readingAgent = """
    WITH wanted AS (SELECT CAST(? AS text) AS id)
    SELECT epoch, last, found.* FROM eventLog, LATERAL (
      SELECT sequence, loggedAt, record FROM event
      WHERE hashtextextended(agentId, 0) = hashtextextended((SELECT id FROM wanted), 0)
        AND agentId = (SELECT id FROM wanted) ORDER BY sequence DESC LIMIT ?
    ) AS found
    """
  private static let readingEnds = """
    SELECT epoch, (SELECT min(sequence) FROM event), (SELECT max(sequence) FROM event)
    FROM eventLog
    """

  /// Returns the entries in the given result of a query of events, in order.
  private static func entries(_ result: PostgresResult) -> [EventBatch.Entry] {
    var found: [(sequence: Int64, entry: EventBatch.Entry)] = []
    found.reserveCapacity(result.count)
    for row in 0..<result.count {
      guard let sequence = result.integer(row: row, column: 2),
        let loggedAt = result.integer(row: row, column: 3),
        case .text(let epoch) = result.value(row: row, column: 0),
        case .text(let record) = result.value(row: row, column: 4)
      else { continue }
      let id = "\(epoch)-\(sequence)"
      found.append((sequence, EventBatch.Entry(id: id, stored: record, loggedAt: loggedAt)))
    }
    // A join returns rows in any order, in practice in that of the inner query.
    return found.sorted { $0.sequence < $1.sequence }.map(\.entry)
  }

  private var missingLog: Failure { Self.missing(in: base.address) }

  /// Returns the failure that reports that the database has no log.
  static func missing(in address: PostgresAddress) -> Failure {
    Failure(
      .storageFailed, "'\(address.name)' has no log of events", kind: .corrupt,
      input: address.name)
  }
}
