/// An event that records a control sent to agents, and its outcome.
public struct Control: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "control"

  /// The members that all events share.
  public var head: EventHead
  /// The members that only this type of event has.
  public var body: Body
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that only this type of event has.
  public struct Body: EventBody {
    /// The id that the requester gave the request; a repeated request has the same id.
    public var requestId: String
    /// The kind of object that the control was sent to.
    public var target: ControlTarget
    /// The requested action.
    public var action: ControlAction
    /// The requester's reason.
    public var reason: String
    /// The name of the requester.
    public var actor: String
    /// The outcome.
    public var outcome: ControlOutcome

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case requestId, target, action, reason, actor, outcome
    }
  }

  /// Creates the record from the given head and body.
  public init(head: EventHead, body: Body) {
    self.head = head
    self.body = body
  }

  /// Creates the record.
  public init(
    ts: Int64, requestId: String, target: ControlTarget, action: ControlAction, reason: String,
    actor: String, outcome: ControlOutcome
  ) {
    self.init(
      head: EventHead(ts: ts),
      body: Body(
        requestId: requestId, target: target, action: action, reason: reason, actor: actor,
        outcome: outcome))
  }
}
