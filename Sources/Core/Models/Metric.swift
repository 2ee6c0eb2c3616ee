/// A number that was measured.
public struct Metric: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "metric"

  /// What all events share.
  public var head: EventHead
  /// What it tells beside its head.
  public var body: Body
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// What it tells beside its head.
  public struct Body: EventBody {
    /// What it was measured of.
    public var scope: Scope
    /// The conversation.
    public var sessionId: String?
    /// The skill or tool.
    public var skillId: String?
    /// The incident it belongs to.
    public var incidentId: String?
    /// What was measured, such as `error_rate`.
    public var name: String
    /// How much.
    public var value: Double

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case scope, sessionId, skillId, incidentId, name, value
    }
  }

  /// What a number may be measured of.
  public enum Scope: String, Codable, Sendable, CaseIterable {
    case swarm, agent, session, skill
  }

  /// Puts a record together.
  public init(head: EventHead, body: Body) {
    self.head = head
    self.body = body
  }

  /// Creates the record.
  public init(ts: Int64, scope: Scope, name: String, value: Double) {
    self.init(head: EventHead(ts: ts), body: Body(scope: scope, name: name, value: value))
  }
}
