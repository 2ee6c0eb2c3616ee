public import Core

/// A control as a frame of `GET /v1/controls`.
extension PendingControl: HubWord {}

/// The body of `POST /v1/controls/{requestId}`.
public struct ControlAnswer: HubWord {
  /// The id of the agent that answers.
  public var agentId: String
  /// The id of the agent's run.
  public var sessionId: String
  /// The outcome: `applied` or `refused`.
  public var outcome: ControlOutcome
  /// A sentence about the outcome, for a person; nil if there is none.
  public var note: String?

  /// Creates the body.
  public init(agentId: String, sessionId: String, outcome: ControlOutcome, note: String? = nil) {
    (self.agentId, self.sessionId) = (agentId, sessionId)
    (self.outcome, self.note) = (outcome, note)
  }
}
