public import Core
package import GRDB

extension Store {
  /// All gates, the oldest first, or those of one status.
  ///
  /// - Throws: `StorageFailed`.
  public func gates(status: GateStatus? = nil) throws(Failure) -> [ApprovalGate] {
    try file.read { database in
      try database.records(
        ApprovalGate.self, "SELECT record FROM gate WHERE ? IS NULL OR status = ? ORDER BY id",
        [status?.rawValue, status?.rawValue])
    }
  }

  /// The gate of that id.
  ///
  /// - Throws: `StorageFailed`.
  public func gate(_ id: String) throws(Failure) -> ApprovalGate? {
    try file.read { database in
      try database.record(ApprovalGate.self, "SELECT record FROM gate WHERE id = ?", [id])
    }
  }

  /// The gate at which a stage's newest result waits, or waited.
  ///
  /// - Throws: `StorageFailed`.
  public func gate(ofStage id: String) throws(Failure) -> ApprovalGate? {
    try file.read { database in
      try database.record(
        ApprovalGate.self,
        "SELECT record FROM gate WHERE stageId = ? ORDER BY id DESC LIMIT 1", [id])
    }
  }

  /// Every decision that was tried at a gate, in order; the first is the one that counts.
  ///
  /// - Throws: `StorageFailed`.
  public func decisions(atGate id: String) throws(Failure) -> [DecisionReceipt] {
    try file.read { database in
      try database.records(
        DecisionReceipt.self, "SELECT record FROM decision WHERE gateId = ? ORDER BY sequence", [id]
      )
    }
  }

  /// Opens a gate.
  ///
  /// - Returns: The gate, with an id of its own where another one has its id.
  /// - Throws: `StorageFailed`.
  public func open(_ gate: ApprovalGate) throws(Failure) -> ApprovalGate {
    try file.write { database in
      var gate = gate
      let isKnown = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM gate WHERE id = ?)", arguments: [gate.gateId])
      if isKnown == true { gate.gateId = Identifier.make() }
      try database.save(gate)
      return gate
    }
  }

  /// Decides a gate; of several decisions the first wins, all are kept.
  ///
  /// - Parameters:
  ///   - id: The gate.
  ///   - decision: What is decided.
  ///   - reason: Why.
  ///   - actor: Who decides.
  ///   - requestId: Names the request: asked again with the same id, it decides once.
  ///   - limits: How often one may decide; nil for a run that decides by itself.
  ///   - now: The present.
  /// - Returns: The receipt of the decision that counts, and whether it is this one.
  /// - Throws: `NotFound` for an unknown gate, `Conflict` for a known request id with other
  ///   contents, `RateLimited`, `StorageFailed`.
  public func decide(
    gate id: String, _ decision: Decision, reason: String?, actor: String,
    requestId: String = Identifier.make(), limits: ActionLimits? = nil, at now: Timestamp = .now
  ) throws(Failure) -> (receipt: DecisionReceipt, isWinner: Bool) {
    let request = DecisionReceipt(
      requestId: requestId, gateId: id, decision: decision, status: .pending, reason: reason,
      actor: actor, ts: now.milliseconds)
    let ledger = RequestLedger(limits: limits, at: now)
    let result = try file.write { database in
      let known = try database.decision(requestId)
      return try ledger.answer(
        request.auditEntry, isSame: known.map { request.isSame(as: $0.receipt) }, in: database
      ) {
        if let known { return .done(try database.repeated(known), known.outcome) }
        return try database.decide(request, at: now)
      }
    }
    let winner = try result.get()
    return (winner.receipt, winner.isWinner)
  }

  /// Closes a gate that waits, because nobody waits for it any more.
  ///
  /// - Throws: `StorageFailed`.
  public func expire(
    gate id: String, reason: String, at now: Timestamp = .now
  ) throws(Failure) {
    try file.write { database in
      guard
        let gate = try database.record(
          ApprovalGate.self, "SELECT record FROM gate WHERE id = ?", [id]),
        gate.status == .pending
      else { return }
      _ = try database.expire(gate, reason: reason, at: now)
    }
  }

  /// Rejects every gate whose time is up.
  ///
  /// - Throws: `StorageFailed`.
  public func expireGates(at now: Timestamp = .now) throws(Failure) {
    let due = """
      SELECT record FROM gate WHERE status = 'pending' AND expiresAt <= ? ORDER BY id
      """
    let isDue = try file.read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (\(due))", arguments: [now.milliseconds]) ?? false
    }
    guard isDue else { return }
    try file.write { database in
      for gate in try database.records(ApprovalGate.self, due, [now.milliseconds]) {
        _ = try database.expire(gate, at: now)
      }
    }
  }
}

