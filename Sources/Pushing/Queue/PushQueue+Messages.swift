import Core
import Storage

/// The messages that the alerts of a target become.
extension PushQueue {
  /// A message that is due.
  struct Due: Sendable {
    var message: PushMessage
    /// The number of earlier attempts.
    var attempts: Int
    /// The time at which the first alert was added.
    var takenAt: Timestamp
    /// `true` if an ended process left it.
    var isLeft: Bool
  }

  /// The next step of a lane.
  enum Step: Sendable {
    /// Send this message.
    case send(Due)
    /// Wait until the given time, or until there is another alert.
    case wait(until: Timestamp?)
  }

  /// The two queues of a target, which are sent side by side.
  enum Lane: CaseIterable, Sendable {
    case critical, others
  }

  /// The conditions for alerts of one lane that are in no message, and for those that are in one.
  private static let mine = "target = ? AND lock = ? AND isCritical = ? AND status IS NULL"
  private static let open = "\(mine) AND message IS NULL"
  private static let claimed = "\(mine) AND message IS NOT NULL"

  /// Returns what to do next for the given target.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - lane: The kind of alerts.
  ///   - now: The current time.
  ///   - isEnding: `true` if what ended processes left need not be waited for.
  /// - Returns: The next step.
  /// - Throws: `StorageFailed` if the base cannot be written.
  func next(
    _ target: PushPace, _ lane: Lane, at now: Timestamp, isEnding: Bool = false
  ) throws(Failure) -> Step {
    try base.write { rows in
      var turn = Turn(rows, target, lane, lock: lock, at: now)
      // A critical alert that is new comes before messages that failed.
      if lane == .critical, let found = try turn.newCritical() { return .send(found) }
      if let found = try turn.claimedBefore() { return .send(found) }
      // A target that does not answer gets no further messages until it does.
      if lane == .others, try !turn.isFailing(), let found = try turn.newOthers() {
        return .send(found)
      }
      guard let wake = turn.wake else { return .wait(until: nil) }
      if isEnding, try !turn.hasOwn() { return .wait(until: nil) }
      return .wait(until: Timestamp(milliseconds: wake))
    }
  }

  /// One look for what is due, in a transaction.
  private struct Turn {
    let rows: any Rows
    let target: PushPace
    let lock: String
    let isCritical: Bool
    let now: Int64
    /// The time at which something will be due; nil if nothing will.
    private(set) var wake: Int64?

    init(
      _ rows: any Rows, _ target: PushPace, _ lane: Lane, lock: String, at now: Timestamp
    ) {
      (self.rows, self.target, self.lock) = (rows, target, lock)
      (isCritical, self.now) = (lane == .critical, now.milliseconds)
    }

    private var mine: Rows.Parameters { [target.id, lock, isCritical] }

    private mutating func wait(until time: Int64) { wake = min(wake ?? .max, time) }

    /// Returns `true` if the given time has come, or lies further ahead than any wait: the clock was
    /// set back.
    private func isDue(_ time: Int64, within longest: Int64) -> Bool {
      time <= now || time > now + longest
    }

    /// Returns the message about the first subject whose critical alerts are due.
    mutating func newCritical() throws(Failure) -> Due? {
      let first = try rows.first(
        "SELECT subject, dueAt FROM push WHERE \(open) ORDER BY dueAt, sequence LIMIT 1", mine
      ) { row in (subject: try row["subject"] as String, due: try row["dueAt"] as Int64) }
      guard let first else { return nil }
      guard isDue(first.due, within: minute) else {
        wait(until: first.due)
        return nil
      }
      return try claim(
        try rows.values(
          Int64.self, "SELECT sequence FROM push WHERE \(open) AND subject = ? ORDER BY sequence",
          mine + [first.subject]))
    }

    /// Returns a message that failed and is due again, or that an ended process did not finish.
    mutating func claimedBefore() throws(Failure) -> Due? {
      let first = try rows.first(
        "SELECT message, dueAt FROM push WHERE \(claimed) ORDER BY dueAt LIMIT 1", mine
      ) { row in (message: try row["message"] as Int64, due: try row["dueAt"] as Int64) }
      guard let first else { return nil }
      guard isDue(first.due, within: PushRetry.day) else {
        wait(until: first.due)
        return nil
      }
      return try due(first.message)
    }

    func isFailing() throws(Failure) -> Bool {
      try rows.has(
        """
        SELECT 1 FROM push WHERE target = ? AND lock = ? AND status IS NULL
          AND message IS NOT NULL AND attempts > 0 LIMIT 1
        """, [target.id, lock])
    }

    /// Returns `true` if alerts wait that no ended process left.
    func hasOwn() throws(Failure) -> Bool {
      try rows.has("SELECT 1 FROM push WHERE \(mineOnly) AND isLeft = 0 LIMIT 1", mine)
    }

