public import Core
import GRDB
import Storage

/// `events.db`: a bounded log of what happened, for whoever watches.
///
/// Whoever has it open goes on with another one that takes its place, and makes it where it was
/// removed and there is something to add.
///
/// An event's id is `<epoch>-<sequence>`. The epoch is random and made with the file, so that an
/// id of a log that was deleted is recognised as such; a sequence has no holes.
public struct EventLog: Sendable {
  private let bounds: EventBounds
  private let place: EventFile

  /// Opens the log, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - directories: Where it is.
  ///   - bounds: How much is kept, unless a hub has said so.
  /// - Throws: `StorageFailed`.
  public init(_ directories: Directories, bounds: EventBounds = EventBounds()) throws(Failure) {
    self.bounds = bounds
    place = try EventFile(path: Self.path(directories))
  }

  /// The folder that every change of the log is seen in.
  public var folder: String { String(place.path.dropLast("/events.db".count)) }

  /// Where the log of some directories is.
  public static func path(_ directories: Directories) -> String {
    directories.data + "/events.db"
  }

  /// Adds events, all or none, and removes the oldest beyond the bounds; without events only that.
  ///
  /// - Parameters:
  ///   - events: The events. One whose `srcId` the log has is left out.
  ///   - now: The present.
  /// - Returns: Their ids, in order; of one that was left out, the one it has.
  /// - Throws: `StorageFailed`.
  @discardableResult
  public func append(
    _ events: [EncodedEvent], at now: Timestamp = .now
  ) throws(Failure) -> [String] {
    try place.current(making: true).write { database in
      let (epoch, last) = try Self.position(database)
      var sequence = last
      let insert = try database.cachedStatement(
        sql: """
          INSERT INTO event (sequence, loggedAt, agentId, srcId, record) VALUES (?, ?, ?, ?, ?)
          """)
      var ids: [String] = []
      var bytes = 0
      ids.reserveCapacity(events.count)
      for event in events {
        if let source = event.srcId, let known = try Self.sequence(of: source, database) {
          ids.append("\(epoch)-\(known)")
          continue
        }
        sequence += 1
        ids.append("\(epoch)-\(sequence)")
        bytes += event.line.count
        try insert.execute(
          arguments: [
            sequence, now.milliseconds, event.agentId, event.srcId,
            String(decoding: event.line, as: UTF8.self),
          ])
      }
      if sequence > last { try database.run("UPDATE log SET last = ?", [sequence]) }
      let added = EventRemoval.Added(events: Int(sequence - last), bytes: bytes)
      try EventRemoval(database, unlessKept: bounds).run(
        last: sequence, after: added, now, in: database)
      return ids
    }
  }

