public import Core
public import Storage

extension Store {
  /// Returns the gates with the given status, from oldest to newest; all gates if the status is
  /// nil.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func gates(status: GateStatus? = nil) throws(Failure) -> [ApprovalGate] {
    try base.read { rows in
      guard let status else {
        return try rows.records(ApprovalGate.self, "SELECT record FROM gate ORDER BY id")
      }
      return try rows.records(
        ApprovalGate.self, "SELECT record FROM gate WHERE status = ? ORDER BY id",
        [status.rawValue])
    }
  }

  /// Returns the gate with the given id; nil if there is no such gate.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func gate(_ id: String) throws(Failure) -> ApprovalGate? {
    try base.read { try $0.gate(id) }
  }

  /// Returns the gate of the given stage's newest result; nil if there is none.
  ///
  /// The gate may be pending or decided.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func gate(ofStage id: String) throws(Failure) -> ApprovalGate? {
    try base.read { rows in
      try rows.record(
        ApprovalGate.self,
        "SELECT record FROM gate WHERE stageId = ? ORDER BY id DESC LIMIT 1", [id])
    }
  }

  /// Returns every decision submitted for the given gate, in the order of submission.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func decisions(atGate id: String) throws(Failure) -> [DecisionReceipt] {
    try base.read { rows in
      try rows.records(
        DecisionReceipt.self, "SELECT record FROM decision WHERE gateId = ? ORDER BY sequence", [id]
      )
    }
  }

  /// Stores the given gate as a new gate.
  ///
  /// - Returns: The gate, with a new id if another gate has its id.
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func open(_ gate: ApprovalGate) throws(Failure) -> ApprovalGate {
    try base.write { try $0.open(gate) }
  }

  /// Stores the given gate, which an agent's command printed, as a new gate.
  ///
  /// A tool that the command runs may have opened the gate before it printed it. That gate is then
  /// not opened again. While it is pending, it gets the agent and the swarm of the given one, unless
  /// it belongs to another agent.
  ///
  /// - Returns: The stored gate, with a new id if a gate with another question has its id.
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func open(printed gate: ApprovalGate) throws(Failure) -> ApprovalGate {
    try base.write { rows in
      guard let found = try rows.gate(gate.gateId), found.isPrinted(as: gate) else {
        return try rows.open(gate)
      }
      var joined = found
      joined.agentId = found.agentId ?? gate.agentId
      guard found.status == .pending, joined.agentId == gate.agentId else { return found }
      joined.swarmId = found.swarmId ?? gate.swarmId
      guard joined != found else { return found }
      joined.ts = rows.now.milliseconds
      joined.revision += 1
      try rows.save(joined)
      return joined
    }
  }

  /// Stores the given gate, unless there is a gate with its id.
  ///
  /// - Returns: The gate with the id, which may be decided.
  /// - Throws: `Conflict` if the gate with the id asks another question, or was opened by another
  ///   user; `StorageFailed` if the store cannot be written.
  public func find(orOpen gate: ApprovalGate) throws(Failure) -> ApprovalGate {
    let found = try base.write { rows in
      if let found = try rows.gate(gate.gateId) { return found }
      try rows.save(gate)
      return gate
    }
    guard found.asksSame(as: gate) else {
      throw Failure(
        .conflict, "gate '\(gate.gateId)' asks another question", input: gate.gateId)
    }
    return found
  }

  /// Submits a decision for the given gate.
  ///
  /// All decisions are stored, but only the first one takes effect.
  ///
  /// - Parameters:
  ///   - id: The gate's id.
  ///   - decision: The decision.
  ///   - reason: The reason that the person gives.
  ///   - actor: The name of the person who decides.
  ///   - deviceId: The id of the person's device at a hub; nil for the hub's operator.
  ///   - requestId: The id of the request. A second request with the same id has no effect.
  ///   - limits: The rate limits; nil if a run makes the decision.
  ///   - isHere: `true` to decide the gate even if a hub owns it.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The receipt of the decision in effect. The flag is `true` if that is the given
  ///   decision.
  /// - Throws: `NotFound` if there is no such gate; `Conflict` if an earlier request with the same
  ///   id has other content; `Conflict` of kind `held`, with the hub's URL, if a hub owns the gate;
  ///   `RateLimited` if the actor exceeds a rate limit; `StorageFailed` if the store cannot be
  ///   used.
  public func decide(
    gate id: String, _ decision: Decision, reason: String?, actor: String, deviceId: String? = nil,
    requestId: String = Identifier.make(), limits: ActionLimits? = nil, isHere: Bool = false,
    at now: Timestamp? = nil
  ) throws(Failure) -> (receipt: DecisionReceipt, isWinner: Bool) {
    let result = try base.write { rows in
      let now = now ?? rows.now
      var request = DecisionReceipt(
        requestId: requestId, gateId: id, decision: decision, status: .pending, reason: reason,
        actor: actor, ts: now.milliseconds)
      request.deviceId = deviceId
      let ledger = RequestLedger(limits: limits, at: now)
      let known = try rows.decision(requestId)
      return try ledger.answer(
        request.auditEntry, isSame: known.map { request.isSame(as: $0.receipt) }, in: rows
      ) { () throws(Failure) in
        if let known { return .done(try rows.repeated(known), known.outcome) }
        return try rows.decide(request, isHere: isHere, at: now)
      }
    }
    let winner = try result.get()
    return (winner.receipt, winner.isWinner)
  }

  /// Closes the given gate if it is pending, because no run waits for it any longer.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func expire(
    gate id: String, reason: String, at now: Timestamp? = nil
  ) throws(Failure) {
    try base.write { try $0.expire(gate: id, reason: reason, at: now ?? $0.now) }
  }

  /// Replaces the local state of the given gate with the hub's decision.
  ///
  /// A decision that was made on this machine no longer has effect.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func settle(
    gate id: String, by receipt: DecisionReceipt, at now: Timestamp? = nil
  ) throws(Failure) {
    try base.write { rows in
      try rows.run("UPDATE gateHub SET isTold = 1, isHeld = 0 WHERE gateId = ?", [id])
      guard var gate = try rows.gate(id),
        try rows.winner(atGate: id)?.requestId != receipt.requestId
      else { return }
      if gate.status != receipt.status {
        gate.status = receipt.status
        gate.ts = (now ?? rows.now).milliseconds
        gate.revision += 1
        try rows.save(gate)
      }
      try rows.run("UPDATE decision SET isWinner = 0 WHERE gateId = ?", [id])
      let isKnown = try rows.run(
        "UPDATE decision SET isWinner = 1 WHERE requestId = ?", [receipt.requestId])
      guard isKnown == 0 else { return }
      var receipt = receipt
      receipt.replayed = false
      try rows.insert(GateDecision(receipt: receipt, isWinner: true))
      try rows.record(receipt.auditEntry)
    }
  }

  /// Rejects every gate whose time has expired.
  ///
  /// Gates that a hub owns are left to the hub.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func expireGates(at now: Timestamp? = nil) throws(Failure) {
    let due = """
      SELECT record FROM gate WHERE status = 'pending' AND expiresAt <= ?
        AND id NOT IN (SELECT gateId FROM gateHub WHERE isHeld = 1) ORDER BY id
      """
    guard try base.read({ try $0.has("\(due) LIMIT 1", [(now ?? $0.now).milliseconds]) }) else {
      return
    }
    try base.write { rows in
      let now = now ?? rows.now
      for gate in try rows.records(ApprovalGate.self, due, [now.milliseconds]) {
        _ = try rows.expire(gate, at: now)
      }
    }
  }
}

