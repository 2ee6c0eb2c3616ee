import Core
import GRDB
import Requests

/// The tables of what is known of what is watched, inside a transaction.
///
/// What is known is kept by kind and id, each as a JSON text. What the texts mean is the business of
/// who folds events into them; they are read and written in one transaction with the id of the last
/// event that they take in.
struct WatchedTables {
  /// A text, and what questions find it by.
  struct Row {
    var kind: String
    var id: String
    var parent: String?
    var updatedAt: Int64
    var liveUntil: Int64?
    var fullness: Double?
    var redundancy: Double?
    var text: String
  }

  /// Which texts of a kind are meant.
  enum Choice {
    case all
    /// Those below a parent.
    case below(String)
    /// Those that matter at an instant, in milliseconds since 1970.
    case live(at: Int64)
    /// Those that changed at an instant or later.
    case changed(since: Int64)
    /// Those that are so full, or repeat so much.
    case measuring(fullness: Double, redundancy: Double)

    /// What stands behind `FROM watched`.
    ///
    /// The index is named, or SQLite would read all of a kind, since it does not know how few are
    /// found.
    fileprivate func clause(_ kind: String) -> (sql: String, arguments: StatementArguments) {
      switch self {
      case .all: ("WHERE kind = ?", [kind])
      case .below(let parent):
        ("INDEXED BY watchedByParent WHERE kind = ? AND parent = ?", [kind, parent])
      case .live(let instant):
        ("INDEXED BY watchedLive WHERE kind = ? AND liveUntil >= ?", [kind, instant])
      case .changed(let instant):
        ("INDEXED BY watchedByAge WHERE kind = ? AND updatedAt >= ?", [kind, instant])
      case .measuring(let fullness, let redundancy):
        (
          """
          WHERE kind = ?1 AND id IN (
            SELECT id FROM watched INDEXED BY watchedFull WHERE kind = ?1 AND fullness >= ?2
            UNION SELECT id FROM watched INDEXED BY watchedRedundant
            WHERE kind = ?1 AND redundancy >= ?3)
          """, [kind, fullness, redundancy]
        )
      }
    }
  }

  /// How the store stands: it is another when anybody has changed it.
  struct Version: Equatable {
    /// What others changed (https://sqlite.org/pragma.html#pragma_data_version).
    var others: Int
    /// What this process changed.
    var ours: Int
  }

  private let database: Database

  init(_ database: Database) { self.database = database }

  func version() throws(Failure) -> Version {
    try attempt {
      let statement = try database.cachedStatement(sql: "PRAGMA data_version")
      return Version(
        others: try Int.fetchOne(statement) ?? 0, ours: database.totalChangesCount)
    }
  }

  /// The id of the last event that was taken in; nil before the first.
  func upTo() throws(Failure) -> String? {
    try attempt { try String.fetchOne(database, sql: "SELECT eventId FROM watchedUpTo") }
  }

  /// Sets the id of the last event that was taken in.
  func setUpTo(_ id: String) throws(Failure) {
    try attempt {
      try database.execute(sql: "DELETE FROM watchedUpTo")
      try database.run("INSERT INTO watchedUpTo (eventId) VALUES (?)", [id])
    }
  }

