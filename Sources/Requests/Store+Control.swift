public import Core
public import Storage

/// A person's request to send a control to an agent, or to all agents in a swarm.
public struct ControlRequest: Sendable, Hashable {
  /// The id of the request.
  ///
  /// A second request with the same id has no effect.
  public var requestId: String
  /// The kind of object that the control is for.
  public var target: ControlTarget
  /// The id of the agent or swarm that the control is for.
  public var id: String
  /// The requested action.
  public var action: ControlAction
  /// The reason for the request, which the requester states.
  public var reason: String
  /// The name of the requester.
  public var actor: String
  /// The id of the device that sent the request to a hub; nil for the hub's operator.
  public var deviceId: String?

  /// Creates the request.
  public init(
    requestId: String = Identifier.make(), target: ControlTarget, id: String,
    action: ControlAction, reason: String, actor: String = LoginName.current,
    deviceId: String? = nil
  ) {
    self.requestId = requestId
    self.target = target
    self.id = id
    self.action = action
    self.reason = reason
    (self.actor, self.deviceId) = (actor, deviceId)
  }
}

extension Store {
  /// Stores a control for each agent that the given request is for.
  ///
  /// The agents answer the control later. Every request is recorded in the audit log, including
  /// refused ones.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - standing: The last known state of the agent or swarm; nil if it is unknown.
  ///   - limits: The rate limits.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The receipt with the outcome `accepted`, `refused` or `unreachable`. For a repeated
  ///   request, the receipt has the current outcome, and `replayed` is `true`.
  /// - Throws: `Conflict` if an earlier request with the same id has other content; `RateLimited`
  ///   if the actor exceeds a rate limit; `NotFound` if there is no such agent or swarm;
  ///   `StorageFailed` if the store cannot be used.
  public func submit(
    _ request: ControlRequest, standing: AgentStatus?, limits: ActionLimits = ActionLimits(),
    at now: Timestamp? = nil
  ) throws(Failure) -> ControlReceipt {
    // An earlier request with this id may still be unsettled.
    _ = try settle(request.requestId, at: now)
    let gone = try gone { try $0.runners(request.target, request.id) }
    return try base.write { rows in
      let now = now ?? rows.now
      let ledger = RequestLedger(limits: limits, at: now)
      let known = try rows.receipt(request.requestId)
      return try ledger.answer(
        request.auditEntry("", now), isSame: known.map(request.isSame), in: rows
      ) { () throws(Failure) in
        guard var known else {
          return try rows.deliver(request, standing, without: gone, at: now)
        }
        known.replayed = true
        return .done(known, known.outcome.rawValue)
      }
    }.get()
  }