extension Rows {
  /// Stores the given gate, replacing its earlier state.
  package func save(_ gate: ApprovalGate) throws(Failure) {
    try run(
      """
      INSERT INTO gate (id, pipelineId, stageId, status, expiresAt, record)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET status = excluded.status, record = excluded.record
      """,
      [
        gate.gateId, gate.pipelineId, gate.stageId, gate.status.rawValue,
        gate.expiresAt?.milliseconds, try gate.json(),
      ])
  }

  /// Stores the given gate as a new gate, with a new id if another gate has its id.
  fileprivate func open(_ gate: ApprovalGate) throws(Failure) -> ApprovalGate {
    var gate = gate
    if try has("SELECT 1 FROM gate WHERE id = ?", [gate.gateId]) {
      gate.gateId = Identifier.make()
    }
    try save(gate)
    return gate
  }

  /// Closes the given gate if it is pending, because no run waits for it any longer.
  package func expire(gate id: String, reason: String, at now: Timestamp) throws(Failure) {
    guard let gate = try gate(id), gate.status == .pending else { return }
    _ = try expire(gate, reason: reason, at: now)
  }

  fileprivate func gate(_ id: String) throws(Failure) -> ApprovalGate? {
    try record(ApprovalGate.self, "SELECT record FROM gate WHERE id = ?", [id])
  }

