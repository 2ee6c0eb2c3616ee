import Foundation
import GRDB

/// `events.db`: a bounded log of what happened, for whoever watches.
///
/// An event's id is `<epoch>-<sequence>`. The epoch is random and made with the file, so that an
/// id of a log that was deleted is recognised as such; a sequence has no holes.
public struct EventLog: Sendable {
  /// Events that follow each other, as the lines that they are in a stream.
  public struct Batch: Sendable {
    /// The lines, each with its id.
    public var lines: [String] = []
    /// The id of the last line; nil where there is none.
    public var last: String?
    /// What lies between the id that was asked for and the first line, where something does.
    public var gap: Gap?
  }

  private let capacity: Int
  private let file: DatabaseFile

  /// Opens the log, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - directories: Where it is.
  ///   - capacity: How many events are kept.
  /// - Throws: `StorageFailed`.
  public init(_ directories: Directories, capacity: Int = 200_000) throws(Failure) {
    self.capacity = capacity
    file = try DatabaseFile(
      path: Self.path(directories), durability: .normal, migrations: Migrations.events)
  }

  /// Where the log of some directories is.
  public static func path(_ directories: Directories) -> String {
    directories.data + "/events.db"
  }

  /// Adds events, all or none, and drops the oldest beyond the capacity.
  ///
  /// - Parameter events: The events; the ids that they have are replaced.
  /// - Returns: Their ids, in order.
  /// - Throws: `StorageFailed`.
  @discardableResult
  public func append(_ events: [any Event]) throws(Failure) -> [String] {
    try file.write { database in
      let epoch = try Self.epoch(database)
      var sequence =
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'event'")
        ?? 0
      let insert = try database.cachedStatement(
        sql: "INSERT INTO event (sequence, type, ts, record) VALUES (?, ?, ?, ?)")
      var ids: [String] = []
      for var event in events {
        sequence += 1
        let id = "\(epoch)-\(sequence)"
        event.id = id
        ids.append(id)
        try insert.execute(
          arguments: [sequence, Swift.type(of: event).type, event.ts, try event.json()])
      }
      try database.execute(
        sql: "DELETE FROM event WHERE sequence <= ?", arguments: [sequence - Int64(capacity)])
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
  public func read(after last: String?, limit: Int) throws(Failure) -> Batch {
    try file.read { database in
      let epoch = try Self.epoch(database)
      let known = last.flatMap { Self.sequence($0, epoch) }
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT sequence, record FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?",
        arguments: [known ?? 0, limit])
      var batch = Batch(lines: rows.map { $0["record"] })
      let sequences = rows.map { $0["sequence"] as Int64 }
      batch.last = sequences.last.map { "\(epoch)-\($0)" }
      let first = sequences.first.map { "\(epoch)-\($0)" }
      if let last, known == nil {
        batch.gap = Gap(ts: Timestamp.now.milliseconds, from: last, to: first, reason: .epoch)
      } else if let last, let known, let next = sequences.first, next > known + 1 {
        batch.gap = Gap(ts: Timestamp.now.milliseconds, from: last, to: first, reason: .retention)
      }
      return batch
    }
  }

  /// The ids of the oldest and the newest event kept.
  ///
  /// - Throws: `StorageFailed`.
  public func bounds() throws(Failure) -> (oldest: String, newest: String)? {
    try file.read { database in
      let epoch = try Self.epoch(database)
      guard
        let row = try Row.fetchOne(
          database,
          sql: "SELECT min(sequence) AS oldest, max(sequence) AS newest FROM event"),
        let oldest = row["oldest"] as Int64?, let newest = row["newest"] as Int64?
      else { return nil }
      return ("\(epoch)-\(oldest)", "\(epoch)-\(newest)")
    }
  }

  private static func epoch(_ database: Database) throws -> String {
    try String.fetchOne(database, sql: "SELECT epoch FROM log") ?? ""
  }

  /// The sequence in an id of this log; nil for one of another.
  private static func sequence(_ id: String, _ epoch: String) -> Int64? {
    guard id.hasPrefix(epoch + "-") else { return nil }
    let digits = id.dropFirst(epoch.count + 1)
    return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(digits) : nil
  }
}