  /// Returns the current receipt of the given request; nil if there is no such request.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func receipt(_ requestId: String) throws(Failure) -> ControlReceipt? {
    try base.read { rows in try rows.receipt(requestId) }
  }

  /// Records `unreachable` for each agent of the request whose process ended without an answer.
  ///
  /// If all agents then have an outcome, the request is settled.
  ///
  /// - Returns: The current receipt; nil if there is no such request.
  /// - Throws: `StorageFailed` if the store cannot be used.
  public func settle(
    _ requestId: String, at now: Timestamp? = nil
  ) throws(Failure) -> ControlReceipt? {
    let gone = try gone { try $0.runners(toAnswer: requestId) }
    return try base.write { rows in
      let living = try rows.runners(toAnswer: requestId).living(without: gone, at: rows.now)
        .map(\.agentId)
      let waiting = try rows.values(
        String.self, "SELECT agentId FROM delivery WHERE requestId = ? AND outcome IS NULL",
        [requestId])
      for agentId in waiting where !living.contains(agentId) {
        try rows.run(
          "UPDATE delivery SET outcome = ? WHERE requestId = ? AND agentId = ?",
          [ControlOutcome.unreachable.rawValue, requestId, agentId])
      }
      if !waiting.isEmpty { try rows.settle(requestId, at: now ?? rows.now) }
      return try rows.receipt(requestId)
    }
  }

  /// Returns the unanswered controls for the given agents of this process, in order of arrival.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func pendingControls(agents: [String]) throws(Failure) -> [PendingControl] {
    try base.read { rows in try rows.pendingControls(agents) }
  }

  /// Returns the unanswered controls for agents whose runner names the given lock, in order of
  /// arrival.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func pendingControls(lock: String) throws(Failure) -> [PendingControl] {
    try base.read { rows in
      let agents = try rows.values(
        String.self,
        """
        SELECT DISTINCT agentId FROM delivery JOIN runner USING (agentId, sessionId)
        WHERE outcome IS NULL AND lock = ?
        """, [lock])
      return try rows.pendingControls(agents)
    }
  }

  /// Records an agent's answer to the given control.
  ///
  /// After the last answer, the request is settled. Its receipt has the first note.
  ///
  /// - Returns: The event for the log. It is nil if the control was already answered, or if the
  ///   control is for a swarm and the agent did not apply it.
  /// - Throws: `StorageFailed` if the store cannot be used.
  public func answer(
    _ control: PendingControl, _ outcome: ControlOutcome, note: String? = nil,
    swarmId: String? = nil, at now: Timestamp? = nil
  ) throws(Failure) -> Control? {
    try base.write { rows in
      let now = now ?? rows.now
      let receipt = try rows.record(
        outcome, note: note, of: control.agentId, to: control.requestId, at: now)
      return receipt?.event(outcome, ofAgent: control.agentId, in: swarmId, at: now)
    }
  }

  /// Records the answer of the given runner to the control with the given request id.
  ///
  /// - Returns: The event for the log, and the current receipt; nil if there is no such request. If
  ///   the runner answered before, the event is that of ``earlierAnswer(to:ofAgent:session:at:)``.
  /// - Throws: `StorageFailed` if the store cannot be used.
  package func answer(
    _ requestId: String, of runner: Runner, _ outcome: ControlOutcome, note: String? = nil,
    at now: Timestamp? = nil
  ) throws(Failure) -> (event: Control?, receipt: ControlReceipt)? {
    try base.write { rows in
      let now = now ?? rows.now
      let isKnown = try rows.has(
        "SELECT 1 FROM delivery WHERE requestId = ? AND agentId = ? AND sessionId = ?",
        [requestId, runner.agentId, runner.sessionId])
      let made =
        isKnown
        ? try rows.record(outcome, note: note, of: runner.agentId, to: requestId, at: now) : nil
      let event =
        if let made {
          made.event(outcome, ofAgent: runner.agentId, in: runner.swarmId, at: now)
        } else {
          try rows.earlierAnswer(to: requestId, runner.agentId, session: runner.sessionId, at: now)
        }
      return try rows.receipt(requestId).map { (event, $0) }
    }
  }

  /// Returns the event of the answer that the given run of an agent gave before.
  ///
  /// The process that recorded the answer may have ended before it logged the event. If it did log
  /// it, the event's `srcId` removes the duplicate.
  ///
  /// - Returns: The event; nil if the run gave no answer, or counted as ended before it did, or if
  ///   the control is for a swarm and the agent did not apply it.
  /// - Throws: `StorageFailed` if the store cannot be read.
  package func earlierAnswer(
    to requestId: String, ofAgent agentId: String, session: String, at now: Timestamp? = nil
  ) throws(Failure) -> Control? {
    try base.read { rows in
      try rows.earlierAnswer(to: requestId, agentId, session: session, at: now ?? rows.now)
    }
  }

  /// Returns `true` if the given request was stored for an agent, which answers it.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  package func isDelivered(_ requestId: String) throws(Failure) -> Bool {
    try base.read { try $0.has("SELECT 1 FROM delivery WHERE requestId = ? LIMIT 1", [requestId]) }
  }
}

extension ControlReceipt {
  /// Returns the event that reports the given agent's answer.
  ///
  /// It is nil if the control is for a swarm and the agent did not apply it.
  fileprivate func event(
    _ outcome: ControlOutcome, ofAgent agentId: String, in swarmId: String?, at now: Timestamp
  ) -> Control? {
    guard outcome == .applied || target == .agent else { return nil }
    var event = Control(
      ts: now.milliseconds, requestId: requestId, target: target, action: action, reason: reason,
      actor: actor, outcome: outcome)
    event.srcId = "control:\(requestId):\(agentId)"
    event.swarmId = swarmId
    event.agentId = agentId
    return event
  }
}

extension ControlRequest {
  fileprivate init(_ receipt: ControlReceipt) {
    self.init(
      requestId: receipt.requestId, target: receipt.target, id: receipt.id, action: receipt.action,
      reason: receipt.reason, actor: receipt.actor, deviceId: receipt.deviceId)
  }

  fileprivate func isSame(as receipt: ControlReceipt) -> Bool {
    var earlier = ControlRequest(receipt)
    // The same action may be requested again by another person.
    (earlier.actor, earlier.deviceId) = (actor, deviceId)
    return self == earlier
  }

  fileprivate func auditEntry(_ outcome: String, _ now: Timestamp) -> AuditEntry {
    AuditEntry(
      ts: now.milliseconds, target: target == .agent ? .agent : .swarm, id: id,
      action: action.rawValue, requestId: requestId, actor: actor, deviceId: deviceId,
      reason: reason, outcome: outcome)
  }
}

