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

  /// Creates the body.
  public init(agentId: String, sessionId: String, outcome: ControlOutcome) {
    (self.agentId, self.sessionId, self.outcome) = (agentId, sessionId, outcome)
  }
}
