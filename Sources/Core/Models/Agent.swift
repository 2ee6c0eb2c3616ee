/// Somebody who works, as it stands.
public struct Agent: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "agent"

  /// The id that events carry as `agentId`.
  public var id: String
  /// The swarm it belongs to.
  public var swarmId: String?
  /// Its conversation, or its run.
  public var sessionId: String?
  /// How it stands.
  public var status: AgentStatus
  /// What it is to do.
  public var taskSummary: String?
  /// When it began.
  public var startedAt: Timestamp?
  /// When its last event was logged.
  public var updatedAt: Timestamp
  /// When it ended.
  public var finishedAt: Timestamp?
  /// The tokens it used.
  public var usage: Usage?
  /// What it cost, in US dollars.
  public var costUSD: Double?
  /// How many events it has logged.
  public var events: Int
  /// How many of them were errors.
  public var errors: Int
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, swarmId, sessionId, status, taskSummary, startedAt, updatedAt, finishedAt, usage,
      costUSD, events, errors, labels
  }

  /// Creates the record.
  public init(
    id: String, swarmId: String? = nil, sessionId: String? = nil, status: AgentStatus,
    taskSummary: String? = nil, startedAt: Timestamp? = nil, updatedAt: Timestamp,
    finishedAt: Timestamp? = nil, usage: Usage? = nil, costUSD: Double? = nil, events: Int = 0,
    errors: Int = 0
  ) {
    self.id = id
    self.swarmId = swarmId
    self.sessionId = sessionId
    self.status = status
    self.taskSummary = taskSummary
    self.startedAt = startedAt
    self.updatedAt = updatedAt
    self.finishedAt = finishedAt
    self.usage = usage
    self.costUSD = costUSD
    self.events = events
    self.errors = errors
  }
}

/// How an agent or a swarm stands.
public enum AgentStatus: String, Codable, Sendable, CaseIterable {
  case running, paused, error, waiting, finished, terminated
  /// Nothing was heard of it for two heartbeats.
  case lost

  /// Whether it may still do something.
  public var isActive: Bool { [.running, .paused, .waiting].contains(self) }
}
