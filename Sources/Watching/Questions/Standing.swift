public import Core
import Events
public import Storage

/// How everything that is watched stands at one moment.
///
/// Each question reads what it needs, in one transaction.
public struct Standing: Sendable {
  let watched: Watched
  let now: Int64
  /// The log that was taken in; nil where only what is known is asked.
  let journal: EventJournal?

  /// Asks what is known.
  ///
  /// - Parameters:
  ///   - store: Where it is.
  ///   - now: The present.
  public init(_ store: Store, at now: Timestamp = .now) {
    self.init(Watched(store), at: now)
  }

  init(_ watched: Watched, at now: Timestamp, journal: EventJournal? = nil) {
    self.journal = journal
    self.watched = watched
    self.now = now.milliseconds
  }

  /// The swarms, by id, or those of one status.
  ///
  /// - Throws: `StorageFailed`.
  public func swarms(status: AgentStatus? = nil) throws(Failure) -> [Swarm] {
    let swarms = try watched.read { (state) throws(Failure) in
      // Ids that differ only in how their letters are composed are one to a dictionary.
      let swarms = Dictionary(try state.documents(WatchedSwarm.self).map { ($0.id, $0) }) { $1 }
      let named = try swarms.values.map { (swarm) throws(Failure) in try state.withName(swarm) }
      return try records(of: named, members: state.documents(WatchedAgent.self))
    }
    return swarms.filter { status == nil || $0.status == status }
  }

  /// The agents, by id, without those that stand for a swarm's run.
  ///
  /// - Parameters:
  ///   - swarm: Only those of one swarm, named by a part of its id at least.
  ///   - status: Only those of one status.
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

  /// The incidents that go on, or all of them, the newest first.
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

  /// The contexts of conversations, the fullest first.
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

  /// The skills and tools over a time, those that fail most first.
  ///
  /// - Throws: `StorageFailed`.
  public func skills(_ window: SkillHealth.Window) throws(Failure) -> [SkillHealth] {
    try watched.read { (state) throws(Failure) in
      records(
        of: try state.documents(WatchedSkill.self), window, thresholds: try Thresholds(state))
    }
  }

  /// The thresholds.
  ///
  /// - Throws: `StorageFailed`.
  public func thresholds() throws(Failure) -> [Threshold] {
    try watched.read { (state) throws(Failure) in try Thresholds(state).records }
  }

  /// How an agent or a swarm stands; nil for one that nobody has heard of.
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
  /// The whole id of an agent or a swarm that is named by a part of it; else the part.
  ///
  /// - Throws: `BadUsage` where it is a part of several, `StorageFailed`.
  public func wholeId(_ target: ControlTarget, _ part: String) throws(Failure) -> String {
    try watched.read { (state) throws(Failure) in
      switch target {
      case .agent: try state.named(WatchedAgent.self, part)?.id ?? part
      case .swarm: try state.named(WatchedSwarm.self, part)?.id ?? part
      }
    }
  }

  /// The whole id of an incident that is named by a part of it; else the part.
  ///
  /// - Throws: `BadUsage` where it is a part of several, `StorageFailed`.
  public func wholeId(ofIncident part: String) throws(Failure) -> String {
    try watched.read { (state) throws(Failure) in
      try state.named(WatchedIncident.self, part)?.id ?? part
    }
  }
}

/// The terminals that agents work in.
extension Standing {
  /// The sessions with the agents that are at work in them.
  ///
  /// - Parameter terminals: The sessions of this machine.
  /// - Returns: The same, each with the agent that began there last.
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

  /// The tmux session of this machine, such as `$3`, that an agent works in; nil where it works in none,
  /// or no more.
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
  /// How everything stands at one moment, by what was taken in.
  public func standing(at now: Timestamp) -> Standing {
    Standing(watched, at: now, journal: journal)
  }
}
