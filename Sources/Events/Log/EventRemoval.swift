import Core
import GRDB
import Storage

/// Removes the oldest events of a log beyond its bounds, a bounded number at once: whoever adds events
/// does that, too, and must not wait for it.
struct EventRemoval {
  /// What was added just before.
  struct Added {
    var events: Int
    var bytes: Int
  }

  private let bounds: EventBounds
  /// Events after this one are kept as long as there are bytes for them; nil where nobody takes any in.
  private let taken: Int64?

  /// So many events are removed between two looks at the bounds.
  private static let step: Int64 = 1000
  /// So many events are removed at once, and some for each that was added.
  private static let most = (events: 4000, each: 4)
  /// What was taken in is noted after so many events.
  private static let notedEach: Int64 = 10_000
  /// An age is looked at when the oldest event is so many milliseconds beyond it.
  private static let slack: Int64 = 60_000

  /// Keeps so much.
  init(_ bounds: EventBounds, taken: Int64?) {
    (self.bounds, self.taken) = (bounds, taken)
  }

  /// Keeps what a hub has set in the log, else so much.
  init(_ database: Database, unlessKept usual: EventBounds) throws {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT count, bytes, seconds, taken FROM kept"))
    guard let row else {
      self.init(usual, taken: nil)
      return
    }
    var bounds = usual
    (bounds.count, bounds.bytes, bounds.seconds) = (row["count"], row["bytes"], row["seconds"])
    self.init(bounds, taken: row["taken"])
  }

  /// Sets in the log what is kept.
  func keep(in database: Database) throws {
    try database.run("DELETE FROM kept", [])
    try database.run(
      "INSERT INTO kept (count, bytes, seconds, taken) VALUES (?, ?, ?, ?)",
      [bounds.count, bounds.bytes, bounds.seconds, taken])
  }

  /// Whether it is time to note that everything up to an event was taken in: not for each, which would
  /// be as much to write as the events.
  func isDue(_ sequence: Int64, _ now: Timestamp, in database: Database) throws -> Bool {
    guard let taken, sequence > taken else { return false }
    if sequence - taken >= min(Self.notedEach, Int64(bounds.count / 10)) { return true }
    let sql = "SELECT loggedAt FROM event WHERE sequence = ?"
    let before = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [taken])
    return before.map { $0 < now.milliseconds - Self.slack } ?? true
  }

  /// Removes some of what is beyond the bounds.
  ///
  /// What is too old or too much goes at more than the rate at which events come. Where bytes are
  /// wanting, twice as many are given back as were added, however many events that takes.
  ///
  /// - Parameters:
  ///   - last: The newest event, which stays.
  ///   - added: What was added in this transaction.
  ///   - now: The present.
  ///   - database: The log, in a transaction.
  /// - Throws: What SQLite tells.
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
      if let taken { kept = min(kept, taken + 1) }
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

  /// The first of some events that was logged then or later, or the one behind them.
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
