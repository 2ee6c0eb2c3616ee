public import Core

/// A frame of `GET /v1/controls`.
extension PendingControl: HubWord {}

/// The body of `POST /v1/controls/{requestId}`.
public struct ControlAnswer: HubWord {
  /// The agent.
  public var agentId: String
  /// The run of the agent.
  public var sessionId: String
  /// What came of it: `applied` or `refused`.
  public var outcome: ControlOutcome

  /// Creates the answer.
  public init(agentId: String, sessionId: String, outcome: ControlOutcome) {
    (self.agentId, self.sessionId, self.outcome) = (agentId, sessionId, outcome)
  }
}