extension Database {
  /// Keeps a gate in place of what was known of it.
  package func save(_ gate: ApprovalGate) throws {
    try execute(
      sql: """
        INSERT INTO gate (id, pipelineId, stageId, status, expiresAt, record)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET status = excluded.status, record = excluded.record
        """,
      arguments: [
        gate.gateId, gate.pipelineId, gate.stageId, gate.status.rawValue,
        gate.expiresAt?.milliseconds, try gate.json(),
      ])
  }

  fileprivate func expire(
    _ gate: ApprovalGate, reason: String = "nobody decided in time", at now: Timestamp
  ) throws -> ApprovalGate {
    var gate = gate
    gate.status = .expired
    gate.ts = now.milliseconds
    gate.revision += 1
    try save(gate)
    let receipt = DecisionReceipt(
      requestId: Identifier.make(), gateId: gate.gateId, decision: .reject, status: .expired,
      reason: reason, actor: "agentpipes", ts: now.milliseconds)
    try insert(GateDecision(receipt: receipt, isWinner: true))
    try note(receipt.auditEntry)
    return gate
  }

  /// Decides a gate, unless somebody has.
  fileprivate func decide(
    _ request: DecisionReceipt, at now: Timestamp
  ) throws -> RequestLedger.Answer<GateDecision> {
    let id = request.gateId
    guard
      var gate = try record(ApprovalGate.self, "SELECT record FROM gate WHERE id = ?", [id])
    else { return .failed(Failure(.notFound, "there is no gate '\(id)'", input: id)) }
    if gate.status == .pending, let end = gate.expiresAt, end <= now {
      gate = try expire(gate, at: now)
    }
    let isWinner = gate.status == .pending
    if isWinner {
      gate.status = request.decision.outcome
      gate.ts = now.milliseconds
      gate.revision += 1
      try save(gate)
    }
    var made = GateDecision(receipt: request, isWinner: isWinner)
    made.receipt.status = gate.status
    try insert(made)
    let outcome = made.outcome
    if !isWinner { made.receipt = try winner(atGate: id) ?? made.receipt }
    return .done(made, outcome)
  }

  fileprivate func insert(_ decision: GateDecision) throws {
    let receipt = decision.receipt
    try execute(
      sql: "INSERT INTO decision (gateId, requestId, isWinner, record) VALUES (?, ?, ?, ?)",
      arguments: [
        receipt.gateId, receipt.requestId, decision.isWinner, try receipt.json(),
      ])
  }

  fileprivate func decision(_ requestId: String) throws -> GateDecision? {
    try Row.fetchOne(
      self, sql: "SELECT record, isWinner FROM decision WHERE requestId = ?",
      arguments: [requestId]
    ).map {
      GateDecision(receipt: try DecisionReceipt(json: $0["record"]), isWinner: $0["isWinner"])
    }
  }

  /// What a request that was made before is answered with.
  fileprivate func repeated(_ known: GateDecision) throws -> GateDecision {
    var known = known
    if !known.isWinner { known.receipt = try winner(atGate: known.receipt.gateId) ?? known.receipt }
    known.receipt.replayed = true
    return known
  }

  fileprivate func winner(atGate id: String) throws -> DecisionReceipt? {
    try record(
      DecisionReceipt.self,
      "SELECT record FROM decision WHERE gateId = ? AND isWinner ORDER BY sequence LIMIT 1", [id])
  }
}

/// A decision that was tried at a gate, and whether it is the one that counts.
private struct GateDecision {
  var receipt: DecisionReceipt
  var isWinner: Bool

  /// The word for it in the audit.
  var outcome: String { isWinner ? receipt.status.rawValue : FailureCode.conflict.rawValue }
}

extension DecisionReceipt {
  /// The decision as the audit has it, before it is known what came of it.
  fileprivate var auditEntry: AuditEntry {
    AuditEntry(
      ts: ts, target: .gate, id: gateId, action: decision.rawValue, requestId: requestId,
      actor: actor, reason: reason, outcome: status.rawValue)
  }

  fileprivate func isSame(as earlier: DecisionReceipt) -> Bool {
    earlier.gateId == gateId && earlier.decision == decision && earlier.reason == reason
  }
}

extension FailureKind {
  /// The gate's time is over.
  public static let expired = Self(rawValue: "expired")
}