  /// The events after an id.
  ///
  /// - Parameters:
  ///   - last: The id read last; nil, or an id of another log, reads from the oldest event kept.
  ///   - limit: How many at most.
  /// - Returns: The events in their order, and what is missing before them.
  /// - Throws: `StorageFailed`.
  public func read(after last: String?, limit: Int) throws(Failure) -> EventBatch {
    try place.current(making: false).read { database in
      let (epoch, newest) = try Self.position(database)
      let known = last.flatMap { Self.sequence($0, epoch) }
      if let last, let known, known > newest {
        // A power cut took events that had been read: others get their ids.
        let end = "\(epoch)-\(newest)"
        return EventBatch(
          last: end,
          gap: Gap(ts: Timestamp.now.milliseconds, from: last, to: end, reason: .epoch))
      }
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT sequence, loggedAt, record FROM event WHERE sequence > ?
            ORDER BY sequence LIMIT ?
            """), arguments: [known ?? 0, limit])
      var batch = EventBatch(entries: rows.map { Self.entry($0, epoch) })
      let first = rows.first.map { $0["sequence"] as Int64 }
      batch.last = rows.last.map { "\(epoch)-\($0["sequence"] as Int64)" }
      guard let last else { return batch }
      let next = first.map { "\(epoch)-\($0)" }
      if known == nil {
        batch.gap = Gap(ts: Timestamp.now.milliseconds, from: last, to: next, reason: .epoch)
      } else if let known, let first, first > known + 1 {
        batch.gap = Gap(ts: Timestamp.now.milliseconds, from: last, to: next, reason: .retention)
      }
      return batch
    }
  }

  /// The last events of an agent, in their order.
  ///
  /// - Throws: `StorageFailed`.
  public func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry] {
    try place.current(making: false).read { database in
      let (epoch, _) = try Self.position(database)
      return try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT sequence, loggedAt, record FROM event WHERE agentId = ?
            ORDER BY sequence DESC LIMIT ?
            """), arguments: [id, count]
      ).reversed().map { Self.entry($0, epoch) }
    }
  }

  /// The ids of the oldest and the newest event kept.
  ///
  /// - Throws: `StorageFailed`.
  public func ends() throws(Failure) -> (oldest: String, newest: String)? {
    try place.current(making: false).read { database in
      let (epoch, _) = try Self.position(database)
      guard
        let row = try Row.fetchOne(
          database,
          sql: "SELECT min(sequence) AS oldest, max(sequence) AS newest FROM event"),
        let oldest = row["oldest"] as Int64?, let newest = row["newest"] as Int64?
      else { return nil }
      return ("\(epoch)-\(oldest)", "\(epoch)-\(newest)")
    }
  }

  /// Sets how much is kept from now on by whoever adds to the log, whatever bounds they have.
  ///
  /// - Parameters:
  ///   - bounds: How much.
  ///   - taken: The last event that was taken in by those for whom the log is kept. Those after it go
  ///     for want of bytes alone, and last. Nil for none.
  /// - Throws: `StorageFailed`.
  public func keep(_ bounds: EventBounds, takenUpTo taken: String?) throws(Failure) {
    try place.current(making: true).write { database in
      let (epoch, _) = try Self.position(database)
      let sequence = taken.flatMap { Self.sequence($0, epoch) } ?? 0
      try EventRemoval(bounds, taken: sequence).keep(in: database)
    }
  }

  /// Notes, now and then, what was taken in by those for whom a hub keeps the log.
  ///
  /// - Parameters:
  ///   - id: The last event that was.
  ///   - now: The present.
  /// - Throws: `StorageFailed`.
  public func took(upTo id: String, at now: Timestamp) throws(Failure) {
    let file = try place.current(making: false)
    let isDue: Bool = try file.read { database in
      let (epoch, _) = try Self.position(database)
      guard let sequence = Self.sequence(id, epoch) else { return false }
      return try EventRemoval(database, unlessKept: bounds).isDue(sequence, now, in: database)
    }
    guard isDue else { return }
    try file.write { database in
      let (epoch, _) = try Self.position(database)
      guard let sequence = Self.sequence(id, epoch) else { return }
      try database.run("UPDATE kept SET taken = max(taken, ?)", [sequence])
    }
  }

  /// Reads the columns sequence, loggedAt and record, by their places: names are looked up for each row.
  private static func entry(_ row: Row, _ epoch: String) -> EventBatch.Entry {
    EventBatch.Entry(
      id: epoch + "-" + String(row[0] as Int64), stored: row[2], loggedAt: row[1])
  }

  /// The log's epoch, and the sequence of the event that was added last.
  private static func position(_ database: Database) throws -> (epoch: String, last: Int64) {
    let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT epoch, last FROM log"))
    return (row?["epoch"] ?? "", row?["last"] ?? 0)
  }

  private static func sequence(of source: String, _ database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT sequence FROM event WHERE srcId = ?"),
      arguments: [source])
  }

  /// The sequence in an id of this log; nil for one of another.
  private static func sequence(_ id: String, _ epoch: String) -> Int64? {
    guard id.hasPrefix(epoch + "-") else { return nil }
    let digits = id.dropFirst(epoch.count + 1)
    return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(digits) : nil
  }
}
