public import Core
package import GRDB

extension Store {
  /// What somebody did or was not allowed to, the oldest first.
  ///
  /// - Parameters:
  ///   - requestId: Only of this request.
  ///   - last: Only so many, the newest.
  /// - Returns: The entries.
  /// - Throws: `StorageFailed`.
  public func audit(requestId: String? = nil, last: Int? = nil) throws(Failure) -> [AuditEntry] {
    try file.read { database in try database.audit(requestId: requestId, last: last) }
  }

  /// Notes what somebody did that is neither a control nor a decision.
  ///
  /// - Throws: `StorageFailed`.
  public func note(_ entry: AuditEntry) throws(Failure) {
    try file.write { database in try database.note(entry) }
  }
}

extension AuditEntry {
  /// An entry that has no place yet.
  public init(
    ts: Int64, target: Target, id: String, action: String, requestId: String, actor: String,
    reason: String?, outcome: String, replayed: Bool = false
  ) {
    self.init(
      sequence: 0, ts: ts, target: target, id: id, action: action, requestId: requestId,
      actor: actor, reason: reason, outcome: outcome, replayed: replayed)
  }
}

extension Database {
  /// What somebody did or was not allowed to, the oldest first.
  package func audit(requestId: String?, last: Int? = nil) throws -> [AuditEntry] {
    try Row.fetchAll(
      self,
      sql: """
        SELECT * FROM audit WHERE ?1 IS NULL OR requestId = ?1 ORDER BY sequence DESC LIMIT ?2
        """, arguments: [requestId, last ?? -1]
    ).reversed().map { row in
      AuditEntry(
        sequence: row["sequence"], ts: row["ts"],
        target: AuditEntry.Target(rawValue: row["target"]) ?? .agent, id: row["id"],
        action: row["action"], requestId: row["requestId"], actor: row["actor"],
        reason: row["reason"], outcome: row["outcome"], replayed: row["replayed"])
    }
  }

  /// Adds an entry to the audit, which gives it its place; a secret that was given for an id stays out.
  func note(_ entry: AuditEntry) throws {
    try run(
      """
      INSERT INTO audit (ts, target, id, action, requestId, actor, reason, outcome, replayed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        entry.ts, entry.target.rawValue, Secrets.shown(entry.id), entry.action, entry.requestId,
        entry.actor, entry.reason.map(Secrets.shown), entry.outcome, entry.replayed,
      ])
  }

  /// Why somebody may not act now; nil where they may.
  func refusal(
    of actor: String, _ action: String, _ limits: ActionLimits, at now: Timestamp
  ) throws -> Failure? {
    let since = now.milliseconds - 60_000
    let counted = """
      SELECT count(DISTINCT requestId) AS count, min(ts) AS oldest FROM audit
      WHERE actor = ? AND ts > ? AND NOT replayed AND outcome <> 'RateLimited'
      """
    let all = try Row.fetchOne(self, sql: counted, arguments: [actor, since])
    let terminations = try Row.fetchOne(
      self, sql: counted + " AND action = 'terminate'", arguments: [actor, since])
    for (row, limit, name, holds) in [
      (all, limits.perMinute, "controls and decisions", true),
      (terminations, limits.terminationsPerMinute, "terminations", action == "terminate"),
    ] where holds {
      guard let count = row?["count"] as Int?, count >= limit else { continue }
      let oldest = row?["oldest"] as Int64? ?? now.milliseconds
      let seconds = Double(max(0, oldest + 60_000 - now.milliseconds)) / 1000
      return Failure(
        .rateLimited, "\(actor) has made \(limit) \(name) within a minute",
        retryAfterSeconds: seconds.rounded(.up))
    }
    return nil
  }
}