  fileprivate func expire(
    _ gate: ApprovalGate, reason: String = "nobody decided in time", at now: Timestamp
  ) throws(Failure) -> ApprovalGate {
    var gate = gate
    gate.status = .expired
    gate.ts = now.milliseconds
    gate.revision += 1
    try save(gate)
    let receipt = DecisionReceipt(
      requestId: Identifier.make(), gateId: gate.gateId, decision: .reject, status: .expired,
      reason: reason, actor: "agentpipes", ts: now.milliseconds)
    try insert(GateDecision(receipt: receipt, isWinner: true))
    try record(receipt.auditEntry)
    return gate
  }

  /// Stores the given decision.
  ///
  /// It takes effect if its gate is still pending.
  fileprivate func decide(
    _ request: DecisionReceipt, isHere: Bool, at now: Timestamp
  ) throws(Failure) -> RequestLedger.Answer<GateDecision> {
    let id = request.gateId
    guard var gate = try gate(id) else {
      return .failed(Failure(.notFound, "there is no gate '\(id)'", input: id))
    }
    if !isHere, let hub = try hub(ofGate: id), hub.isOwner {
      return .failed(
        Failure(
          .conflict, "'\(hub.url)' owns gate '\(id)'", kind: .held, url: hub.url, input: id))
    }
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

  fileprivate func insert(_ decision: GateDecision) throws(Failure) {
    let receipt = decision.receipt
    try run(
      "INSERT INTO decision (gateId, requestId, isWinner, record) VALUES (?, ?, ?, ?)",
      [receipt.gateId, receipt.requestId, decision.isWinner, try receipt.json()])
  }

  fileprivate func decision(_ requestId: String) throws(Failure) -> GateDecision? {
    try first("SELECT record, isWinner FROM decision WHERE requestId = ?", [requestId]) { row in
      GateDecision(
        receipt: try DecisionReceipt(json: row["record"]), isWinner: try row["isWinner"])
    }
  }

  /// Returns the answer to a request that repeats the given decision.
  fileprivate func repeated(_ known: GateDecision) throws(Failure) -> GateDecision {
    var known = known
    if !known.isWinner { known.receipt = try winner(atGate: known.receipt.gateId) ?? known.receipt }
    known.receipt.replayed = true
    return known
  }

  fileprivate func winner(atGate id: String) throws(Failure) -> DecisionReceipt? {
    try record(
      DecisionReceipt.self,
      """
      SELECT record FROM decision WHERE gateId = ? AND isWinner = 1 ORDER BY sequence LIMIT 1
      """, [id])
  }
}

extension ApprovalGate {
  /// Returns `true` if the given printed gate has the same question, asked by the same user at the
  /// same time.
  fileprivate func isPrinted(as other: ApprovalGate) -> Bool {
    body.summary == other.body.summary && body.context == other.body.context
      && body.requestedBy == other.body.requestedBy && body.requestedAt == other.body.requestedAt
  }

  /// Returns `true` if the given gate has the same question, asked by the same user for the same
  /// agent.
  fileprivate func asksSame(as other: ApprovalGate) -> Bool {
    body.summary == other.body.summary && body.context == other.body.context
      && body.requestedBy == other.body.requestedBy && head.agentId == other.head.agentId
      && head.swarmId == other.head.swarmId
  }
}

/// A decision submitted for a gate.
///
/// The flag is `true` if the decision is in effect.
private struct GateDecision {
  var receipt: DecisionReceipt
  var isWinner: Bool

  /// The outcome that the audit log records for the request.
  var outcome: String { isWinner ? receipt.status.rawValue : FailureCode.conflict.rawValue }
}

extension DecisionReceipt {
  /// The audit entry of the decision, still without an outcome.
  fileprivate var auditEntry: AuditEntry {
    AuditEntry(
      ts: ts, target: .gate, id: gateId, action: decision.rawValue, requestId: requestId,
      actor: actor, deviceId: deviceId, reason: reason, outcome: status.rawValue)
  }

  fileprivate func isSame(as earlier: DecisionReceipt) -> Bool {
    earlier.gateId == gateId && earlier.decision == decision && earlier.reason == reason
  }
}

extension FailureKind {
  /// The kind of a failure about a gate whose time has expired.
  public static let expired = Self(rawValue: "expired")
}
