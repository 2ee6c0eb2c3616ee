/// Agents that work together, as they stand.
public struct Swarm: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "swarm"

  /// The id that events carry as `swarmId`.
  public var id: String
  /// What people call it.
  public var name: String
  /// How it stands: as the worst of its agents that are not done, else as they ended.
  public var status: AgentStatus
  /// How many agents it has; absent from hubs of earlier versions.
  public var agents: Int?
  /// How many of its agents are not done.
  public var activeAgents: Int
  /// Which part of its events of the last minutes were errors, from 0 to 1.
  public var errorRate: Double
  /// Events a second over the last minute.
  public var throughput: Double
  /// Events in steps of ten seconds over the last ten minutes, the oldest first.
  public var history: [Int]?
  /// When its last event was logged.
  public var updatedAt: Timestamp
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, status, agents, activeAgents, errorRate, throughput, history, updatedAt,
      labels
  }

  /// Creates the record.
  public init(
    id: String, name: String, status: AgentStatus, agents: Int? = nil, activeAgents: Int,
    errorRate: Double, throughput: Double, history: [Int]? = nil, updatedAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.agents = agents
    self.activeAgents = activeAgents
    self.errorRate = errorRate
    self.throughput = throughput
    self.history = history
    self.updatedAt = updatedAt
  }
}
