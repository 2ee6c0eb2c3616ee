public import Core
import Events
import Requests

/// What somebody asks at a gate of their own.
public struct GateQuestion: Sendable {
  /// What is to be decided, in a sentence.
  public var summary: String
  /// Who asks.
  public var requestedBy: String
  /// What to know before deciding.
  public var context = GateContext()
  /// The agent that waits.
  public var agentId: String?
  /// The swarm that waits.
  public var swarmId: String?
  /// After how many seconds it is rejected when nobody decided; nil waits on.
  public var timeout: Double?

  /// Creates the question.
  public init(_ summary: String, by requestedBy: String) {
    self.summary = summary
    self.requestedBy = requestedBy
  }

  fileprivate func gate(at now: Timestamp) -> ApprovalGate {
    var gate = ApprovalGate(
      ts: now.milliseconds, gateId: Identifier.make(), status: .pending, summary: summary,
      requestedAt: now)
    gate.expiresAt = timeout.map { now.adding(seconds: $0) }
    gate.requestedBy = requestedBy
    gate.agentId = agentId
    gate.swarmId = swarmId
    gate.context = context == GateContext() ? nil : context
    return gate
  }
}

extension Gates {
  /// Opens a gate, for whoever decides it.
  ///
  /// - Returns: The gate.
  /// - Throws: `StorageFailed`.
  public func open(_ question: GateQuestion, at now: Timestamp) throws(Failure) -> ApprovalGate {
    let gate = try store.open(question.gate(at: now))
    journal.record([gate.event])
    return gate
  }

  /// Opens a gate and waits for its decision.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - interruption: Ends the wait.
  ///   - clock: Tells the present.
  ///   - show: Is given each state of the gate.
  /// - Throws: `UserRejected` unless it is approved, of the kind `expired` when nobody decided in time;
  ///   `Interrupted`; what `show` throws; `StorageFailed`. A gate that nobody waits for any more has
  ///   expired.
  public func ask(
    _ question: GateQuestion, interruption: Interruption, clock: () -> Timestamp = { .now },
    show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure) {
    let gate = try open(question, at: clock())
    let decided: ApprovalGate?
    do throws(Failure) {
      try show(gate)
      let watch = GateWatch(store: store)
      decided = try watch.decision(
        gateId: gate.gateId, seconds: nil, interruption: interruption)
    } catch {
      // Nobody waits any more: what is decided now would do nothing.
      try store.expire(gate: gate.gateId, reason: "the asking process ended", at: clock())
      if let gate = try store.gate(gate.gateId) {
        journal.record([gate.event])
        // The reader may be what went away.
        try? show(gate)
      }
      throw error
    }
    guard let decided else { return }
    journal.record([decided.event])
    try show(decided)
    guard decided.status != .approved else { return }
    throw Self.rejection(of: decided, try store.decisions(atGate: decided.gateId))
  }

  /// Why what was asked at a gate may not be done.
  ///
  /// - Parameters:
  ///   - gate: The gate.
  ///   - decisions: Those that were tried at it; the one that counts tells the reason.
  /// - Returns: `UserRejected`, of the kind `expired` when nobody decided in time.
  public static func rejection(
    of gate: ApprovalGate, _ decisions: [DecisionReceipt]
  ) -> Failure {
    let reason = decisions.first { $0.status == gate.status }?.reason
    return Failure(
      .userRejected,
      "gate '\(gate.gateId)' is \(gate.status.rawValue)" + (reason.map { ": \($0)" } ?? ""),
      kind: gate.status == .expired ? .expired : nil, input: gate.gateId)
  }
}
