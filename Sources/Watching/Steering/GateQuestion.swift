public import Core
import Events
import Requests

/// A question at a gate that its author opens.
public struct GateQuestion: Sendable {
  /// The decision to make, in a sentence.
  public var summary: String
  /// The author's name.
  public var requestedBy: String
  /// Facts for the decision.
  public var context = GateContext()
  /// The agent that waits.
  public var agentId: String?
  /// The swarm that waits.
  public var swarmId: String?
  /// The seconds after which the gate expires; nil for no limit.
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
  /// Opens a gate for somebody to decide.
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
  ///   - question: The question.
  ///   - interruption: Ends the wait.
  ///   - clock: Returns the current time.
  ///   - show: A closure that receives each state of the gate.
  /// - Throws: `UserRejected` unless it is approved, of the kind `expired` if nobody decided in
  ///   time; `Interrupted`; the errors of `show`; `StorageFailed`. A gate whose wait was abandoned
  ///   expires.
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
      // Nobody waits any more, so a decision now would have no effect.
      try store.expire(gate: gate.gateId, reason: "who asked went away", at: clock())
      if let gate = try store.gate(gate.gateId) {
        journal.record([gate.event])
        // The output's reader may be gone, which would end the wait.
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

  /// Returns the failure of a gate that was not approved.
  ///
  /// - Parameters:
  ///   - gate: The gate.
  ///   - decisions: The attempted decisions; the effective one has the reason.
  /// - Returns: `UserRejected`, of the kind `expired` if nobody decided in time.
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
