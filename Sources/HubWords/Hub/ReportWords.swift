public import Core

/// The members that `activity=true` adds to the record of `GET /v1/overview`.
public struct ActivityMembers: HubWord {
  /// The recent numbers of events by agent id.
  ///
  /// Each list begins with the oldest interval.
  public var activity: [String: [Int]]

  /// Creates the members.
  public init(activity: [String: [Int]]) { self.activity = activity }
}

/// The response to `GET /v1/swarms/{swarmId}`.
public struct SwarmAnswer: HubWord {
  /// The swarm.
  public var swarm: RecordJSON
  /// The swarm's agents.
  public var agents: [RecordJSON]
  /// The swarm's open incidents.
  public var incidents: [RecordJSON]

  /// Creates the response.
  public init(swarm: RecordJSON, agents: [RecordJSON], incidents: [RecordJSON]) {
    (self.swarm, self.agents, self.incidents) = (swarm, agents, incidents)
  }
}

/// The response to `GET /v1/agents/{agentId}`.
public struct AgentAnswer: HubWord {
  /// The agent.
  public var agent: RecordJSON
  /// The contexts of the agent's conversations.
  public var contextHealth: [RecordJSON] = []
  /// The failing skills that the agent called recently.
  public var skillHealth: [RecordJSON] = []
  /// The agent's last events, oldest first.
  public var events: [RecordJSON] = []

  /// Creates the response.
  public init(agent: RecordJSON) { self.agent = agent }
}

/// The response to `GET /v1/incidents/{incidentId}/events`.
public struct IncidentEvents: HubWord {
  /// The events, oldest first.
  public var events: [RecordJSON]

  /// Creates the response.
  public init(events: [RecordJSON]) { self.events = events }
}

/// The response to `GET /v1/skill-health/{skillId}`.
public struct SkillAnswer: HubWord {
  /// The skill's results of the last hour, followed by those of the last day.
  public var skillHealth: [RecordJSON]
  /// The calls of the last day by latency class, the shortest latency first.
  public var byLatency: [CallLatency]
  /// The calls of the last hour by minute.
  public var byMinute: CallSeries
  /// The calls of the last day by hour.
  public var byHour: CallSeries

  /// Creates the response.
  public init(
    skillHealth: [RecordJSON], byLatency: [CallLatency], byMinute: CallSeries, byHour: CallSeries
  ) {
    (self.skillHealth, self.byLatency) = (skillHealth, byLatency)
    (self.byMinute, self.byHour) = (byMinute, byHour)
  }
}

/// The response to `GET /v1/approval-gates/{gateId}`.
public struct GateAnswer: HubWord {
  /// The name of those events of `GET /v1/controls` that contain this response.
  public static let event = "gate"

  /// The gate.
  public var approvalGate: RecordJSON
  /// All decisions that were submitted for the gate, including those without effect.
  public var decisions: [RecordJSON]
  /// The result to be approved; nil if the gate has none.
  public var result: RecordJSON?

  /// Creates the response.
  public init(approvalGate: RecordJSON, decisions: [RecordJSON], result: RecordJSON?) {
    (self.approvalGate, self.decisions, self.result) = (approvalGate, decisions, result)
  }
}

/// Additional members of an `error` record.
public struct ErrorMembers: HubWord {
  /// The receipt of the decision that took effect, if the requested decision came too late.
  public var receipt: RecordJSON?
  /// The id of the WebSocket request that the error answers.
  public var requestId: String?
  /// The protocol versions that the hub supports, if the request named another version.
  public var supported: [Int]?

  /// Creates the members.
  public init(receipt: RecordJSON? = nil, requestId: String? = nil, supported: [Int]? = nil) {
    (self.receipt, self.requestId, self.supported) = (receipt, requestId, supported)
  }
}

/// The response to `GET /v1/health`.
public struct HealthAnswer: HubWord {
  /// The status of the hub: `ok`, or `degraded` if events cannot be stored.
  public var status: String
  /// The code of the failure to store events; nil if the hub is healthy.
  public var code: String?
  /// The part that is missing: `database` if the records of several hubs cannot be reached.
  public var missing: String?

  /// Creates the response.
  ///
  /// If the code is nil, the hub is healthy.
  public init(code: String? = nil, missing: String? = nil) {
    status = code == nil ? "ok" : "degraded"
    (self.code, self.missing) = (code, missing)
  }
}

/// The response to `GET /v1/protocol`.
public struct ProtocolAnswer: HubWord {
  /// The protocol version of the hub's responses.
  public var `protocol` = 1
  /// All protocol versions that the hub supports.
  public var supported = [1]

  /// Creates the response.
  public init() {}
}
