import Foundation
import GRDB

/// `events.db`: a bounded log of what happened, for whoever watches.
///
/// An event's id is `<epoch>-<sequence>`. The epoch is random and made with the file, so that an
/// id of a log that was deleted is recognised as such.
public struct EventLog: Sendable {
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
      path: directories.data + "/events.db", durability: .normal, migrations: Migrations.events)
  }

  /// Adds events, all or none, and drops the oldest beyond the capacity.
  ///
  /// - Parameter events: Records and their `ts`, in milliseconds since 1970.
  /// - Returns: Their ids, in order.
  /// - Throws: `StorageFailed`.
  public func append(_ events: [(record: any StreamRecord, ts: Int64)]) throws(Failure) -> [String]
  {
    try file.write { database in
      let epoch = try String.fetchOne(database, sql: "SELECT epoch FROM log") ?? ""
      var ids: [String] = []
      for event in events {
        try database.execute(
          sql: "INSERT INTO event (type, ts, record) VALUES (?, ?, ?)",
          arguments: [Swift.type(of: event.record).type, event.ts, try event.record.json()])
        ids.append("\(epoch)-\(database.lastInsertedRowID)")
      }
      try database.execute(
        sql: "DELETE FROM event WHERE sequence <= ?",
        arguments: [database.lastInsertedRowID - Int64(capacity)])
      return ids
    }
  }

  /// The events after an id, in order, each with its id.
  ///
  /// - Parameters:
  ///   - last: The id read last; nil reads from the oldest event kept.
  ///   - limit: How many at most.
  /// - Returns: Nil when the id is of another log than this one.
  /// - Throws: `StorageFailed`.
  public func read(after last: String?, limit: Int) throws(Failure) -> [(id: String, json: String)]?
  {
    try file.read { database in
      let epoch = try String.fetchOne(database, sql: "SELECT epoch FROM log") ?? ""
      var sequence: Int64 = 0
      if let last {
        guard last.hasPrefix(epoch + "-"), let number = Int64(last.dropFirst(epoch.count + 1))
        else { return nil }
        sequence = number
      }
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT sequence, record FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?",
        arguments: [sequence, limit])
      return rows.map { ("\(epoch)-\($0["sequence"] as Int64)", $0["record"]) }
    }
  }

  /// The ids of the oldest and the newest event kept.
  ///
  /// - Throws: `StorageFailed`.
  public func bounds() throws(Failure) -> (oldest: String, newest: String)? {
    try file.read { database in
      guard
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT epoch, (SELECT min(sequence) FROM event) AS oldest,
              (SELECT max(sequence) FROM event) AS newest FROM log
            """),
        let oldest = row["oldest"] as Int64?, let newest = row["newest"] as Int64?
      else { return nil }
      let epoch = row["epoch"] as String
      return ("\(epoch)-\(oldest)", "\(epoch)-\(newest)")
    }
  }
}
