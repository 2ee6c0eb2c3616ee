public import Core

/// A gate with its decisions, and the result to be approved.
public struct GateReport: Sendable {
  /// The gate.
  public var gate: ApprovalGate
  /// All attempted decisions, in order.
  public var decisions: [DecisionReceipt]
  /// The result to be approved; nil if the gate has none.
  public var result: Artifact?

  /// Creates the report.
  public init(gate: ApprovalGate, decisions: [DecisionReceipt], result: Artifact?) {
    (self.gate, self.decisions, self.result) = (gate, decisions, result)
  }

  /// The decision that took effect; nil if the gate is pending.
  public var winner: DecisionReceipt? { decisions.first { $0.status == gate.status } }

  /// `true` if the gate was closed because its time expired or nobody waited for it any longer.
  public var isUndecided: Bool {
    gate.status == .expired || winner?.requestId == Self.withdrawal(of: gate.gateId)
  }

  /// Returns the id of the request that closes the given gate at a hub when nobody waits for it any
  /// longer.
  public static func withdrawal(of gateId: String) -> String { "withdrawal:\(gateId)" }

  /// The reason of a withdrawal after a person answered the question at the agent that asked.
  public static let answered = "answered at the agent"

  /// `true` if the gate was closed because a person answered the question at the agent.
  public var wasAnswered: Bool { isUndecided && winner?.reason == Self.answered }
}
