public import Core

/// The response to `GET /v1/swarms`.
public struct SwarmList: HubWord {
  /// The swarms, as `swarm` records.
  public var swarms: [RecordJSON]

  /// Creates the response.
  public init(swarms: [RecordJSON]) { self.swarms = swarms }
}

/// The response to `GET /v1/agents`.
public struct AgentList: HubWord {
  /// The agents, as `agent` records.
  public var agents: [RecordJSON]

  /// Creates the response.
  public init(agents: [RecordJSON]) { self.agents = agents }
}

/// The response to `GET /v1/incidents`.
public struct IncidentList: HubWord {
  /// The incidents, as `incident` records.
  public var incidents: [RecordJSON]

  /// Creates the response.
  public init(incidents: [RecordJSON]) { self.incidents = incidents }
}

/// The response to `GET /v1/context-health`.
public struct ContextList: HubWord {
  /// The state of each conversation's context, as `contextHealth` records.
  public var contextHealth: [RecordJSON]

  /// Creates the response.
  public init(contextHealth: [RecordJSON]) { self.contextHealth = contextHealth }
}

/// The response to `GET /v1/skill-health`.
public struct SkillList: HubWord {
  /// The results of each skill, as `skillHealth` records.
  public var skillHealth: [RecordJSON]

  /// Creates the response.
  public init(skillHealth: [RecordJSON]) { self.skillHealth = skillHealth }
}

/// The response to `GET /v1/usage`.
public struct UsageList: HubWord {
  /// The sums of usage, as `usage` records.
  public var usage: [RecordJSON]

  /// Creates the response.
  public init(usage: [RecordJSON]) { self.usage = usage }
}

/// The response to `GET /v1/audit`.
public struct AuditList: HubWord {
  /// The entries of the audit, the oldest first, as `audit` records.
  public var audit: [RecordJSON]

  /// Creates the response.
  public init(audit: [RecordJSON]) { self.audit = audit }
}

/// The response to `GET /v1/thresholds`.
public struct ThresholdList: HubWord {
  /// The thresholds, as `threshold` records.
  public var thresholds: [RecordJSON]

  /// Creates the response.
  public init(thresholds: [RecordJSON]) { self.thresholds = thresholds }
}

/// The response to `GET /v1/approval-gates`.
public struct GateList: HubWord {
  /// The gates, oldest first, as `approvalGate` records.
  public var approvalGates: [RecordJSON]

  /// Creates the response.
  public init(approvalGates: [RecordJSON]) { self.approvalGates = approvalGates }
}

/// The response to `GET /v1/terminal/sessions`.
public struct TerminalList: HubWord {
  /// The tmux sessions, as `terminalSession` records.
  public var sessions: [RecordJSON]

  /// Creates the response.
  public init(sessions: [RecordJSON]) { self.sessions = sessions }
}
