/// A group of agents and its current state.
public struct Swarm: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "swarm"

  /// The id that events carry as `swarmId`.
  public var id: String
  /// The display name.
  public var name: String
  /// The worst state of the agents that have not ended; if all have ended, their final state.
  public var status: AgentStatus
  /// The name of the machine that the swarm's last event came from.
  ///
  /// It is nil if that is the machine of the log.
  public var host: String?
  /// The number of agents; absent if the hub runs an earlier version.
  public var agents: Int?
  /// The number of agents that have not ended.
  public var activeAgents: Int
  /// The fraction of the swarm's events in the last five minutes that are errors, from 0 to 1.
  public var errorRate: Double
  /// The number of events per second over the last minute.
  public var throughput: Double
  /// The number of events in each interval of ten seconds during the last ten minutes.
  ///
  /// The oldest interval is first.
  public var history: [Int]?
  /// The time of the swarm's last event in the log.
  public var updatedAt: Timestamp
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, status, host, agents, activeAgents, errorRate, throughput, history, updatedAt,
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