extension Rows {
  fileprivate func pendingControls(_ agents: [String]) throws(Failure) -> [PendingControl] {
    var pending: [(PendingControl, Int64)] = []
    for agent in agents {
      let receipts = try records(
        ControlReceipt.self,
        """
        SELECT record FROM delivery JOIN control USING (requestId)
        JOIN runner USING (agentId, sessionId)
        WHERE delivery.agentId = ? AND outcome IS NULL
        """, [agent])
      pending += receipts.map {
        (
          PendingControl(
            requestId: $0.requestId, agentId: agent, action: $0.action, reason: $0.reason,
            actor: $0.actor), $0.ts
        )
      }
    }
    return pending.sorted { ($0.1, $0.0.requestId) < ($1.1, $1.0.requestId) }.map(\.0)
  }

  fileprivate func receipt(_ requestId: String) throws(Failure) -> ControlReceipt? {
    try record(
      ControlReceipt.self, "SELECT record FROM control WHERE requestId = ?", [requestId])
  }

  /// Records an agent's answer, and settles the request after the last one.
  ///
  /// - Returns: The receipt; nil if the control was already answered.
  fileprivate func record(
    _ outcome: ControlOutcome, note: String?, of agentId: String, to requestId: String,
    at now: Timestamp
  ) throws(Failure) -> ControlReceipt? {
    let count = try run(
      "UPDATE delivery SET outcome = ? WHERE requestId = ? AND agentId = ? AND outcome IS NULL",
      [outcome.rawValue, requestId, agentId])
    guard count > 0, var receipt = try receipt(requestId) else { return nil }
    if let note, receipt.note == nil {
      receipt.note = receipt.target == .swarm ? "agent '\(agentId)': \(note)" : note
      try save(receipt)
    }
    try settle(requestId, at: now)
    return receipt
  }

  /// Returns the event of an earlier answer; see ``Store/earlierAnswer(to:ofAgent:session:at:)``.
  fileprivate func earlierAnswer(
    to requestId: String, _ agentId: String, session: String, at now: Timestamp
  ) throws(Failure) -> Control? {
    let outcome = try values(
      String.self,
      """
      SELECT outcome FROM delivery
      WHERE requestId = ? AND agentId = ? AND sessionId = ? AND outcome IS NOT NULL
      """, [requestId, agentId, session]
    ).first.flatMap(ControlOutcome.init(rawValue:))
    guard let outcome, outcome != .unreachable, let receipt = try receipt(requestId) else {
      return nil
    }
    let runner = try runners(.agent, agentId).map(\.runner).first { $0.sessionId == session }
    return receipt.event(outcome, ofAgent: agentId, in: runner?.swarmId, at: now)
  }

  /// Stores the given request, and a control for each live agent that it is for.
  fileprivate func deliver(
    _ request: ControlRequest, _ standing: AgentStatus?, without gone: Set<Runner>?,
    at now: Timestamp
  ) throws(Failure) -> RequestLedger.Answer<ControlReceipt> {
    let runners = try runners(request.target, request.id)
    guard !runners.isEmpty || standing != nil else {
      return .failed(
        Failure(
          .notFound, "there is no \(request.target.rawValue) '\(request.id)'", input: request.id))
    }
    let living = runners.living(without: gone, at: self.now)
    let hasEnded = standing.map { !$0.isActive && $0 != .lost } ?? false
    var receipt = ControlReceipt(
      requestId: request.requestId, target: request.target, id: request.id,
      action: request.action, reason: request.reason, actor: request.actor,
      outcome: !living.isEmpty ? .accepted : hasEnded ? .refused : .unreachable,
      ts: now.milliseconds)
    receipt.deviceId = request.deviceId
    try save(receipt)
    for runner in living {
      try run(
        "INSERT INTO delivery (requestId, agentId, sessionId) VALUES (?, ?, ?)",
        [request.requestId, runner.agentId, runner.sessionId])
    }
    return .done(receipt, receipt.outcome.rawValue)
  }

  /// Settles the given request if all its agents have an outcome.
  func settle(_ requestId: String, at now: Timestamp) throws(Failure) {
    let outcomes = try values(
      String?.self, "SELECT outcome FROM delivery WHERE requestId = ?", [requestId])
    guard !outcomes.contains(nil), var receipt = try receipt(requestId),
      receipt.outcome == .accepted
    else { return }
    let order: [ControlOutcome] = [.applied, .refused, .unreachable]
    receipt.outcome = order.first { outcomes.contains($0.rawValue) } ?? .unreachable
    try save(receipt)
    try record(ControlRequest(receipt).auditEntry(receipt.outcome.rawValue, now))
  }

  fileprivate func save(_ receipt: ControlReceipt) throws(Failure) {
    try run(
      """
      INSERT INTO control (requestId, target, id, record) VALUES (?, ?, ?, ?)
      ON CONFLICT (requestId) DO UPDATE SET record = excluded.record
      """, [receipt.requestId, receipt.target.rawValue, receipt.id, try receipt.json()])
  }
}
