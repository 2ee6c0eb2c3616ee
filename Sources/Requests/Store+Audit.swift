public import Core
public import Storage

extension Store {
  /// Returns entries of the audit log, from oldest to newest.
  ///
  /// - Parameters:
  ///   - requestId: The id of the request whose entries are returned; nil for all requests.
  ///   - last: The maximum number of entries to return, the newest ones; nil for all.
  /// - Returns: The entries.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func audit(requestId: String? = nil, last: Int? = nil) throws(Failure) -> [AuditEntry] {
    try base.read { try $0.audit(requestId: requestId, last: last) }
  }

  /// Records an action that is neither a control nor a decision.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func record(_ entry: AuditEntry) throws(Failure) {
    try base.write { try $0.record(entry) }
  }
}

extension AuditEntry {
  /// Creates an entry that has no position in the audit log yet.
  public init(
    ts: Int64, target: Target, id: String, action: String, requestId: String, actor: String,
    deviceId: String? = nil, reason: String?, outcome: String, replayed: Bool = false
  ) {
    self.init(
      sequence: 0, ts: ts, target: target, id: id, action: action, requestId: requestId,
      actor: actor, reason: reason, outcome: outcome, replayed: replayed)
    self.deviceId = deviceId
  }
}

extension Rows {
  /// Returns entries of the audit log, from oldest to newest.
  ///
  /// See ``Store/audit(requestId:last:)``.
  package func audit(requestId: String?, last: Int? = nil) throws(Failure) -> [AuditEntry] {
    var (which, limit, parameters) = ("", "", Parameters())
    if let requestId {
      which = "WHERE requestId = ?"
      parameters.append(requestId)
    }
    if let last {
      limit = "LIMIT ?"
      parameters.append(last)
    }
    return try all(
      "SELECT * FROM audit \(which) ORDER BY sequence DESC \(limit)", parameters
    ) { row in
      var entry = AuditEntry(
        sequence: try row["sequence"], ts: try row["ts"],
        target: AuditEntry.Target(rawValue: try row["target"]) ?? .agent, id: try row["id"],
        action: try row["action"], requestId: try row["requestId"], actor: try row["actor"],
        reason: try row["reason"], outcome: try row["outcome"], replayed: try row["replayed"])
      entry.deviceId = try row["deviceId"]
      return entry
    }.reversed()
  }

  /// Adds the given entry to the audit log, with secrets in its id and reason masked.
  ///
  /// The log assigns the entry's position.
  func record(_ entry: AuditEntry) throws(Failure) {
    try run(
      """
      INSERT INTO audit
        (ts, target, id, action, requestId, actor, deviceId, reason, outcome, replayed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        entry.ts, entry.target.rawValue, Secrets.shown(entry.id), entry.action, entry.requestId,
        entry.actor, entry.deviceId, entry.reason.map(Secrets.shown), entry.outcome, entry.replayed,
      ])
  }

  /// Returns the failure `RateLimited` if the given request exceeds a rate limit; otherwise nil.
  ///
  /// Each device has its own limits, even if another one has the same name.
  func refusal(
    of request: AuditEntry, _ limits: ActionLimits, at now: Timestamp
  ) throws(Failure) -> Failure? {
    var sender: Parameters = [request.actor, now.milliseconds - 60_000]
    if let id = request.deviceId { sender.append(id) }
    let counted = """
      SELECT count(DISTINCT requestId) AS count, min(ts) AS oldest FROM audit
      WHERE actor = ? AND ts > ? AND deviceId \(request.deviceId == nil ? "IS NULL" : "= ?")
        AND replayed = 0 AND outcome <> 'RateLimited'
      """
    for (condition, limit, name, holds) in [
      ("", limits.perMinute, "controls and decisions", true),
      (
        " AND action = 'terminate'", limits.terminationsPerMinute, "terminations",
        request.action == "terminate"
      ),
    ] where holds {
      let made = try first(counted + condition, sender) { row in
        (count: try row["count"] as Int, oldest: try row["oldest"] as Int64?)
      }
      guard let made, made.count >= limit else { continue }
      let oldest = made.oldest ?? now.milliseconds
      let seconds = Double(max(0, oldest + 60_000 - now.milliseconds)) / 1000
      return Failure(
        .rateLimited, "\(request.actor) exceeded the limit of \(limit) \(name) per minute",
        retryAfterSeconds: seconds.rounded(.up))
    }
    return nil
  }
}
