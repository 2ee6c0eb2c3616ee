/// A number that was measured.
public struct Metric: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "metric"

  /// The event's id, once a log has stored it.
  public var id: String?
  /// The producer's own id, by which an event that comes twice is known.
  public var srcId: String?
  /// When, in milliseconds since 1970.
  public var ts: Int64
  /// What it was measured of.
  public var scope: Scope
  /// The swarm, or the one that the agent belongs to.
  public var swarmId: String?
  /// The agent.
  public var agentId: String?
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
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, scope, swarmId, agentId, sessionId, skillId, incidentId, name, value, labels
  }

  /// What a number may be measured of.
  public enum Scope: String, Codable, Sendable, CaseIterable {
    case swarm, agent, session, skill
  }

  /// Creates the record.
  public init(
    id: String? = nil, srcId: String? = nil, ts: Int64, scope: Scope, swarmId: String? = nil,
    agentId: String? = nil, sessionId: String? = nil, skillId: String? = nil,
    incidentId: String? = nil, name: String, value: Double, labels: [String: String]? = nil
  ) {
    self.id = id
    self.srcId = srcId
    self.ts = ts
    self.scope = scope
    self.swarmId = swarmId
    self.agentId = agentId
    self.sessionId = sessionId
    self.skillId = skillId
    self.incidentId = incidentId
    self.name = name
    self.value = value
    self.labels = labels
  }
}
