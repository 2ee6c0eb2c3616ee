/// A measured value, reported as an event.
public struct Metric: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "metric"

  /// The members that all events share.
  public var head: EventHead
  /// The members that only this type of event has.
  public var body: Body
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that only this type of event has.
  public struct Body: EventBody {
    /// The kind of object that was measured.
    public var scope: Scope
    /// The id of the conversation concerned.
    public var sessionId: String?
    /// The id of the skill or tool concerned.
    public var skillId: String?
    /// The id of the incident that the metric belongs to.
    public var incidentId: String?
    /// The name of the metric, such as `error_rate`.
    public var name: String
    /// The measured value.
    public var value: Double

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case scope, sessionId, skillId, incidentId, name, value
    }
  }

  /// The kind of object that a metric measures.
  public enum Scope: String, Codable, Sendable, CaseIterable {
    case swarm, agent, session, skill
  }

  /// Creates the record from the given head and body.
  public init(head: EventHead, body: Body) {
    self.head = head
    self.body = body
  }

  /// Creates the record.
  public init(ts: Int64, scope: Scope, name: String, value: Double) {
    self.init(head: EventHead(ts: ts), body: Body(scope: scope, name: name, value: value))
  }
}
