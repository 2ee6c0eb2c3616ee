import Core
import Storage

/// The tables of the watched state, inside a transaction.
///
/// Each document of the state is stored as JSON text under its kind and ID. The tables do not
/// interpret the text. The ID of the last processed event is changed in the same transaction.
struct WatchedTables {
  /// The text of a document, and the columns by which it can be found.
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

  /// A condition that selects texts of one kind.
  enum Choice {
    case all
    /// Selects the texts with the given parent.
    case below(String)
    /// Selects the texts that are relevant at the given time, in milliseconds since 1970.
    case live(at: Int64)
    /// Selects the texts that changed at or after the given time, in milliseconds since 1970.
    case changed(since: Int64)
    /// Selects the texts with at least the given fullness or at least the given redundancy.
    case measuring(fullness: Double, redundancy: Double)

    /// Returns the part of the SQL statement after `FROM watched`, and its parameters.
    fileprivate func clause(_ kind: String, _ dialect: Dialect) -> (String, Rows.Parameters) {
      switch self {
      case .all: ("WHERE kind = ?", [kind])
      case .below(let parent):
        ("\(dialect.index("watchedByParent")) WHERE kind = ? AND parent = ?", [kind, parent])
      case .live(let instant):
        ("\(dialect.index("watchedLive")) WHERE kind = ? AND liveUntil >= ?", [kind, instant])
      case .changed(let instant):
        ("\(dialect.index("watchedByAge")) WHERE kind = ? AND updatedAt >= ?", [kind, instant])
      case .measuring(let fullness, let redundancy):
        (
          """
          WHERE kind = ? AND id IN (
            SELECT id FROM watched \(dialect.index("watchedFull"))
            WHERE kind = ? AND fullness >= ?
            UNION SELECT id FROM watched \(dialect.index("watchedRedundant"))
            WHERE kind = ? AND redundancy >= ?)
          """, [kind, kind, fullness, kind, redundancy]
        )
      }
    }
  }

  /// The rows of the store, inside a transaction.
  let rows: any Rows

  init(_ rows: any Rows) { self.rows = rows }

  /// Returns the ID of the last event that was processed; nil if there is none.
  func upTo() throws(Failure) -> String? {
    try rows.value(String.self, "SELECT eventId FROM watchedUpTo")
  }

  /// Sets the ID of the last event that was processed.
  func setUpTo(_ id: String) throws(Failure) {
    try rows.run("DELETE FROM watchedUpTo")
    try rows.run("INSERT INTO watchedUpTo (eventId) VALUES (?)", [id])
  }

  /// Returns the text of the given kind and ID; nil if there is none.
  func text(_ kind: String, _ id: String) throws(Failure) -> String? {
    try rows.value(
      String.self, "SELECT record FROM watched WHERE kind = ? AND id = ?", [kind, id])
  }

