public import Core
import Events
import Requests
import Storage

/// A question to people, which is asked by opening an approval gate.
public struct GateQuestion: Sendable {
  /// The decision that is to be made, as a sentence.
  public var summary: String
  /// The name of the person or program that asks.
  public var requestedBy: String
  /// The facts on which the decision depends.
  public var context = GateContext()
  /// The ID of the agent that waits for the decision; nil for none.
  public var agentId: String?
  /// The ID of the swarm that waits for the decision; nil for none.
  public var swarmId: String?
  /// The number of seconds after which the gate expires; nil for no limit.
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
  /// Opens a gate with the given question.
  ///
  /// - Returns: The gate.
  /// - Throws: `StorageFailed` if the store cannot be changed.
  public func open(
    _ question: GateQuestion, at now: Timestamp? = nil
  ) throws(Failure) -> ApprovalGate {
    let gate = try store.open(question.gate(at: now ?? store.now))
    journal.record([gate.event])
    return gate
  }

  /// Opens a gate with the given question and waits for its decision.
  ///
  /// - Parameters:
  ///   - question: The question to decide.
  ///   - interruption: The interruption that ends the wait.
  ///   - show: A closure that receives each state of the gate.
  /// - Throws: `UserRejected` if the gate is not approved; its kind is `expired` if nobody decided
  ///   in time; `Interrupted` if the wait was interrupted; the errors of `show`; `StorageFailed` if
  ///   the store cannot be changed. After an interruption, the gate expires.
  public func ask(
    _ question: GateQuestion, interruption: Interruption,
    show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure) {
    let gate = try open(question)
    let decided: ApprovalGate?
    do throws(Failure) {
      try show(gate)
      let watch = GateWatch(store: store)
      decided = try watch.decision(
        gateId: gate.gateId, seconds: nil, interruption: interruption)
    } catch {
      // Nobody waits any longer, so a decision would have no effect.
      try store.expire(gate: gate.gateId, reason: "the asking process ended")
      if let gate = try store.gate(gate.gateId) {
        journal.record([gate.event])
        // The reader of the output may be gone, which may be why the wait ended.
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

  /// Returns the failure that reports that the given gate was not approved.
  ///
  /// - Parameters:
  ///   - gate: The gate, as decided.
  ///   - decisions: The attempted decisions. The one that took effect states the reason.
  /// - Returns: `UserRejected`; its kind is `expired` if nobody decided in time.
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
