public import Core

/// The answer to `GET /v1/swarms`.
public struct SwarmList: HubWord {
  /// The swarms, as `swarm` records.
  public var swarms: [RecordText]

  /// Creates the answer.
  public init(swarms: [RecordText]) { self.swarms = swarms }
}

/// The answer to `GET /v1/agents`.
public struct AgentList: HubWord {
  /// The agents, as `agent` records.
  public var agents: [RecordText]

  /// Creates the answer.
  public init(agents: [RecordText]) { self.agents = agents }
}

/// The answer to `GET /v1/incidents`.
public struct IncidentList: HubWord {
  /// The incidents, as `incident` records.
  public var incidents: [RecordText]

  /// Creates the answer.
  public init(incidents: [RecordText]) { self.incidents = incidents }
}

/// The answer to `GET /v1/context-health`.
public struct ContextList: HubWord {
  /// The contexts of conversations, as `contextHealth` records.
  public var contextHealth: [RecordText]

  /// Creates the answer.
  public init(contextHealth: [RecordText]) { self.contextHealth = contextHealth }
}

/// The answer to `GET /v1/skill-health`.
public struct SkillList: HubWord {
  /// The skills, as `skillHealth` records.
  public var skillHealth: [RecordText]

  /// Creates the answer.
  public init(skillHealth: [RecordText]) { self.skillHealth = skillHealth }
}

/// The answer to `GET /v1/usage`.
public struct UsageList: HubWord {
  /// The sums, as `usage` records.
  public var usage: [RecordText]

  /// Creates the answer.
  public init(usage: [RecordText]) { self.usage = usage }
}

/// The answer to `GET /v1/audit`.
public struct AuditList: HubWord {
  /// The entries, oldest first, as `audit` records.
  public var audit: [RecordText]

  /// Creates the answer.
  public init(audit: [RecordText]) { self.audit = audit }
}

/// The answer to `GET /v1/thresholds`.
public struct ThresholdList: HubWord {
  /// The thresholds, as `threshold` records.
  public var thresholds: [RecordText]

  /// Creates the answer.
  public init(thresholds: [RecordText]) { self.thresholds = thresholds }
}

/// The answer to `GET /v1/approval-gates`.
public struct GateList: HubWord {
  /// The gates, oldest first, as `approvalGate` records.
  public var approvalGates: [RecordText]

  /// Creates the answer.
  public init(approvalGates: [RecordText]) { self.approvalGates = approvalGates }
}

/// The answer to `GET /v1/terminal/sessions`.
public struct TerminalList: HubWord {
  /// The tmux sessions, as `terminalSession` records.
  public var sessions: [RecordText]

  /// Creates the answer.
  public init(sessions: [RecordText]) { self.sessions = sessions }
}
