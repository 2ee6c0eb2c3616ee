public import Core
import Events
public import Storage

/// The state of everything that is watched, at one moment.
///
/// Each query reads the data that it needs, in one transaction.
public struct Standing: Sendable {
  let watched: Watched
  let now: Int64
  /// The log that was processed; nil if only stored data is queried.
  let journal: EventJournal?

  /// Creates the queries.
  ///
  /// - Parameters:
  ///   - store: The store of the data.
  ///   - now: The current time.
  public init(_ store: Store, at now: Timestamp = .now) {
    self.init(Watched(store), at: now)
  }

  init(_ watched: Watched, at now: Timestamp, journal: EventJournal? = nil) {
    self.journal = journal
    self.watched = watched
    self.now = now.milliseconds
  }

  /// Returns the swarms, by ID, or those with one status.
  ///
  /// - Throws: `StorageFailed`.
  public func swarms(status: AgentStatus? = nil) throws(Failure) -> [Swarm] {
    let swarms = try watched.read { (state) throws(Failure) in
      // A dictionary treats IDs that differ only in Unicode normalization as equal.
      let swarms = Dictionary(try state.documents(WatchedSwarm.self).map { ($0.id, $0) }) { $1 }
      let named = try swarms.values.map { (swarm) throws(Failure) in try state.withName(swarm) }
      return try records(of: named, members: state.documents(WatchedAgent.self))
    }
    return swarms.filter { status == nil || $0.status == status }
  }

  /// Returns the agents, by ID, without those that stand for a swarm's run.
  ///
  /// - Parameters:
  ///   - swarm: The ID of a swarm, or a part of it, to filter by.
  ///   - status: The status to filter by.
  /// - Returns: The agents.
  /// - Throws: `StorageFailed`.
  public func agents(
    ofSwarm swarm: String? = nil, status: AgentStatus? = nil
  ) throws(Failure) -> [Agent] {
    let agents = try watched.read { (state) throws(Failure) in
      let swarm = try state.wholeId(ofSwarm: swarm)
      return try state.documents(WatchedAgent.self).filter { swarm == nil || $0.swarmId == swarm }
    }
    return records(of: agents).filter { status == nil || $0.status == status }
  }

  /// Returns the open incidents, or all, the newest first.
  ///
  /// - Throws: `StorageFailed`.
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
  /// - Throws: `StorageFailed`.
  public func contexts(ofSwarm swarm: String? = nil) throws(Failure) -> [ContextHealth] {
    try watched.read { (state) throws(Failure) in
      let swarm = try state.wholeId(ofSwarm: swarm)
      return Self.records(
        of: try state.documents(WatchedSession.self), thresholds: try Thresholds(state)
      ).filter { swarm == nil || $0.swarmId == swarm }
    }
  }

  /// Returns the skills and tools over a time window, those with the highest error rate first.
  ///
  /// - Throws: `StorageFailed`.
  public func skills(_ window: SkillHealth.Window) throws(Failure) -> [SkillHealth] {
    try watched.read { (state) throws(Failure) in
      records(
        of: try state.documents(WatchedSkill.self), window, thresholds: try Thresholds(state))
    }
  }

  /// Returns the thresholds.
  ///
  /// - Throws: `StorageFailed`.
  public func thresholds() throws(Failure) -> [Threshold] {
    try watched.read { (state) throws(Failure) in try Thresholds(state).records }
  }

  /// Returns the status of an agent or a swarm; nil if it is unknown.
  ///
  /// - Throws: `StorageFailed`.
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
  /// Returns the whole ID of an agent or a swarm for a part of it; the part itself if nothing
  /// matches.
  ///
  /// - Throws: `BadUsage` if several IDs match, `StorageFailed`.
  public func wholeId(_ target: ControlTarget, _ part: String) throws(Failure) -> String {
    try watched.read { (state) throws(Failure) in
      switch target {
      case .agent: try state.named(WatchedAgent.self, part)?.id ?? part
      case .swarm: try state.named(WatchedSwarm.self, part)?.id ?? part
      }
    }
  }

  /// Returns the whole ID of an incident for a part of it; the part itself if nothing matches.
  ///
  /// - Throws: `BadUsage` if several IDs match, `StorageFailed`.
  public func wholeId(ofIncident part: String) throws(Failure) -> String {
    try watched.read { (state) throws(Failure) in
      try state.named(WatchedIncident.self, part)?.id ?? part
    }
  }
}

/// The terminals of agents.
extension Standing {
  /// Adds the active agents to sessions.
  ///
  /// - Parameter terminals: The sessions of this machine.
  /// - Returns: The same sessions, each with the agent that started there last.
  /// - Throws: `StorageFailed`.
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

  /// Returns the tmux session of this machine, such as `$3`, of an agent; nil if it has none, or is
  /// no longer active.
  ///
  /// - Throws: `StorageFailed`.
  public func terminal(ofAgent id: String) throws(Failure) -> String? {
    try watched.read { (state) throws(Failure) in
      guard let agent = try state.named(WatchedAgent.self, id), agent.status(at: now).isActive
      else { return nil }
      return agent.terminal
    }
  }
}

extension Watcher {
  /// Returns the state at one moment, from the events that were processed.
  public func standing(at now: Timestamp) -> Standing {
    Standing(watched, at: now, journal: journal)
  }
}