    /// Returns the next message about alerts that are not critical.
    mutating func newOthers() throws(Failure) -> Due? {
      let open = "SELECT sequence FROM push WHERE \(open) ORDER BY sequence"
      let firstTwo = try rows.values(Int64.self, open + " LIMIT 2", mine)
      guard !firstTwo.isEmpty else { return nil }
      if let end = target.quiet?.end(of: Timestamp(milliseconds: now)) {
        wait(until: end.milliseconds)
        return nil
      }
      let sent = try rows.values(
        Int64.self,
        """
        SELECT triedAt FROM push WHERE target = ? AND isCritical = 0 AND message = sequence
          AND triedAt > ? AND triedAt <= ? ORDER BY triedAt
        """, [target.id, now - minute, now])
      let free = target.perMinute - sent.count
      guard free > 0 else {
        wait(until: sent[-free] + minute + 1)
        return nil
      }
      guard free == 1, firstTwo.count > 1 else { return try claim([firstTwo[0]]) }
      return try claim(try rows.values(Int64.self, open, mine))
    }

    /// Makes the given rows one message.
    private func claim(_ sequences: [Int64]) throws(Failure) -> Due? {
      for sequence in sequences {
        try rows.run(
          "UPDATE push SET message = ?, triedAt = ?, dueAt = ? WHERE sequence = ?",
          [sequences[0], now, now, sequence])
      }
      return try due(sequences[0])
    }

    private func due(_ message: Int64) throws(Failure) -> Due? {
      var alerts: [Alert] = []
      var hub: String?
      var first: (id: String, attempts: Int, takenAt: Int64, isLeft: Bool)?
      try rows.forEach(
        """
        SELECT * FROM push WHERE target = ? AND message = ? AND status IS NULL ORDER BY sequence
        """, [target.id, message]
      ) { row in
        // A record of another version may be none that this one can read.
        guard let alert = try? Alert(json: row["record"] as String) else { return }
        alerts.append(alert)
        hub = try row["hub"]
        guard first == nil else { return }
        first = (
          try row["alert"], try row["attempts"], try row["takenAt"], try row["isLeft"]
        )
      }
      guard let first else {
        try rows.run(
          "DELETE FROM push WHERE target = ? AND message = ? AND status IS NULL",
          [target.id, message])
        return nil
      }
      return Due(
        message: PushMessage(message, of: first.id, alerts, at: hub), attempts: first.attempts,
        takenAt: Timestamp(milliseconds: first.takenAt), isLeft: first.isLeft)
    }

    private var minute: Int64 { PushQueue.minute }
    private var open: String { PushQueue.open }
    private var claimed: String { PushQueue.claimed }
    private var mineOnly: String { PushQueue.mine }
  }

  // MARK: Outcomes

  /// Stores the outcome of the given message.
  ///
  /// If it was sent, other messages that wait for the target are due at once, because it answers
  /// again.
  ///
  /// - Throws: `StorageFailed` if the base cannot be written.
  func end(_ message: Int64, _ delivery: Delivery, for target: PushPace) throws(Failure) {
    let line = String(decoding: try delivery.line(), as: UTF8.self)
    try base.write { rows in
      try rows.run(
        """
        UPDATE push SET status = ?, endedAt = ?, attempts = ?, record = ?
        WHERE target = ? AND message = ? AND status IS NULL
        """,
        [
          delivery.status.rawValue, delivery.ts, delivery.attempts, line, target.id, message,
        ])
      guard delivery.status == .sent else { return }
      try rows.run(
        """
        UPDATE push SET dueAt = ?
        WHERE target = ? AND status IS NULL AND message IS NOT NULL AND dueAt > ?
        """, [delivery.ts, target.id, delivery.ts])
    }
  }

  /// Stores the time of the next attempt to send the given message.
  ///
  /// - Throws: `StorageFailed` if the base cannot be written.
  func delay(
    _ message: Int64, attempts: Int, until time: Timestamp, for target: PushPace
  ) throws(Failure) {
    try base.write { rows in
      _ = try rows.run(
        """
        UPDATE push SET attempts = ?, dueAt = ?
        WHERE target = ? AND message = ? AND status IS NULL
        """, [attempts, time.milliseconds, target.id, message])
    }
  }

  /// Makes messages of this process whose next attempt is more than a minute away due at once.
  ///
  /// - Throws: `StorageFailed` if the base cannot be written.
  func hurry(_ target: PushPace, at now: Timestamp) throws(Failure) {
    try base.write { rows in
      _ = try rows.run(
        """
        UPDATE push SET dueAt = ? WHERE target = ? AND lock = ? AND status IS NULL AND isLeft = 0
          AND message IS NOT NULL AND dueAt > ?
        """, [now.milliseconds, target.id, lock, now.milliseconds + Self.minute])
    }
  }
}
