public import Core
import Events
public import Storage

/// The watched state at one moment.
///
/// Each query reads only the data that it needs, in one transaction.
public struct Standing: Sendable {
  let watched: Watched
  let now: Int64
  /// The log whose events were processed; nil if queries read only the store.
  let journal: EventJournal?

  /// Creates the watched state at the given time.
  ///
  /// - Parameters:
  ///   - store: The store that contains the state.
  ///   - now: The current time; nil for the store's own clock.
  public init(_ store: Store, at now: Timestamp? = nil) {
    self.init(Watched(store), at: now ?? store.now)
  }

  init(_ watched: Watched, at now: Timestamp, journal: EventJournal? = nil) {
    self.journal = journal
    self.watched = watched
    self.now = now.milliseconds
  }

  /// Returns all swarms, or only those with the given status, sorted by ID.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func swarms(status: AgentStatus? = nil) throws(Failure) -> [Swarm] {
    let swarms = try watched.read { (state) throws(Failure) in
      // A dictionary treats IDs that differ only in Unicode normalization as equal.
      let swarms = Dictionary(try state.documents(WatchedSwarm.self).map { ($0.id, $0) }) { $1 }
      let named = try swarms.values.map { (swarm) throws(Failure) in try state.withName(swarm) }
      return try records(of: named, members: state.documents(WatchedAgent.self))
    }
    return swarms.filter { status == nil || $0.status == status }
  }

  /// Returns the agents, sorted by ID.
  ///
  /// Agents that represent the run of a swarm are omitted.
  ///
  /// - Parameters:
  ///   - swarm: The ID of a swarm, or a part of it; nil for all swarms.
  ///   - status: The status of the agents; nil for any status.
  /// - Returns: The matching agents.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func agents(
    ofSwarm swarm: String? = nil, status: AgentStatus? = nil
  ) throws(Failure) -> [Agent] {
    let agents = try watched.read { (state) throws(Failure) in
      let swarm = try state.wholeId(ofSwarm: swarm)
      return try state.documents(WatchedAgent.self).filter { swarm == nil || $0.swarmId == swarm }
    }
    return records(of: agents).filter { status == nil || $0.status == status }
  }

  /// Returns the open incidents, or all of them, the newest first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func incidents(
    ofSwarm swarm: String? = nil, withClosed: Bool = false
  ) throws(Failure) -> [Incident] {
    try watched.read { (state) throws(Failure) in
      let swarm = try state.wholeId(ofSwarm: swarm)
      let choice = withClosed ? WatchedTables.Choice.all : .below(WatchedIncident.open)
      return Self.records(of: try state.documents(WatchedIncident.self, choice))
        .filter { swarm == nil || $0.swarmId == swarm }
    }
  }

  /// Returns the contexts of conversations, the fullest first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func contexts(ofSwarm swarm: String? = nil) throws(Failure) -> [ContextHealth] {
    try watched.read { (state) throws(Failure) in
      let swarm = try state.wholeId(ofSwarm: swarm)
      return Self.records(
        of: try state.documents(WatchedSession.self), thresholds: try Thresholds(state)
      ).filter { swarm == nil || $0.swarmId == swarm }
    }
  }

  /// Returns the results of all skills and tools in the given time window.
  ///
  /// The highest error rate comes first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func skills(_ window: SkillHealth.Window) throws(Failure) -> [SkillHealth] {
    try watched.read { (state) throws(Failure) in
      records(
        of: try state.documents(WatchedSkill.self), window, thresholds: try Thresholds(state))
    }
  }

  /// Returns all thresholds of alerts.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func thresholds() throws(Failure) -> [Threshold] {
    try watched.read { (state) throws(Failure) in try Thresholds(state).records }
  }

  /// Returns the status of the given agent or swarm; nil if it is unknown.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func status(_ target: ControlTarget, _ id: String) throws(Failure) -> AgentStatus? {
    try watched.read { (state) throws(Failure) in
      switch target {
      case .agent: try state.named(WatchedAgent.self, id)?.status(at: now)
      case .swarm: try swarm(id, state)?.swarm.status
      }
    }
  }
}

extension Standing {
  /// Returns the whole ID of the agent or swarm that the given part of an ID identifies.
  ///
  /// - Returns: The ID; the part itself if no ID matches.
  /// - Throws: `BadUsage` if several IDs match; `StorageFailed` if the store cannot be read.
  public func wholeId(_ target: ControlTarget, _ part: String) throws(Failure) -> String {
    try watched.read { (state) throws(Failure) in
      switch target {
      case .agent: try state.named(WatchedAgent.self, part)?.id ?? part
      case .swarm: try state.named(WatchedSwarm.self, part)?.id ?? part
      }
    }
  }

  /// Returns the whole ID of the incident that the given part of an ID identifies.
  ///
  /// - Returns: The ID; the part itself if no ID matches.
  /// - Throws: `BadUsage` if several IDs match; `StorageFailed` if the store cannot be read.
  public func wholeId(ofIncident part: String) throws(Failure) -> String {
    try watched.read { (state) throws(Failure) in
      try state.named(WatchedIncident.self, part)?.id ?? part
    }
  }
}

/// Methods for the terminals of agents.
extension Standing {
  /// Adds the active agents to the given sessions.
  ///
  /// - Parameter terminals: The tmux sessions on this machine.
  /// - Returns: The same sessions. Each has the active agent that was last started in it.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func withAgents(_ terminals: [TerminalSession]) throws(Failure) -> [TerminalSession] {
    let agents = try watched.read { (state) throws(Failure) in
      try state.documents(WatchedAgent.self, .live(at: now))
    }
    return terminals.map { terminal in
      let agent = agents.filter { $0.terminal == terminal.id && $0.status(at: now).isActive }
        .max { ($0.startedAt ?? 0, $0.id) < ($1.startedAt ?? 0, $1.id) }
      var terminal = terminal
      terminal.agentId = agent?.id
      terminal.swarmId = agent?.swarmId
      terminal.status = agent?.status(at: now).rawValue
      return terminal
    }
  }

  /// Returns the ID of the tmux session in which the given agent works, such as `$3`.
  ///
  /// - Returns: The ID; nil if the agent has no session on this machine or is no longer active.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func terminal(ofAgent id: String) throws(Failure) -> String? {
    try watched.read { (state) throws(Failure) in
      guard let agent = try state.named(WatchedAgent.self, id), agent.status(at: now).isActive
      else { return nil }
      return agent.terminal
    }
  }
}

extension Watcher {
  /// Returns the watched state at the given time, from the events processed so far.
  ///
  /// - Parameter now: The time; nil for the current time of the store's own clock.
  /// - Returns: The state.
  public func standing(at now: Timestamp? = nil) -> Standing {
    Standing(watched, at: now ?? watched.store.now, journal: journal)
  }
}
