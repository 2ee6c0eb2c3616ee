/// An agent and its current state.
public struct Agent: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "agent"

  /// The id that events carry as `agentId`.
  public var id: String
  /// The swarm that the agent belongs to.
  public var swarmId: String?
  /// The name of the agent's session, if the agent's program gave it one.
  public var name: String?
  /// The id of the agent's conversation or run.
  public var sessionId: String?
  /// The name of the machine that the agent's last event came from.
  ///
  /// It is nil if that is the machine of the log.
  public var host: String?
  /// The current state.
  public var status: AgentStatus
  /// The cause of the wait; nil unless the agent waits, and if the cause is unknown.
  public var waitingFor: WaitCause?
  /// The agent's task in a few words.
  public var taskSummary: String?
  /// The time at which the agent started.
  public var startedAt: Timestamp?
  /// The time of the agent's last event in the log.
  public var updatedAt: Timestamp
  /// The time at which the agent ended; nil while it is active.
  public var finishedAt: Timestamp?
  /// The time at which the agent continues by itself; nil unless it waits for that time.
  public var waitingUntil: Timestamp?
  /// The tokens that the agent used.
  public var usage: Usage?
  /// The cost in US dollars of those tokens; nil if a part of it is unknown.
  public var costUSD: Double?
  /// The known part of the cost in US dollars, if another part is unknown.
  public var knownCostUSD: Double?
  /// The number of the agent's events in the log.
  public var events: Int
  /// The number of the agent's error events.
  public var errors: Int
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, swarmId, name, sessionId, host, status, waitingFor, taskSummary, startedAt, updatedAt,
      finishedAt, waitingUntil, usage, costUSD, knownCostUSD, events, errors, labels
  }

  /// Creates the record.
  public init(
    id: String, swarmId: String? = nil, sessionId: String? = nil, status: AgentStatus,
    taskSummary: String? = nil, startedAt: Timestamp? = nil, updatedAt: Timestamp,
    finishedAt: Timestamp? = nil, waitingUntil: Timestamp? = nil, usage: Usage? = nil,
    costUSD: Double? = nil, events: Int = 0,
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
    self.waitingUntil = waitingUntil
    self.usage = usage
    self.costUSD = costUSD
    self.events = events
    self.errors = errors
  }
}

/// The state of an agent or a swarm.
public enum AgentStatus: String, Codable, Sendable, CaseIterable {
  case running, paused, error, waiting, finished, terminated
  /// An agent that has not reported for two heartbeat intervals and may have ended.
  case lost

  /// `true` if the agent may still act.
  public var isActive: Bool { [.running, .paused, .waiting].contains(self) }
}

/// The cause for which an agent waits.
public enum WaitCause: String, Codable, Sendable, CaseIterable {
  /// A person must allow or decide something.
  case permission
  /// A person must answer a question.
  case question
  /// The agent's turn has ended, and it waits for the next prompt.
  case prompt
  /// The agent waits for the reset of a usage limit.
  case limit

  /// `true` if the agent cannot continue its work without a person.
  public var needsPerson: Bool { self == .permission || self == .question }
}
