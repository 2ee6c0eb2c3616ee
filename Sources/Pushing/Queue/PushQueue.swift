import Core
import Foundation
import Storage

/// The alerts that wait for a target, and those that were sent to it in the last week.
///
/// An alert is committed before it is sent, and its outcome afterwards. A process that is killed
/// between the two leaves one message, which a later process sends again with the same id.
struct PushQueue: Sendable {
  /// An alert that is already in the queue.
  enum Known: Sendable {
    /// It has this outcome.
    case ended(Delivery)
    /// This process waits to send it.
    case waits
    /// Another process waits to send it.
    case waitsElsewhere
  }

  /// The database of the queue.
  let base: any RecordBase
  /// The name of the lock that this process holds; its rows have it.
  let lock: String
  /// The folder of locks.
  let locks: String

  /// The time for which outcomes are stored, in milliseconds.
  private static let week: Int64 = 604_800_000
  /// The time in which one message about a critical subject, and `perMinute` others, are sent, in
  /// milliseconds.
  static let minute: Int64 = 60_000

  /// Opens the database `push.db` in the given directories, or creates it.
  ///
  /// - Throws: `StorageFailed` if it cannot be opened or written.
  static func base(_ directories: Directories) throws(Failure) -> any RecordBase {
    SQLiteBase(
      try DatabaseFile(
        path: directories.data + "/push.db", durability: .full, migrations: Migrations.push,
        canBeReadOnly: false))
  }

  // MARK: Alerts

  /// Adds the given alerts for a target.
  ///
  /// An alert that could not be sent before is sent again.
  ///
  /// - Parameters:
  ///   - alerts: The alerts.
  ///   - target: The target.
  ///   - hub: The hub at which their gates are decided; nil for this machine.
  ///   - rows: The rows of the base.
  ///   - now: The current time.
  /// - Returns: The alerts that are not added, by their ids, with what is known of them.
  /// - Throws: `StorageFailed` if the base cannot be written.
  func add(
    _ alerts: [Alert], for target: PushPace, hub: String? = nil, in rows: any Rows,
    at now: Timestamp
  ) throws(Failure) -> [(id: String, known: Known)] {
    var known: [(id: String, known: Known)] = []
    for alert in alerts {
      let id = alert.srcId ?? alert.head.id ?? Identifier.make()
      // An alert that names no other id is known by this one.
      let alert = alert.with { $0.srcId = id }
      try rows.run(
        "DELETE FROM push WHERE target = ? AND alert = ? AND status = ?",
        [target.id, id, Delivery.Status.failed.rawValue])
      let isCritical = alert.severity >= .critical
      let due = isCritical ? try due(alert.subject, at: target, in: rows, now) : now.milliseconds
      let count = try rows.run(
        """
        INSERT INTO push (target, alert, subject, isCritical, takenAt, dueAt, lock, record, hub)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (target, alert) DO NOTHING
        """,
        [
          target.id, id, alert.subject, isCritical, now.milliseconds, due, lock,
          String(decoding: try alert.line(), as: UTF8.self), hub,
        ])
      if count == 0, let found = try self.known(id, target, rows) { known.append((id, found)) }
    }
    return known
  }

  /// Returns the time at which a critical alert about the given subject is due: at once, or a minute
  /// after the last one.
  private func due(
    _ subject: String, at target: PushPace, in rows: any Rows, _ now: Timestamp
  ) throws(Failure) -> Int64 {
    let last = try rows.value(
      Int64?.self,
      """
      SELECT MAX(triedAt) FROM push
      WHERE target = ? AND subject = ? AND triedAt <= ? AND isCritical = 1
      """, [target.id, subject, now.milliseconds])
    return max(now.milliseconds, (last.flatMap { $0 } ?? 0) + Self.minute)
  }

  private func known(
    _ id: String, _ target: PushPace, _ rows: any Rows
  ) throws(Failure) -> Known? {
    try rows.first(
      "SELECT status, lock, record FROM push WHERE target = ? AND alert = ?", [target.id, id]
    ) { row in
      let status: String? = try row["status"]
      guard status != nil else { return try row["lock"] == lock ? .waits : .waitsElsewhere }
      var delivery = try Delivery(json: try row["record"])
      (delivery.alert, delivery.count, delivery.replayed) = (id, nil, true)
      return .ended(delivery)
    }
  }

  /// Returns what is known of the given alerts; nil for each that is not in the queue.
  func known(_ ids: [String], _ target: PushPace) throws(Failure) -> [(id: String, known: Known?)] {
    try base.read { rows in
      try ids.map { (id) throws(Failure) in (id, try known(id, target, rows)) }
    }
  }

