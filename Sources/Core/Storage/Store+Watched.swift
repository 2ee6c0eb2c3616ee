import GRDB

/// What is known of what is watched, by kind and id, each as a JSON text.
///
/// What the texts mean is the business of who folds events into them; they are read and written
/// in one transaction with the id of the last event that they take in.
public struct WatchedState {
  private let database: Database

  fileprivate init(_ database: Database) { self.database = database }

  /// The id of the last event that was taken in; nil before the first.
  public func upTo() throws(Failure) -> String? {
    try attempt { try String.fetchOne($0, sql: "SELECT eventId FROM watchedUpTo") }
  }

  /// Sets the id of the last event that was taken in.
  public func setUpTo(_ id: String) throws(Failure) {
    try attempt {
      try $0.execute(sql: "DELETE FROM watchedUpTo")
      try $0.run("INSERT INTO watchedUpTo (eventId) VALUES (?)", [id])
    }
  }

  /// One text.
  public func text(_ kind: String, _ id: String) throws(Failure) -> String? {
    try attempt {
      try String.fetchOne(
        $0.cachedStatement(sql: "SELECT record FROM watched WHERE kind = ? AND id = ?"),
        arguments: [kind, id])
    }
  }

  /// All texts of a kind, by id, or those below a parent.
  public func texts(_ kind: String, parent: String? = nil) throws(Failure) -> [String] {
    try attempt {
      try String.fetchAll(
        $0.cachedStatement(
          sql: """
            SELECT record FROM watched WHERE kind = ?1 AND (?2 IS NULL OR parent = ?2) ORDER BY id
            """), arguments: [kind, parent])
    }
  }

  /// Sets a text.
  public func set(
    _ kind: String, _ id: String, parent: String?, updatedAt: Int64, _ text: String
  ) throws(Failure) {
    try attempt {
      try $0.run(
        """
        INSERT INTO watched (kind, id, parent, updatedAt, record) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (kind, id) DO UPDATE SET
          parent = excluded.parent, updatedAt = excluded.updatedAt, record = excluded.record
        """, [kind, id, parent, updatedAt, text])
    }
  }

  /// Removes what was not updated since, of a kind, and the oldest where there is too much of it.
  ///
  /// - Returns: How much was removed.
  public func remove(
    _ kind: String, before updatedAt: Int64, beyond most: Int
  ) throws(Failure) -> Int {
    try attempt {
      try $0.run("DELETE FROM watched WHERE kind = ? AND updatedAt < ?", [kind, updatedAt])
      let old = $0.changesCount
      let count =
        try Int.fetchOne(
          $0.cachedStatement(sql: "SELECT count(*) FROM watched WHERE kind = ?"),
          arguments: [kind]) ?? 0
      guard count > most else { return old }
      try $0.run(
        """
        DELETE FROM watched WHERE kind = ?1 AND id IN (
          SELECT id FROM watched WHERE kind = ?1 ORDER BY updatedAt LIMIT ?2)
        """, [kind, count - most])
      return old + count - most
    }
  }

  /// Lets go of the events of incidents that were removed.
  ///
  /// - Parameter kind: What incidents are kept as.
  /// - Throws: `StorageFailed`.
  public func forgetEvents(ofRemoved kind: String) throws(Failure) {
    try attempt {
      try $0.run(
        """
        DELETE FROM incidentEvent WHERE incidentId NOT IN (
          SELECT id FROM watched WHERE kind = ?)
        """, [kind])
    }
  }

  /// Keeps events of an incident, and of all only the last.
  public func keep(
    _ events: [(sequence: Int64, line: String)], incident id: String, last: Int
  ) throws(Failure) {
    try attempt {
      for event in events {
        try $0.run(
          "INSERT OR IGNORE INTO incidentEvent (incidentId, sequence, record) VALUES (?, ?, ?)",
          [id, event.sequence, event.line])
      }
      try $0.run(
        """
        DELETE FROM incidentEvent WHERE incidentId = ?1 AND sequence <= (
          SELECT sequence FROM incidentEvent WHERE incidentId = ?1
          ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
        """, [id, last])
    }
  }

  /// The events of an incident that are kept, in their order.
  public func events(ofIncident id: String) throws(Failure) -> [String] {
    try attempt {
      try String.fetchAll(
        $0, sql: "SELECT record FROM incidentEvent WHERE incidentId = ? ORDER BY sequence",
        arguments: [id])
    }
  }

  /// The thresholds that somebody set.
  public func thresholds() throws(Failure) -> [(kind: String, id: String, value: Double)] {
    try attempt {
      try Row.fetchAll($0, sql: "SELECT * FROM threshold ORDER BY kind, id").map {
        ($0["kind"], $0["id"], $0["value"])
      }
    }
  }

  /// Sets a threshold.
  public func setThreshold(_ kind: String, _ id: String, _ value: Double) throws(Failure) {
    try attempt {
      try $0.run(
        "INSERT OR REPLACE INTO threshold (kind, id, value) VALUES (?, ?, ?)", [kind, id, value])
    }
  }

  /// What the audit holds of a request.
  public func audit(requestId: String) throws(Failure) -> [AuditEntry] {
    try attempt { try $0.audit(requestId: requestId) }
  }

  /// Why somebody may not act now; nil where they may.
  public func refusal(
    of actor: String, _ action: String, _ limits: ActionLimits, at now: Timestamp
  ) throws(Failure) -> Failure? {
    try attempt { try $0.refusal(of: actor, action, limits, at: now) }
  }

  /// Adds to the audit.
  public func note(_ entry: AuditEntry) throws(Failure) {
    try attempt { try $0.note(entry) }
  }

  private func attempt<Value>(_ work: (Database) throws -> Value) throws(Failure) -> Value {
    do {
      return try work(database)
    } catch {
      throw DatabaseFile.failure(error, "store.db")
    }
  }
}

extension Store {
  /// Reads what is watched, in one transaction.
  ///
  /// - Throws: `StorageFailed`, or what the reading throws.
  public func readWatched<Value>(
    _ read: (WatchedState) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try file.read { database in try read(WatchedState(database)) }
  }

  /// Changes what is watched, in one transaction; other processes wait meanwhile.
  ///
  /// - Throws: `StorageFailed`, or what the change throws; nothing is kept then.
  public func changeWatched<Value>(
    _ change: (WatchedState) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try file.write { database in try change(WatchedState(database)) }
  }
}
