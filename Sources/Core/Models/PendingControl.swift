/// A control that a runner has not acknowledged yet, as the hub sends it to the runner.
public struct PendingControl: Codable, Sendable, Hashable {
  /// The request's id.
  public var requestId: String
  /// The agent that the control is sent to.
  public var agentId: String
  /// The requested action.
  public var action: ControlAction
  /// The requester's reason.
  public var reason: String
  /// The name of the requester.
  public var actor: String

  /// Creates the control.
  public init(
    requestId: String, agentId: String, action: ControlAction, reason: String, actor: String
  ) {
    (self.requestId, self.agentId, self.action) = (requestId, agentId, action)
    (self.reason, self.actor) = (reason, actor)
  }
}
