import Core
import Foundation
import Requests
import Storage

/// Questions that are asked by opening approval gates.
struct ToolGates: Sendable {
  let store: Store
  /// The receiver of each state of a gate.
  let show: @Sendable (ApprovalGate) -> Void

  /// Opens a gate with the given question, and waits for its decision.
  ///
  /// - Returns: The decision as an answer.
  /// - Throws: `Interrupted` if the task is cancelled, after which the gate has expired;
  ///   `StorageFailed` if the store cannot be used.
  func ask(_ question: ToolQuestion) async throws(Failure) -> ToolAnswer {
    let now = Timestamp.now
    var gate = ApprovalGate(
      ts: now.milliseconds, gateId: Identifier.make(), status: .pending, summary: question.summary,
      requestedAt: now)
    gate.requestedBy = LoginName.current
    gate.context = GateContext(
      impact: question.lines.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " "))
    gate = try store.open(gate)
    show(gate)
    let decided: ApprovalGate?
    do throws(Failure) {
      decided = try await GateWatch(store: store).decision(gateId: gate.gateId, seconds: nil)
    } catch {
      // Nobody waits any longer, so a decision would have no effect.
      try store.expire(gate: gate.gateId, reason: "the asking process ended")
      if let gate = try store.gate(gate.gateId) { show(gate) }
      throw error
    }
    guard let decided else { return .nobody }
    show(decided)
    guard decided.status != .approved else { return .approved }
    return .rejected(
      Failure(
        .userRejected, "gate '\(decided.gateId)' is \(decided.status.rawValue)",
        kind: decided.status == .expired ? .expired : nil, input: decided.gateId))
  }
}
