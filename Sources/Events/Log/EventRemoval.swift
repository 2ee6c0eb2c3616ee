import Core
import GRDB
import Storage

/// The deletion of a log's oldest events beyond its bounds.
///
/// Every writer runs it and must not wait long for it. The number of events that are deleted at
/// once is therefore limited.
struct EventRemoval {
  /// The events that the current transaction adds.
  struct Added {
    var events: Int
    var bytes: Int
  }

  private let bounds: EventBounds
  /// The sequence number of the last processed event; nil if no watcher processes events.
  ///
  /// Later events are deleted only if the log uses too many bytes.
  private let processed: Int64?

  /// The number of events that are deleted between two checks of the bounds.
  private static let step: Int64 = 1000
  /// The number of events that may be deleted at once: a fixed number, and more for each added
  /// event.
  private static let most = (events: 4000, each: 4)
  /// The number of processed events after which the position of the last one is recorded.
  private static let recordInterval: Int64 = 10_000
  /// The time by which the oldest event must exceed the largest age before it is deleted, in
  /// milliseconds.
  private static let slack: Int64 = 60_000

  /// Creates the deletion for the given bounds.
  init(_ bounds: EventBounds, processed: Int64?) {
    (self.bounds, self.processed) = (bounds, processed)
  }

  /// Creates the deletion for the bounds that a hub has stored in the log; without any, for
  /// `usual`.
  init(_ database: Database, unlessKept usual: EventBounds) throws {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT count, bytes, seconds, taken FROM kept"))
    guard let row else {
      self.init(usual, processed: nil)
      return
    }
    var bounds = usual
    (bounds.count, bounds.bytes, bounds.seconds) = (row["count"], row["bytes"], row["seconds"])
    self.init(bounds, processed: row["taken"])
  }

  /// Stores the bounds in the log.
  func store(in database: Database) throws {
    try database.run("DELETE FROM kept", [])
    try database.run(
      "INSERT INTO kept (count, bytes, seconds, taken) VALUES (?, ?, ?, ?)",
      [bounds.count, bounds.bytes, bounds.seconds, processed])
  }

  /// Returns `true` if the position of the last processed event should be recorded now.
  ///
  /// Recording it for every event would double the number of writes.
  func isDue(_ sequence: Int64, _ now: Timestamp, in database: Database) throws -> Bool {
    guard let processed, sequence > processed else { return false }
    if sequence - processed >= min(Self.recordInterval, Int64(bounds.count / 10)) { return true }
    let sql = "SELECT loggedAt FROM event WHERE sequence = ?"
    let before = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [processed])
    return before.map { $0 < now.milliseconds - Self.slack } ?? true
  }

  /// Deletes some of the events beyond the bounds.
  ///
  /// Events beyond the age or the count are deleted faster than new ones arrive. If the log uses
  /// too many bytes, twice as many bytes are freed as were added.
  ///
  /// - Parameters:
  ///   - last: The sequence number of the newest event. It is never deleted.
  ///   - added: The events that were added in this transaction.
  ///   - now: The current time.
  ///   - database: The log, in a transaction.
  /// - Throws: The error that SQLite throws.
  func run(last: Int64, after added: Added, _ now: Timestamp, in database: Database) throws {
    var room = Self.most.events + Self.most.each * added.events
    let enough = try usedBytes(database) - 2 * added.bytes
    while let oldest = try oldest(in: database) {
      let used = try usedBytes(database)
      let isOver = used > bounds.bytes
      guard room > 0 || isOver && used > enough else { return }
      let end = oldest.sequence + Self.step
      var kept = last - Int64(bounds.count) + 1
      let due = now.milliseconds - Int64(bounds.seconds * 1000)
      if oldest.loggedAt < due - Self.slack {
        kept = max(kept, try firstEvent(from: oldest.sequence, to: end, since: due, in: database))
      }
      if let processed { kept = min(kept, processed + 1) }
      if isOver { kept = max(kept, end) }
      kept = min(kept, end, last)
      guard kept > oldest.sequence else { return }
      try database.run("DELETE FROM event WHERE sequence < ?", [kept])
      room -= Int(kept - oldest.sequence)
    }
  }

  private func oldest(in database: Database) throws -> (sequence: Int64, loggedAt: Int64)? {
    let sql = "SELECT sequence, loggedAt FROM event ORDER BY sequence LIMIT 1"
    return try Row.fetchOne(database.cachedStatement(sql: sql)).map {
      ($0["sequence"], $0["loggedAt"])
    }
  }

  /// Returns the first event in the given range that was logged at or after `due`; `end` if there
  /// is none.
  private func firstEvent(
    from first: Int64, to end: Int64, since due: Int64, in database: Database
  ) throws -> Int64 {
    let sql = """
      SELECT sequence FROM event WHERE sequence >= ? AND sequence < ? AND loggedAt >= ?
      ORDER BY sequence LIMIT 1
      """
    let statement = try database.cachedStatement(sql: sql)
    return try Int64.fetchOne(statement, arguments: [first, end, due]) ?? end
  }

  private func usedBytes(_ database: Database) throws -> Int {
    func number(_ name: String) throws -> Int {
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA \(name)")) ?? 0
    }
    return try (number("page_count") - number("freelist_count")) * number("page_size")
  }
}
