/// A control that a runner has not acknowledged yet, in the form the hub sends to the runner.
public struct PendingControl: Codable, Sendable, Hashable {
  /// The id that the requester gave the request; a repeated request has the same id.
  public var requestId: String
  /// The id of the agent that the control is for.
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
