/// Errors of one kind, from the first to the last.
public struct Incident: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "incident"

  /// A UUID, made of the errors' kind and the first of them.
  public var id: String
  /// The worst of them.
  public var severity: Log.Level
  /// What the first of them said.
  public var summary: String
  /// The swarm they come from.
  public var swarmId: String?
  /// The agent that the first came from.
  public var agentId: String?
  /// The skill or tool that the first is about.
  public var skillId: String?
  /// How many there were.
  public var count: Int
  /// When the first was logged.
  public var createdAt: Timestamp
  /// When the last was logged.
  public var updatedAt: Timestamp
  /// Whether it goes on.
  public var status: Status
  /// When it was closed.
  public var closedAt: Timestamp?
  /// Who closed it; `agentpipes` when nothing came for long enough.
  public var closedBy: String?
  /// Where to read more.
  public var webUrl: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, severity, summary, swarmId, agentId, skillId, count, createdAt, updatedAt, status,
      closedAt, closedBy, webUrl, labels
  }

  /// Whether an incident goes on.
  public enum Status: String, Codable, Sendable, CaseIterable {
    case open, closed
  }

  /// Creates the record.
  public init(
    id: String, severity: Log.Level, summary: String, swarmId: String? = nil,
    agentId: String? = nil, skillId: String? = nil, count: Int, createdAt: Timestamp,
    updatedAt: Timestamp, status: Status, closedAt: Timestamp? = nil, closedBy: String? = nil
  ) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.swarmId = swarmId
    self.agentId = agentId
    self.skillId = skillId
    self.count = count
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.status = status
    self.closedAt = closedAt
    self.closedBy = closedBy
  }
}
