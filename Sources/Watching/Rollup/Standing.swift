public import Core

/// How everything that is watched stands at one moment.
public struct Standing: Sendable {
  private let swarmsById: [String: WatchedSwarm]
  private let allAgents: [WatchedAgent]
  private let sessions: [WatchedSession]
  private let allSkills: [WatchedSkill]
  private let allIncidents: [WatchedIncident]
  private let allThresholds: Thresholds
  private let now: Int64

  /// Reads what is known.
  ///
  /// - Parameters:
  ///   - store: Where it is.
  ///   - now: The present.
  /// - Throws: `StorageFailed`.
  public init(_ store: Store, at now: Timestamp = .now) throws(Failure) {
    self = try store.readWatched { (state) throws(Failure) in
      try Standing(state, at: now.milliseconds)
    }
  }

  private init(_ state: WatchedState, at now: Int64) throws(Failure) {
    self.now = now
    // Ids that differ only in how their letters are composed are one to a dictionary.
    swarmsById = Dictionary(try state.documents(WatchedSwarm.self).map { ($0.id, $0) }) { $1 }
    allAgents = try state.documents(WatchedAgent.self)
    sessions = try state.documents(WatchedSession.self)
    allSkills = try state.documents(WatchedSkill.self)
    allIncidents = try state.documents(WatchedIncident.self)
    allThresholds = try Thresholds(state)
  }

  /// The swarms, by id.
  public var swarms: [Swarm] {
    let members = Dictionary(grouping: allAgents) { $0.swarmId ?? "" }
    return swarmsById.values.map { $0.record(members[$0.id] ?? [], at: now) }
      .sorted { $0.id < $1.id }
  }

  /// The agents, by id, without those that stand for a swarm's run.
  public var agents: [Agent] {
    allAgents.filter { !$0.isRun }.map { $0.record(at: now) }.sorted { $0.id < $1.id }
  }

  /// The sessions with the agents that are at work in them.
  ///
  /// - Parameter terminals: The sessions of this machine.
  /// - Returns: The same, each with the agent that began there last.
  public func withAgents(_ terminals: [TerminalSession]) -> [TerminalSession] {
    terminals.map { terminal in
      let agent = allAgents.filter { $0.terminal == terminal.id && $0.status(at: now).isActive }
        .max { ($0.startedAt ?? 0, $0.id) < ($1.startedAt ?? 0, $1.id) }
      var terminal = terminal
      terminal.agentId = agent?.id
      terminal.swarmId = agent?.swarmId
      terminal.status = agent?.status(at: now).rawValue
      return terminal
    }
  }

  /// The tmux session of this machine, such as `$3`, that an agent works in; nil where it works in none,
  /// or no more.
  public func terminal(ofAgent id: String) -> String? {
    allAgents.first { $0.id == id && $0.status(at: now).isActive }?.terminal
  }

  /// The incidents, the newest first.
  public var incidents: [Incident] {
    allIncidents.map(\.record).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// The contexts of conversations, the fullest first.
  public var contexts: [ContextHealth] {
    sessions.sorted { ($1.fullness ?? 0, $0.id) < ($0.fullness ?? 0, $1.id) }
      .map { $0.record(allThresholds) }
  }

  /// The skills and tools over a time, those that fail most first.
  public func skills(_ window: SkillHealth.Window) -> [SkillHealth] {
    allSkills.map { $0.record(window, allThresholds, at: now) }
      .sorted { ($1.errorRate ?? -1, $0.skillId) < ($0.errorRate ?? -1, $1.skillId) }
  }

  /// The thresholds.
  public var thresholds: [Threshold] { allThresholds.records }

  /// How an agent or a swarm stands; nil for one that nobody has heard of.
  public func status(_ target: ControlTarget, _ id: String) -> AgentStatus? {
    switch target {
    case .agent: allAgents.first { $0.id == id }?.status(at: now)
    case .swarm: swarms.first { $0.id == id }?.status
    }
  }

  /// Everything in one look.
  ///
  /// - Parameter gates: The gates that wait.
  /// - Returns: What goes on, and three numbers about it.
  public func overview(gates: [ApprovalGate]) -> Overview {
    // Of what is lost nobody wants to hear for ever.
    let recent = Timestamp(now - 86_400_000)
    func isActive(_ status: AgentStatus, _ updatedAt: Timestamp) -> Bool {
      status.isActive || status == .lost && updatedAt > recent
    }
    let swarms = swarms.filter { isActive($0.status, $0.updatedAt) }
    let agents = agents.filter { isActive($0.status, $0.updatedAt) }
    let active = Set(agents.map(\.id))
    let risks = sessions.filter { active.contains($0.agentId) }.compactMap(\.fullness)
    let calls = allSkills.map { $0.window.sum(minutes: 60, at: now) }
    let count = calls.reduce(0) { $0 + $1.calls }
    let well = swarms.count { swarm in
      swarm.errorRate < allThresholds.value(.swarmDegraded, swarm.id)
        && swarm.status != .lost
        && !agents.contains { $0.swarmId == swarm.id && $0.status == .lost }
    }
    return Overview(
      summaryCards: SummaryCards(
        contextRisk: risks.max(),
        skillFailureRate: count == 0
          ? nil : Double(calls.reduce(0) { $0 + $1.failures }) / Double(count),
        swarmHealth: swarms.isEmpty ? nil : Double(well) / Double(swarms.count)),
      activeIncidents: incidents.filter { $0.status == .open }, activeSwarms: swarms,
      activeSessions: agents, pendingGates: gates,
      updatedAt: allAgents.map(\.heardAt).max().map { Timestamp($0) })
  }
}
