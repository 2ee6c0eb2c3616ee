public import Core

/// The members that `activity=true` adds to the record of `GET /v1/overview`.
public struct ActivityMembers: HubWord {
  /// How many events each agent sent lately, by the agent's id, oldest step first.
  public var activity: [String: [Int]]

  /// Creates the members.
  public init(activity: [String: [Int]]) { self.activity = activity }
}

/// The answer to `GET /v1/swarms/{swarmId}`.
public struct SwarmAnswer: HubWord {
  /// The swarm.
  public var swarm: RecordJSON
  /// Its agents.
  public var agents: [RecordJSON]
  /// Its open incidents.
  public var incidents: [RecordJSON]

  /// Creates the answer.
  public init(swarm: RecordJSON, agents: [RecordJSON], incidents: [RecordJSON]) {
    (self.swarm, self.agents, self.incidents) = (swarm, agents, incidents)
  }
}

/// The answer to `GET /v1/agents/{agentId}`.
public struct AgentAnswer: HubWord {
  /// The agent.
  public var agent: RecordJSON
  /// The contexts of its conversations.
  public var contextHealth: [RecordJSON] = []
  /// The skills it called lately that fail.
  public var skillHealth: [RecordJSON] = []
  /// Its last events, oldest first.
  public var events: [RecordJSON] = []

  /// Creates the answer.
  public init(agent: RecordJSON) { self.agent = agent }
}

/// The answer to `GET /v1/incidents/{incidentId}/events`.
public struct IncidentEvents: HubWord {
  /// The events, oldest first.
  public var events: [RecordJSON]

  /// Creates the answer.
  public init(events: [RecordJSON]) { self.events = events }
}

/// The answer to `GET /v1/skill-health/{skillId}`.
public struct SkillAnswer: HubWord {
  /// The skill in the last hour and in the last day.
  public var skillHealth: [RecordJSON]
  /// The day's calls by their latency, shortest first.
  public var byLatency: [CallLatency]
  /// The last hour by minute.
  public var byMinute: CallSeries
  /// The last day by hour.
  public var byHour: CallSeries

  /// Creates the answer.
  public init(
    skillHealth: [RecordJSON], byLatency: [CallLatency], byMinute: CallSeries, byHour: CallSeries
  ) {
    (self.skillHealth, self.byLatency) = (skillHealth, byLatency)
    (self.byMinute, self.byHour) = (byMinute, byHour)
  }
}

/// The answer to `GET /v1/approval-gates/{gateId}`.
public struct GateAnswer: HubWord {
  /// The name of the events of `GET /v1/controls` whose data is one.
  public static let event = "gate"

  /// The gate.
  public var approvalGate: RecordJSON
  /// Every decision that was tried at it.
  public var decisions: [RecordJSON]
  /// The artifact that it is about.
  public var result: RecordJSON?

  /// Creates the answer.
  public init(approvalGate: RecordJSON, decisions: [RecordJSON], result: RecordJSON?) {
    (self.approvalGate, self.decisions, self.result) = (approvalGate, decisions, result)
  }
}

/// The members that an `error` record may have besides its own.
public struct ErrorMembers: HubWord {
  /// The decision that stands, where another one came too late.
  public var receipt: RecordJSON?
  /// The name of the message that the error answers, on a WebSocket.
  public var requestId: String?
  /// The versions of the protocol that the hub speaks, where another one was asked for.
  public var supported: [Int]?

  /// Creates the members.
  public init(receipt: RecordJSON? = nil, requestId: String? = nil, supported: [Int]? = nil) {
    (self.receipt, self.requestId, self.supported) = (receipt, requestId, supported)
  }
}

/// The answer to `GET /v1/health`.
public struct HealthAnswer: HubWord {
  /// `ok`, or `degraded` if events cannot be stored.
  public var status: String
  /// The failure of the last attempt to store events.
  public var code: String?

  /// Creates the answer; without a code the hub is well.
  public init(code: String? = nil) {
    status = code == nil ? "ok" : "degraded"
    self.code = code
  }
}

/// The answer to `GET /v1/protocol`.
public struct ProtocolAnswer: HubWord {
  /// The version that the hub speaks.
  public var `protocol` = 1
  /// Every version that it speaks.
  public var supported = [1]

  /// Creates the answer.
  public init() {}
}