  /// One text.
  func text(_ kind: String, _ id: String) throws(Failure) -> String? {
    try attempt {
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT record FROM watched WHERE kind = ? AND id = ?"),
        arguments: [kind, id])
    }
  }

  /// Returns the project of a pipeline that was run here; nil if there is none of that id.
  ///
  /// - Throws: `StorageFailed`.
  func project(ofPipeline id: String) throws(Failure) -> String? {
    try attempt {
      try String.fetchOne(
        database.cachedStatement(
          sql: "SELECT json_extract(record, '$.project') FROM pipeline WHERE id = ?"),
        arguments: [id])
    }
  }

  /// Reads texts of a kind, by id.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - choice: Which of them.
  ///   - body: Is given each id, and what reads the text.
  /// - Throws: `StorageFailed`.
  func forEach(
    _ kind: String, _ choice: Choice, _ body: (_ id: String, _ text: () -> String) -> Void
  ) throws(Failure) {
    try attempt {
      let (clause, arguments) = choice.clause(kind)
      let rows = try GRDB.Row.fetchCursor(
        database.cachedStatement(sql: "SELECT id, record FROM watched \(clause) ORDER BY id"),
        arguments: arguments)
      while let row = try rows.next() { body(row[0]) { row[1] } }
    }
  }

  /// How full the fullest is below each parent of a kind that matters at an instant.
  func fullest(
    _ kind: String, belowLive parents: String, at now: Int64
  ) throws(Failure) -> [(parent: String, fullness: Double)] {
    try attempt {
      let statement = try database.cachedStatement(
        sql: """
          SELECT parent, max(fullness) AS fullness FROM watched
          WHERE kind = ? AND fullness IS NOT NULL
            AND parent IN (SELECT id FROM watched WHERE kind = ? AND liveUntil >= ?)
          GROUP BY parent
          """)
      return try GRDB.Row.fetchAll(statement, arguments: [kind, parents, now]).map {
        ($0["parent"], $0["fullness"])
      }
    }
  }

  /// How many of a kind have a parent.
  func count(_ kind: String, below parent: String) throws(Failure) -> Int {
    try attempt {
      try Int.fetchOne(
        database.cachedStatement(
          sql: "SELECT count(*) FROM watched WHERE kind = ? AND parent = ?"),
        arguments: [kind, parent]) ?? 0
    }
  }

  /// When the newest of a kind changed; nil where there is none.
  func newest(_ kind: String) throws(Failure) -> Int64? {
    try attempt {
      try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT max(updatedAt) FROM watched WHERE kind = ?"),
        arguments: [kind])
    }
  }

  /// Keeps a text.
  func set(_ row: Row) throws(Failure) {
    try attempt {
      try database.run(
        """
        INSERT INTO watched (kind, id, parent, updatedAt, liveUntil, fullness, redundancy, record)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (kind, id) DO UPDATE SET
          parent = excluded.parent, updatedAt = excluded.updatedAt,
          liveUntil = excluded.liveUntil, fullness = excluded.fullness,
          redundancy = excluded.redundancy, record = excluded.record
        """,
        [
          row.kind, row.id, row.parent, row.updatedAt, row.liveUntil, row.fullness,
          row.redundancy, row.text,
        ])
    }
  }

  /// Removes what was not updated since, of a kind, and the oldest where there is too much of it.
  ///
  /// - Returns: How much was removed.
  func remove(
    _ kind: String, before updatedAt: Int64, beyond most: Int
  ) throws(Failure) -> Int {
    try attempt {
      try database.run("DELETE FROM watched WHERE kind = ? AND updatedAt < ?", [kind, updatedAt])
      let old = database.changesCount
      let count =
        try Int.fetchOne(
          database.cachedStatement(sql: "SELECT count(*) FROM watched WHERE kind = ?"),
          arguments: [kind]) ?? 0
      guard count > most else { return old }
      try database.run(
        """
        DELETE FROM watched WHERE kind = ?1 AND id IN (
          SELECT id FROM watched WHERE kind = ?1 ORDER BY updatedAt LIMIT ?2)
        """, [kind, count - most])
      return old + count - most
    }
  }

  /// Answers a request once; see `RequestLedger`.
  func answer<Value>(
    _ request: AuditEntry, isSame: Bool?, by ledger: RequestLedger,
    act: () throws -> RequestLedger.Answer<Value>
  ) throws(Failure) -> Result<Value, Failure> {
    try attempt { try ledger.answer(request, isSame: isSame, in: database, act: act) }
  }

  /// What the audit holds of a request.
  func audit(requestId: String) throws(Failure) -> [AuditEntry] {
    try attempt { try database.audit(requestId: requestId) }
  }

  private func attempt<Value>(_ work: () throws -> Value) throws(Failure) -> Value {
    do {
      return try work()
    } catch {
      throw DatabaseFile.failure(error, "store.db")
    }
  }
}

/// The events that are kept with incidents.
extension WatchedTables {
  /// Keeps events of an incident, and of all only the last.
  func keep(
    _ events: [(sequence: Int64, line: String)], ofIncident id: String, last: Int
  ) throws(Failure) {
    try attempt {
      for event in events {
        try database.run(
          "INSERT OR IGNORE INTO incidentEvent (incidentId, sequence, record) VALUES (?, ?, ?)",
          [id, event.sequence, event.line])
      }
      try database.run(
        """
        DELETE FROM incidentEvent WHERE incidentId = ?1 AND sequence <= (
          SELECT sequence FROM incidentEvent WHERE incidentId = ?1
          ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
        """, [id, last])
    }
  }

  /// The events of an incident that are kept, in their order.
  func events(ofIncident id: String) throws(Failure) -> [String] {
    try attempt {
      try String.fetchAll(
        database, sql: "SELECT record FROM incidentEvent WHERE incidentId = ? ORDER BY sequence",
        arguments: [id])
    }
  }

  /// Lets go of the events of incidents that were removed.
  ///
  /// - Parameter kind: What incidents are kept as.
  /// - Throws: `StorageFailed`.
  func forgetEvents(ofRemoved kind: String) throws(Failure) {
    try attempt {
      try database.run(
        """
        DELETE FROM incidentEvent WHERE incidentId NOT IN (
          SELECT id FROM watched WHERE kind = ?)
        """, [kind])
    }
  }
}

/// The thresholds that somebody set.
extension WatchedTables {
  /// All of them.
  func thresholds() throws(Failure) -> [(kind: String, id: String, value: Double)] {
    try attempt {
      try GRDB.Row.fetchAll(database, sql: "SELECT * FROM threshold ORDER BY kind, id").map {
        ($0["kind"], $0["id"], $0["value"])
      }
    }
  }

  /// Sets one.
  func setThreshold(_ kind: String, id: String, to value: Double) throws(Failure) {
    try attempt {
      try database.run(
        "INSERT OR REPLACE INTO threshold (kind, id, value) VALUES (?, ?, ?)", [kind, id, value])
    }
  }
}
