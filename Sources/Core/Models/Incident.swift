/// A series of errors of the same kind.
public struct Incident: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "incident"

  /// The incident's id, a UUID derived from the kind and the first error.
  public var id: String
  /// The severity of the most severe error.
  public var severity: Log.Level
  /// The message of the first error.
  public var summary: String
  /// The id of the swarm in which the errors occurred.
  public var swarmId: String?
  /// The id of the agent that reported the first error.
  public var agentId: String?
  /// The id of the skill or tool of the first error.
  public var skillId: String?
  /// The number of errors.
  public var count: Int
  /// The time of the first error in the log.
  public var createdAt: Timestamp
  /// The time of the last error in the log.
  public var updatedAt: Timestamp
  /// The incident's status.
  public var status: Status
  /// The time at which the incident was closed.
  public var closedAt: Timestamp?
  /// The name of the person who closed the incident.
  ///
  /// It is `agentpipes` if the incident was closed after a quiet period.
  public var closedBy: String?
  /// The time of the first alert about the incident.
  public var alertedAt: Timestamp?
  /// The time at which a person or a program first looked at the incident.
  public var firstSeenAt: Timestamp?
  /// The time of the first control of the incident's agent, or at which a person closed the incident.
  public var firstControlAt: Timestamp?
  /// The URL of a page with details.
  public var webUrl: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, severity, summary, swarmId, agentId, skillId, count, createdAt, updatedAt, status,
      closedAt, closedBy, alertedAt, firstSeenAt, firstControlAt, webUrl, labels
  }

  /// The status of an incident.
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