  /// Returns the project of the given pipeline; nil if the pipeline did not run on this machine.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func project(ofPipeline id: String) throws(Failure) -> String? {
    let project = rows.dialect.member("project")
    return try rows.value(String?.self, "SELECT \(project) FROM pipeline WHERE id = ?", [id])
      .flatMap(\.self)
  }

  /// Reads the selected texts of the given kind, sorted by ID.
  ///
  /// - Parameters:
  ///   - kind: The kind of the texts.
  ///   - choice: The selection among them.
  ///   - body: A closure that receives each ID, and a closure that returns the text with that ID.
  /// - Throws: `StorageFailed` if the store cannot be read; the errors of `body`.
  func forEach(
    _ kind: String, _ choice: Choice,
    _ body: (_ id: String, _ text: () throws(Failure) -> String) throws(Failure) -> Void
  ) throws(Failure) {
    let (clause, parameters) = choice.clause(kind, rows.dialect)
    try rows.forEach("SELECT id, record FROM watched \(clause) ORDER BY id", parameters) { row in
      try body(row.value(at: 0, as: String.self)) { () throws(Failure) in
        try row.value(at: 1, as: String.self)
      }
    }
  }

  /// Returns the greatest fullness among the children of each parent that is relevant at `now`.
  ///
  /// `kind` is the kind of the children, and `parents` that of the parents.
  func fullest(
    _ kind: String, belowLive parents: String, at now: Int64
  ) throws(Failure) -> [(parent: String, fullness: Double)] {
    try rows.all(
      """
      SELECT parent, max(fullness) AS fullness FROM watched
      WHERE kind = ? AND fullness IS NOT NULL
        AND parent IN (SELECT id FROM watched WHERE kind = ? AND liveUntil >= ?)
      GROUP BY parent
      """, [kind, parents, now]
    ) { row in (try row["parent"], try row["fullness"]) }
  }

  /// Returns the number of texts of the given kind with the given parent.
  func count(_ kind: String, below parent: String) throws(Failure) -> Int {
    try rows.value(
      Int.self, "SELECT count(*) FROM watched WHERE kind = ? AND parent = ?", [kind, parent]) ?? 0
  }

  /// Returns the time at which a text of the given kind last changed; nil if there are none.
  func newest(_ kind: String) throws(Failure) -> Int64? {
    try rows.value(Int64?.self, "SELECT max(updatedAt) FROM watched WHERE kind = ?", [kind])
      .flatMap(\.self)
  }

  /// Stores the given text in place of an earlier one with the same kind and ID.
  func set(_ row: Row) throws(Failure) {
    try rows.run(
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

  /// Removes outdated texts of the given kind.
  ///
  /// These are texts that were not updated since the given time, and the oldest ones beyond the
  /// maximum number.
  ///
  /// - Returns: The number of removed texts.
  func remove(
    _ kind: String, before updatedAt: Int64, beyond most: Int
  ) throws(Failure) -> Int {
    let old = try rows.run(
      "DELETE FROM watched WHERE kind = ? AND updatedAt < ?", [kind, updatedAt])
    let count =
      try rows.value(Int.self, "SELECT count(*) FROM watched WHERE kind = ?", [kind]) ?? 0
    guard count > most else { return old }
    try rows.run(
      """
      DELETE FROM watched WHERE kind = ? AND id IN (
        SELECT id FROM watched WHERE kind = ? ORDER BY updatedAt LIMIT ?)
      """, [kind, kind, count - most])
    return old + count - most
  }
}

/// Methods for the stored events of incidents.
extension WatchedTables {
  /// Stores the given events of an incident, and removes all stored events except the last ones.
  func store(
    _ events: [(sequence: Int64, line: String)], ofIncident id: String, last: Int
  ) throws(Failure) {
    for event in events {
      try rows.run(
        """
        INSERT INTO incidentEvent (incidentId, sequence, record) VALUES (?, ?, ?)
        ON CONFLICT (incidentId, sequence) DO NOTHING
        """, [id, event.sequence, event.line])
    }
    try rows.run(
      """
      DELETE FROM incidentEvent WHERE incidentId = ? AND sequence <= (
        SELECT sequence FROM incidentEvent WHERE incidentId = ?
        ORDER BY sequence DESC LIMIT 1 OFFSET ?)
      """, [id, id, last])
  }

  /// Returns the stored events of the given incident, in order.
  func events(ofIncident id: String) throws(Failure) -> [String] {
    try rows.values(
      String.self, "SELECT record FROM incidentEvent WHERE incidentId = ? ORDER BY sequence", [id])
  }

  /// Removes the events of incidents that no longer exist.
  ///
  /// - Parameter kind: The kind of the documents of incidents.
  /// - Throws: `StorageFailed` if the store cannot be changed.
  func forgetEvents(ofRemoved kind: String) throws(Failure) {
    try rows.run(
      """
      DELETE FROM incidentEvent WHERE incidentId NOT IN (
        SELECT id FROM watched WHERE kind = ?)
      """, [kind])
  }
}

/// Methods for the thresholds that the user has set.
extension WatchedTables {
  /// Returns all thresholds that the user has set.
  func thresholds() throws(Failure) -> [(kind: String, id: String, value: Double)] {
    try rows.all("SELECT * FROM threshold ORDER BY kind, id") { row in
      (try row["kind"], try row["id"], try row["value"])
    }
  }

  /// Sets the threshold of the given kind and ID.
  func setThreshold(_ kind: String, id: String, to value: Double) throws(Failure) {
    try rows.run(
      """
      INSERT INTO threshold (kind, id, value) VALUES (?, ?, ?)
      ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value
      """, [kind, id, value])
  }
}
