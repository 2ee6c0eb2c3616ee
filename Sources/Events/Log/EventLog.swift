public import Core
import GRDB
import Storage

/// The log of events in `events.db`.
///
/// Its size is limited by bounds. If the file is replaced by another log, readers and writers
/// continue with that log. If the file is deleted, the next writer creates a new log.
///
/// The id of an event is `<epoch>-<sequence>`. The epoch is a random text that is created with the
/// file. The ids of a deleted log can therefore be recognized. The sequence numbers have no gaps.
public struct EventLog: Sendable {
  private let bounds: EventBounds
  private let place: EventFile

  /// Opens the log, and creates it if there is none.
  ///
  /// - Parameters:
  ///   - directories: The directories that contain the log.
  ///   - bounds: The bounds that apply unless a hub has stored bounds in the log.
  /// - Throws: `StorageFailed` if the log cannot be opened.
  public init(_ directories: Directories, bounds: EventBounds = EventBounds()) throws(Failure) {
    self.bounds = bounds
    place = try EventFile(path: Self.path(directories))
  }

  /// The path of the folder that contains the log.
  ///
  /// Every change of the log changes a file in it.
  public var folder: String { String(place.path.dropLast("/events.db".count)) }

  /// Returns the path of the log in the given directories.
  public static func path(_ directories: Directories) -> String {
    directories.data + "/events.db"
  }

  /// Appends the given events, either all or none.
  ///
  /// An event whose `srcId` is already in the log is skipped. The oldest events beyond the bounds
  /// are deleted.
  ///
  /// - Parameters:
  ///   - events: The events; may be empty.
  ///   - now: The current time.
  /// - Returns: One id for each event, in order. For a skipped event, it is the id of the stored
  ///   event.
  /// - Throws: `StorageFailed` if the log cannot be written.
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

  /// Returns the events after the event with the id `last`.
  ///
  /// - Parameters:
  ///   - last: The id of the last event that was read. If it is nil or belongs to another log,
  ///     reading starts at the oldest event.
  ///   - limit: The largest number of events.
  /// - Returns: The events in order, and the gap before them, if any.
  /// - Throws: `StorageFailed` if the log cannot be read.
  public func read(after last: String?, limit: Int) throws(Failure) -> EventBatch {
    try place.current(making: false).read { database in
      let (epoch, newest) = try Self.position(database)
      let known = last.flatMap { Self.sequence($0, epoch) }
      if let last, let known, known > newest {
        // Events that were read have been lost in a power cut. New events will reuse their ids.
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

  /// Returns the last `count` events of the agent with the given id, in order.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
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

  /// Returns the ids of the oldest and newest stored events; nil if the log is empty.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
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

  /// Stores the given bounds in the log.
  ///
  /// All writers use them instead of their own.
  ///
  /// - Parameters:
  ///   - bounds: The bounds.
  ///   - processed: The id of the last event that the hub has processed; nil if there is none.
  ///     Later events are deleted only if the log uses too many bytes.
  /// - Throws: `StorageFailed` if the log cannot be written.
  public func apply(_ bounds: EventBounds, processedUpTo processed: String?) throws(Failure) {
    try place.current(making: true).write { database in
      let (epoch, _) = try Self.position(database)
      let sequence = processed.flatMap { Self.sequence($0, epoch) } ?? 0
      try EventRemoval(bounds, processed: sequence).store(in: database)
    }
  }

  /// Records the last event that the hub has processed.
  ///
  /// Only some calls write to the log, because each write is costly.
  ///
  /// - Parameters:
  ///   - id: The id of the event.
  ///   - now: The current time.
  /// - Throws: `StorageFailed` if the log cannot be written.
  public func recordProcessed(upTo id: String, at now: Timestamp) throws(Failure) {
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

  /// Returns the entry in the given row.
  ///
  /// Columns are read by index, which is faster than by name.
  private static func entry(_ row: Row, _ epoch: String) -> EventBatch.Entry {
    EventBatch.Entry(
      id: epoch + "-" + String(row[0] as Int64), stored: row[2], loggedAt: row[1])
  }

  /// Returns the log's epoch, and the sequence number of the last event.
  private static func position(_ database: Database) throws -> (epoch: String, last: Int64) {
    let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT epoch, last FROM log"))
    return (row?["epoch"] ?? "", row?["last"] ?? 0)
  }

  private static func sequence(of source: String, _ database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT sequence FROM event WHERE srcId = ?"),
      arguments: [source])
  }

  /// Returns the sequence number in the given id; nil if the id belongs to another log.
  private static func sequence(_ id: String, _ epoch: String) -> Int64? {
    guard id.hasPrefix(epoch + "-") else { return nil }
    let digits = id.dropFirst(epoch.count + 1)
    return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(digits) : nil
  }
}
