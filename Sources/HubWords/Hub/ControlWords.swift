public import Core

/// A frame of `GET /v1/controls`.
extension PendingControl: HubWord {}

/// The body of `POST /v1/controls/{requestId}`.
public struct ControlAnswer: HubWord {
  /// The agent.
  public var agentId: String
  /// The agent's run.
  public var sessionId: String
  /// The outcome: `applied` or `refused`.
  public var outcome: ControlOutcome

  /// Creates the body.
  public init(agentId: String, sessionId: String, outcome: ControlOutcome) {
    (self.agentId, self.sessionId, self.outcome) = (agentId, sessionId, outcome)
  }
}
