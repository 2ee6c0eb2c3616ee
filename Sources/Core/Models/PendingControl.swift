/// A control that a runner has not answered yet, also as a hub gives it to a runner.
public struct PendingControl: Codable, Sendable, Hashable {
  /// The request.
  public var requestId: String
  /// The agent it is for.
  public var agentId: String
  /// What is asked.
  public var action: ControlAction
  /// Why.
  public var reason: String
  /// Who asks.
  public var actor: String

  /// Creates the control.
  public init(
    requestId: String, agentId: String, action: ControlAction, reason: String, actor: String
  ) {
    (self.requestId, self.agentId, self.action) = (requestId, agentId, action)
    (self.reason, self.actor) = (reason, actor)
  }
}
