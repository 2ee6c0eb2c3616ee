/// What somebody asked of agents, and what came of it, as the log tells it.
public struct Control: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "control"

  /// What all events share.
  public var head: EventHead
  /// What it tells beside its head.
  public var body: Body
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// What it tells beside its head.
  public struct Body: EventBody {
    /// The request.
    public var requestId: String
    /// What it was asked of.
    public var target: ControlTarget
    /// What was asked.
    public var action: ControlAction
    /// Why, in the words of who asked.
    public var reason: String
    /// Who asked.
    public var actor: String
    /// What came of it.
    public var outcome: ControlOutcome

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case requestId, target, action, reason, actor, outcome
    }
  }

  /// Puts a record together.
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
