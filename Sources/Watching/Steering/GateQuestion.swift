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
  /// The ID of the gate; nil for a new ID.
  ///
  /// If the same question was asked with this ID before, its gate is the question's gate.
  public var gateId: String?
  /// Returns the reason with which the gate is closed if the wait is interrupted.
  public var withdrawal: @Sendable () -> String = { "the asking process ended" }

  /// Creates the question.
  public init(_ summary: String, by requestedBy: String) {
    self.summary = summary
    self.requestedBy = requestedBy
  }

  fileprivate func gate(at now: Timestamp) -> ApprovalGate {
    var gate = ApprovalGate(
      ts: now.milliseconds, gateId: gateId ?? Identifier.make(), status: .pending,
      summary: summary, requestedAt: now)
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
  /// - Returns: The gate. If the question has an ID with which it was asked before, it is the gate
  ///   of that time, which may be decided.
  /// - Throws: `Conflict` if another question was asked with the ID; `StorageFailed` if the store
  ///   cannot be changed.
  public func open(
    _ question: GateQuestion, at now: Timestamp? = nil
  ) throws(Failure) -> ApprovalGate {
    let asked = question.gate(at: now ?? store.now)
    let gate = try question.gateId == nil ? store.open(asked) : store.find(orOpen: asked)
    journal.record([gate.event])
    return gate
  }

  /// Opens a gate with the given question and waits for its decision.
  ///
  /// - Parameters:
  ///   - question: The question to decide.
  ///   - interruption: The interruption that ends the wait.
  ///   - show: A closure that receives each state of the gate.
  /// - Returns: The decided gate with its decisions.
  /// - Throws: `Interrupted` if the wait was interrupted; the errors of `show` and of
  ///   ``open(_:at:)``. After an interruption, the gate expires.
  public func decision(
    on question: GateQuestion, interruption: Interruption,
    show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure) -> GateReport {
    let gate = try open(question)
    let decided: ApprovalGate?
    do throws(Failure) {
      try show(gate)
      let watch = GateWatch(store: store)
      decided = try watch.decision(
        gateId: gate.gateId, seconds: nil, interruption: interruption)
    } catch {
      // Nobody waits any longer, so a decision would have no effect.
      try withdraw(gate.gateId, because: question.withdrawal())
      // The reader of the output may be gone, which may be why the wait ended.
      if let gate = try store.gate(gate.gateId) { try? show(gate) }
      throw error
    }
    let last = decided ?? gate
    journal.record([last.event])
    try show(last)
    return GateReport(gate: last, decisions: try store.decisions(atGate: last.gateId), result: nil)
  }

  /// Closes the given gate if it is pending, because nobody waits for its decision any longer.
  ///
  /// - Throws: `StorageFailed` if the store cannot be changed.
  public func withdraw(_ id: String, because reason: String) throws(Failure) {
    try store.expire(gate: id, reason: reason)
    if let gate = try store.gate(id) { journal.record([gate.event]) }
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
