import Core
import Foundation
import Storage

/// The alerts that wait for a target, and those that were sent to it in the last week.
///
/// An alert is committed before it is sent, and its outcome afterwards. A process that is killed
/// between the two leaves one message, which a later process sends again with the same id.
struct PushQueue: Sendable {
  /// What to do next.
  enum Step: Sendable {
    /// Send this message.
    case send(PushMessage, attempts: Int, since: Timestamp)
    /// Wait until the given time, or until there is another alert.
    case wait(until: Timestamp?)
  }

  /// An alert that is already in the queue.
  enum Known: Sendable {
    /// It has this outcome.
    case ended(Delivery)
    /// A process waits to send it.
    case waits
  }

  /// The store.
  let store: Store
  /// The name of the lock that this process holds; its rows have it.
  let lock: String
  /// The folder of locks.
  let locks: String

  /// The time for which outcomes are stored, in milliseconds.
  private static let week: Int64 = 604_800_000
  /// The time in which one message about a subject, and `perMinute` in all, are sent, in
  /// milliseconds.
  private static let minute: Int64 = 60_000

  // MARK: Alerts

  /// Adds the given alerts for a target.
  ///
  /// - Returns: The alerts that were added before, by their ids, with what is known of them.
  func add(
    _ alerts: [Alert], for target: PushPace, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> [(id: String, known: Known)] {
    var known: [(id: String, known: Known)] = []
    for alert in alerts {
      let id = alert.srcId ?? alert.head.id ?? Identifier.make()
      let count = try rows.run(
        """
        INSERT INTO push (target, alert, subject, isCritical, takenAt, lock, record)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (target, alert) DO NOTHING
        """,
        [
          target.id, id, alert.subject, alert.severity >= .critical, now.milliseconds, lock,
          String(decoding: try alert.line(), as: UTF8.self),
        ])
      if count == 0, let found = try self.known(id, target, rows) { known.append((id, found)) }
    }
    return known
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
      INSERT INTO push (target, alert, subject, isCritical, takenAt, lock, record)
      SELECT ?, ?, ?, 0, ?, ?, ? WHERE EXISTS (
        SELECT 1 FROM push WHERE target = ? AND subject = ? AND message IS NOT NULL)
      ON CONFLICT (target, alert) DO NOTHING
      """,
      [
        target.id, gate.event.srcId, alert.subject, now.milliseconds, lock, record, target.id,
        alert.subject,
      ])
  }

  private func known(
    _ id: String, _ target: PushPace, _ rows: any Rows
  ) throws(Failure) -> Known? {
    try rows.first(
      "SELECT status, record FROM push WHERE target = ? AND alert = ?", [target.id, id]
    ) { row in
      let status: String? = try row["status"]
      guard status != nil else { return .waits }
      var delivery = try Delivery(json: try row["record"])
      (delivery.alert, delivery.replayed) = (id, true)
      return .ended(delivery)
    }
  }

  /// Returns what is known of the given alert; nil if it is not in the queue.
  func known(_ id: String, _ target: PushPace) throws(Failure) -> Known? {
    try store.base.read { rows in try known(id, target, rows) }
  }

  /// Takes over what ended processes left for the given targets, and removes old outcomes.
  func takeOver(_ targets: [PushPace], at now: Timestamp) throws(Failure) {
    let others = try store.base.read { rows in
      try rows.values(
        String.self, "SELECT DISTINCT lock FROM push WHERE status IS NULL AND lock <> ?", [lock])
    }
    // No transaction asks the file system anything.
    let ended = others.filter { !FileLock.isHeld("\(locks)/\($0)") }
    try store.base.write { rows in
      try rows.run("DELETE FROM push WHERE endedAt < ?", [now.milliseconds - Self.week])
      for other in ended {
        for target in targets {
          try rows.run(
            "UPDATE push SET lock = ? WHERE target = ? AND lock = ? AND status IS NULL",
            [lock, target.id, other])
        }
      }
    }
  }

  /// The number of alerts of this process that have no outcome yet.
  var waiting: Int {
    get throws(Failure) {
      try store.base.read { rows in
        try rows.value(
          Int.self, "SELECT COUNT(*) FROM push WHERE lock = ? AND status IS NULL", [lock]) ?? 0
      }
    }
  }

  // MARK: Places

  /// Returns the id of the last event that was read under the given name; nil if there is none.
  func place(_ name: String) throws(Failure) -> String? {
    try store.base.read { rows in
      try rows.value(String.self, "SELECT eventId FROM pushPlace WHERE name = ?", [name])
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

  // MARK: Messages

  /// Returns what to do next for the given target.
  func next(_ target: PushPace, at now: Timestamp) throws(Failure) -> Step {
    try store.base.write { rows in
      var wake: Int64?
      // A message that failed, or that a killed process did not finish.
      if let (message, due) = try rows.first(
        """
        SELECT message, MIN(dueAt) AS due FROM push
        WHERE target = ? AND lock = ? AND status IS NULL AND message IS NOT NULL
        GROUP BY message ORDER BY due LIMIT 1
        """, [target.id, lock],
        { row in (try row["message"] as String, try row["due"] as Int64) })
      {
        if due <= now.milliseconds { return try step(message, target, rows) }
        wake = due
      }
      if let due = try criticalDue(target, in: rows, at: now, &wake) {
        return try claim(due, target, in: rows, at: now)
      }
      // A target that does not answer gets no further messages until it does.
      guard try !hasClaimed(target, rows) else { return .wait(until: wake.map(Timestamp.init)) }
      if let due = try othersDue(target, in: rows, at: now, &wake) {
        return try claim(due, target, in: rows, at: now)
      }
      return .wait(until: wake.map(Timestamp.init))
    }
  }

  /// The condition for alerts that are in no message yet.
  private static let open =
    "push.target = ? AND push.lock = ? AND push.status IS NULL AND push.message IS NULL"

  private func hasClaimed(_ target: PushPace, _ rows: any Rows) throws(Failure) -> Bool {
    try rows.has(
      """
      SELECT 1 FROM push WHERE target = ? AND lock = ? AND status IS NULL AND message IS NOT NULL
      LIMIT 1
      """, [target.id, lock])
  }

  /// Returns the critical alerts of the first subject that had no message in the last minute.
  private func criticalDue(
    _ target: PushPace, in rows: any Rows, at now: Timestamp, _ wake: inout Int64?
  ) throws(Failure) -> [Int64]? {
    let found = try rows.first(
      """
      SELECT subject, last FROM (
        SELECT push.subject AS subject, MIN(push.sequence) AS first, (
            SELECT MAX(earlier.triedAt) FROM push AS earlier
            WHERE earlier.target = push.target AND earlier.subject = push.subject
              AND earlier.isCritical = 1) AS last
        FROM push WHERE \(Self.open) AND isCritical = 1
        GROUP BY push.target, push.subject) AS due
      ORDER BY COALESCE(last, 0), first LIMIT 1
      """, [target.id, lock],
      { row in (subject: try row["subject"] as String, last: try row["last"] as Int64?) })
    guard let found else { return nil }
    if let last = found.last, last + Self.minute > now.milliseconds {
      wake = min(wake ?? .max, last + Self.minute)
      return nil
    }
    return try rows.values(
      Int64.self,
      """
      SELECT sequence FROM push WHERE \(Self.open) AND isCritical = 1 AND subject = ?
      ORDER BY sequence
      """,
      [target.id, lock, found.subject])
  }

  /// Returns the other alerts that the next message is about.
  private func othersDue(
    _ target: PushPace, in rows: any Rows, at now: Timestamp, _ wake: inout Int64?
  ) throws(Failure) -> [Int64]? {
    let open = "SELECT sequence FROM push WHERE \(Self.open) AND isCritical = 0 ORDER BY sequence"
    let firstTwo = try rows.values(Int64.self, open + " LIMIT 2", [target.id, lock])
    guard !firstTwo.isEmpty else { return nil }
    if let end = target.quiet?.end(of: now) {
      wake = min(wake ?? .max, end.milliseconds)
      return nil
    }
    let sent = try rows.values(
      Int64.self,
      """
      SELECT MIN(triedAt) FROM push WHERE target = ? AND isCritical = 0 AND triedAt > ?
      GROUP BY message ORDER BY MIN(triedAt)
      """, [target.id, now.milliseconds - Self.minute])
    let free = target.perMinute - sent.count
    guard free > 0 else {
      wake = min(wake ?? .max, sent[-free] + Self.minute + 1)
      return nil
    }
    guard free == 1, firstTwo.count > 1 else { return [firstTwo[0]] }
    return try rows.values(Int64.self, open, [target.id, lock])
  }

  /// Makes the given rows one message.
  private func claim(
    _ sequences: [Int64], _ target: PushPace, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> Step {
    let first = try rows.value(
      String.self, "SELECT alert FROM push WHERE sequence = ?", [sequences[0]])
    let others = sequences.count - 1
    let id = (first ?? "") + (others > 0 ? "+\(others)" : "")
    for sequence in sequences {
      try rows.run(
        "UPDATE push SET message = ?, triedAt = ?, dueAt = ? WHERE sequence = ?",
        [id, now.milliseconds, now.milliseconds, sequence])
    }
    return try step(id, target, rows)
  }

  private func step(
    _ message: String, _ target: PushPace, _ rows: any Rows
  ) throws(Failure) -> Step {
    var first = ""
    var (attempts, since) = (0, Int64(0))
    let alerts = try rows.all(
      """
      SELECT alert, record, attempts, triedAt FROM push WHERE target = ? AND message = ?
      ORDER BY sequence
      """, [target.id, message]
    ) { row in
      (attempts, since) = (try row["attempts"], try row["triedAt"])
      if first.isEmpty { first = try row["alert"] }
      return try Alert(json: try row["record"])
    }
    return .send(
      PushMessage(id: message, of: first, alerts), attempts: attempts,
      since: Timestamp(milliseconds: since))
  }

  /// Stores the outcome of the given message.
  ///
  /// Other messages that wait for the target are then due at once, because it answers again.
  func end(
    _ message: String, _ delivery: Delivery, for target: PushPace
  ) throws(Failure) {
    let line = String(decoding: try delivery.line(), as: UTF8.self)
    try store.base.write { rows in
      try rows.run(
        """
        UPDATE push SET status = ?, endedAt = ?, attempts = ?, record = ?
        WHERE target = ? AND message = ?
        """,
        [
          delivery.status.rawValue, delivery.ts, delivery.attempts, line, target.id, message,
        ])
      guard delivery.status == .sent else { return }
      try rows.run(
        "UPDATE push SET dueAt = ? WHERE target = ? AND status IS NULL AND dueAt > ?",
        [delivery.ts, target.id, delivery.ts])
    }
  }

  /// Makes messages whose next attempt is more than a minute away due at once.
  func hurry(_ target: PushPace, at now: Timestamp) throws(Failure) {
    try store.base.write { rows in
      _ = try rows.run(
        "UPDATE push SET dueAt = ? WHERE target = ? AND lock = ? AND status IS NULL AND dueAt > ?",
        [now.milliseconds, target.id, lock, now.milliseconds + Self.minute])
    }
  }

  /// Stores the time of the next attempt to send the given message.
  func delay(
    _ message: String, attempts: Int, until time: Timestamp, for target: PushPace
  ) throws(Failure) {
    try store.base.write { rows in
      _ = try rows.run(
        "UPDATE push SET attempts = ?, dueAt = ? WHERE target = ? AND message = ?",
        [attempts, time.milliseconds, target.id, message])
    }
  }
}
