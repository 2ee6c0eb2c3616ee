import GRDB

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
        DecisionReceipt.self, "SELECT record FROM audit WHERE gateId = ? ORDER BY sequence", [id])
    }
  }

  /// Decides a gate; of several decisions the first wins, all are kept.
  ///
  /// - Returns: The receipt of the decision that counts, and whether it is this one.
  /// - Throws: `NotFound` for an unknown gate, `StorageFailed`.
  public func decide(
    gate id: String, _ decision: Decision, reason: String?, actor: String,
    requestId: String = Identifier.make(), at now: Timestamp = .now
  ) throws(Failure) -> (receipt: DecisionReceipt, isWinner: Bool) {
    try file.write { database in
      guard
        var gate = try database.record(
          ApprovalGate.self, "SELECT record FROM gate WHERE id = ?", [id])
      else { throw Failure(.notFound, "there is no gate '\(id)'", input: id) }
      if gate.status == .pending, let end = gate.expiresAt, end <= now {
        gate = try database.expire(gate, at: now)
      }
      let isWinner = gate.status == .pending
      if isWinner {
        gate.status = decision.outcome
        gate.ts = now.milliseconds
        gate.revision += 1
        try database.save(gate)
      }
      let receipt = DecisionReceipt(
        requestId: requestId, gateId: id, decision: decision, status: gate.status, reason: reason,
        actor: actor, ts: now.milliseconds)
      try database.insert(receipt, isWinner: isWinner)
      return (isWinner ? receipt : try database.winner(atGate: id) ?? receipt, isWinner)
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
  func save(_ gate: ApprovalGate) throws {
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

  fileprivate func expire(_ gate: ApprovalGate, at now: Timestamp) throws -> ApprovalGate {
    var gate = gate
    gate.status = .expired
    gate.ts = now.milliseconds
    gate.revision += 1
    try save(gate)
    try insert(
      DecisionReceipt(
        requestId: Identifier.make(), gateId: gate.gateId, decision: .reject, status: .expired,
        reason: "nobody decided in time", actor: "agentpipes", ts: now.milliseconds),
      isWinner: true)
    return gate
  }

  fileprivate func insert(_ receipt: DecisionReceipt, isWinner: Bool) throws {
    try execute(
      sql: "INSERT INTO audit (gateId, requestId, isWinner, record) VALUES (?, ?, ?, ?)",
      arguments: [receipt.gateId, receipt.requestId, isWinner, try receipt.json()])
  }

  fileprivate func winner(atGate id: String) throws -> DecisionReceipt? {
    try record(
      DecisionReceipt.self,
      "SELECT record FROM audit WHERE gateId = ? AND isWinner ORDER BY sequence LIMIT 1", [id])
  }
}