  /// Makes messages about a gate say that it is decided.
  ///
  /// The alerts about the gate that wait are changed. If one was sent, and the target replaces
  /// messages, a further message is added.
  ///
  /// - Parameters:
  ///   - gate: The gate in its last state.
  ///   - target: The target.
  ///   - replaces: `true` if a further message replaces an earlier one.
  ///   - rows: The rows of the base.
  ///   - now: The current time.
  /// - Throws: `StorageFailed` if the base cannot be written.
  func settle(
    _ gate: ApprovalGate, for target: PushPace, replaces: Bool, in rows: any Rows,
    at now: Timestamp
  ) throws(Failure) {
    let alert = Alert(decided: gate)
    let record = String(decoding: try alert.line(), as: UTF8.self)
    let changed = try rows.run(
      """
      UPDATE push SET record = ?
      WHERE target = ? AND subject = ? AND status IS NULL AND message IS NULL
      """, [record, target.id, alert.subject])
    guard changed == 0, replaces else { return }
    try rows.run(
      """
      INSERT INTO push (target, alert, subject, isCritical, takenAt, dueAt, lock, record)
      SELECT ?, ?, ?, 0, ?, ?, ?, ? WHERE EXISTS (
        SELECT 1 FROM push WHERE target = ? AND subject = ? AND triedAt IS NOT NULL
          AND COALESCE(status, 'sent') = 'sent')
      ON CONFLICT (target, alert) DO NOTHING
      """,
      [
        target.id, gate.event.srcId, alert.subject, now.milliseconds, now.milliseconds, lock,
        record, target.id, alert.subject,
      ])
  }

  // MARK: Processes

  /// Takes over what ended processes left for the given targets, and removes what is old.
  ///
  /// - Throws: `StorageFailed` if the base or a lock cannot be used.
  func takeOver(_ targets: [PushPace], at now: Timestamp) throws(Failure) {
    let others = try base.read { rows in
      try rows.values(
        String.self, "SELECT DISTINCT lock FROM push WHERE status IS NULL AND lock <> ?", [lock])
    }
    // No transaction asks the file system anything.
    var ended: [String] = []
    for other in others where try !isHeld(other) { ended.append(other) }
    let old = now.milliseconds - Self.week
    let left = try base.write { rows in
      try rows.run("DELETE FROM push WHERE endedAt < ?", [old])
      for other in ended {
        for target in targets {
          try rows.run(
            """
            UPDATE push SET lock = ?, isLeft = 1,
              dueAt = CASE WHEN message IS NULL THEN dueAt ELSE ? END
            WHERE target = ? AND lock = ? AND status IS NULL
            """, [lock, now.milliseconds, target.id, other])
        }
        // Nobody has used their targets for a week.
        try rows.run(
          "DELETE FROM push WHERE lock = ? AND status IS NULL AND takenAt < ?", [other, old])
      }
      return try rows.values(String.self, "SELECT DISTINCT lock FROM push WHERE status IS NULL")
    }
    for other in ended where !left.contains(other) { unlink("\(locks)/\(other)") }
  }

  private func isHeld(_ lock: String) throws(Failure) -> Bool {
    let path = "\(locks)/\(lock)"
    // Opening the lock would create it.
    if access(path, F_OK) != 0, errno == ENOENT { return false }
    return try FileLock.ifFree(path) == nil
  }

  /// Removes the lock's file, unless alerts of this process wait.
  func leave() throws(Failure) {
    if try waiting == 0 { unlink("\(locks)/\(lock)") }
  }

  /// The number of alerts of this process that have no outcome yet.
  var waiting: Int {
    get throws(Failure) {
      try base.read { rows in
        try rows.value(
          Int.self, "SELECT COUNT(*) FROM push WHERE lock = ? AND status IS NULL", [lock]) ?? 0
      }
    }
  }

  // MARK: Places

  /// Returns the ids of the last events that were read under the given names.
  func places(_ names: [String]) throws(Failure) -> [String] {
    try base.read { rows in
      var found: [String] = []
      for name in names {
        found += try rows.values(
          String.self, "SELECT eventId FROM pushPlace WHERE name = ?", [name])
      }
      return found
    }
  }

  /// Stores the id of the last event that was read under the given name.
  func setPlace(_ name: String, _ eventId: String, in rows: any Rows) throws(Failure) {
    try rows.run(
      """
      INSERT INTO pushPlace (name, eventId) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET eventId = excluded.eventId
      """, [name, eventId])
  }
}
