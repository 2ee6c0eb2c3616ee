public import Core
public import Events

/// A swarm with its agents and open incidents.
public struct SwarmReport: Sendable {
  /// The swarm.
  public var swarm: Swarm
  /// The agents of the swarm.
  public var agents: [Agent]
  /// The open incidents of the swarm.
  public var incidents: [Incident]

  /// Creates the report.
  public init(swarm: Swarm, agents: [Agent], incidents: [Incident]) {
    (self.swarm, self.agents, self.incidents) = (swarm, agents, incidents)
  }
}

/// An agent with details of its work.
public struct AgentReport: Sendable {
  /// The agent.
  public var agent: Agent
  /// The contexts of the agent's conversations.
  public var contexts: [ContextHealth]
  /// The failing skills among those that the agent called recently, at most five.
  public var failingSkills: [SkillHealth]
  /// The agent's last events, one line for each.
  public var events: [String]

  /// Creates the report.
  public init(
    agent: Agent, contexts: [ContextHealth], failingSkills: [SkillHealth], events: [String]
  ) {
    (self.agent, self.contexts) = (agent, contexts)
    (self.failingSkills, self.events) = (failingSkills, events)
  }
}

/// An incident with its last events.
public struct IncidentReport: Sendable {
  /// The incident.
  public var incident: Incident
  /// The incident's last events, one line for each.
  public var events: [String]

  /// Creates the report.
  public init(incident: Incident, events: [String]) {
    (self.incident, self.events) = (incident, events)
  }
}

/// The results of a skill, and the data for its plots.
public struct SkillReport: Sendable {
  /// The results of the last hour, followed by those of the last day.
  public var health: [SkillHealth]
  /// The number of calls in the last day for each latency class, the shortest latency first.
  public var latencies: [CallLatency]
  /// The calls of the last hour, by minute.
  public var minutes: CallSeries
  /// The calls of the last day, by hour.
  public var hours: CallSeries

  /// Creates the report.
  public init(
    health: [SkillHealth], latencies: [CallLatency], minutes: CallSeries, hours: CallSeries
  ) {
    (self.health, self.latencies) = (health, latencies)
    (self.minutes, self.hours) = (minutes, hours)
  }
}

extension Standing {
  /// The number of an agent's last events that are searched for skills.
  private static let latelyCalled = 1000
  /// The maximum number of failing skills in an agent's report.
  private static let mostSkills = 5

  /// Returns the given swarm with its agents and its open incidents.
  ///
  /// - Throws: `NotFound` if there is no such swarm; `StorageFailed` if the store cannot be read.
  public func report(ofSwarm id: String) throws(Failure) -> SwarmReport {
    try watched.read { (state) throws(Failure) in
      guard let (swarm, members) = try swarm(id, state) else {
        throw Failure(.notFound, "there is no swarm '\(id)'", input: id)
      }
      let open = try state.documents(WatchedIncident.self, .below(WatchedIncident.open))
      return SwarmReport(
        swarm: swarm, agents: records(of: members.filter { $0.swarmId == swarm.id }),
        incidents: Self.records(of: open.filter { $0.swarmId == swarm.id }))
    }
  }

  /// Returns the given agent with its contexts, its failing skills and its last events.
  ///
  /// - Parameters:
  ///   - id: The ID of the agent.
  ///   - count: The maximum number of its last events.
  ///   - journal: The journal that contains the events.
  /// - Returns: The report.
  /// - Throws: `NotFound` if there is no such agent; `StorageFailed` if the store or the log cannot
  ///   be read.
  public func report(
    ofAgent id: String, events count: Int, in journal: EventJournal
  ) throws(Failure) -> AgentReport {
    let (agent, contexts) = try watched.read { (state) throws(Failure) in
      // An agent that represents the run of a swarm is only shown as the swarm.
      guard let agent = try state.named(WatchedAgent.self, id), !agent.isRun else {
        throw Failure(.notFound, "there is no agent '\(id)'", input: id)
      }
      let sessions = try state.documents(WatchedSession.self, .below(agent.id))
      return (
        agent.record(at: now), Self.records(of: sessions, thresholds: try Thresholds(state))
      )
    }
    let entries = try journal.last(max(Self.latelyCalled, count), ofAgent: agent.id)
    return AgentReport(
      agent: agent, contexts: contexts,
      failingSkills: try failing(Set(entries.compactMap { WatchedEvent($0)?.skillId })),
      events: entries.suffix(count).map(\.line))
  }

  /// Returns the given incident with its last events.
  ///
  /// The time of the first report of each incident is stored.
  ///
  /// - Throws: `NotFound` if there is no such incident; `StorageFailed` if the store cannot be
  ///   read or changed.
  public func report(ofIncident id: String) throws(Failure) -> IncidentReport {
    let (incident, events) = try watched.read { (state) throws(Failure) in
      guard let incident = try state.named(WatchedIncident.self, id) else {
        throw Failure(.notFound, "there is no incident '\(id)'", input: id)
      }
      return (incident, try state.tables.events(ofIncident: incident.id))
    }
    let seen = incident.firstSeenAt == nil ? try see(incident.id) : nil
    return IncidentReport(incident: (seen ?? incident).record, events: events)
  }

  private func see(_ id: String) throws(Failure) -> WatchedIncident? {
    try watched.change { (state) throws(Failure) in
      guard var incident = try state.document(WatchedIncident.self, id) else { return nil }
      incident.firstSeenAt = incident.firstSeenAt ?? now
      state.update(incident)
      return incident
    }
  }

  /// Returns the results of the given skill in the last hour and in the last day.
  ///
  /// - Throws: `NotFound` if there is no such skill; `StorageFailed` if the store cannot be read.
  public func report(ofSkill id: String) throws(Failure) -> SkillReport {
    try watched.read { (state) throws(Failure) in
      let thresholds = try Thresholds(state)
      guard let skill = try state.named(WatchedSkill.self, id) else {
        throw Failure(.notFound, "there is no skill '\(id)'", input: id)
      }
      return SkillReport(
        health: [
          skill.record(.hour, thresholds, at: now), skill.record(.day, thresholds, at: now),
        ],
        latencies: skill.window.day(at: now).byLatency,
        minutes: skill.window.lastMinutes(at: now), hours: skill.window.lastHours(at: now))
    }
  }

  /// Returns those of the skills with the given IDs that are failing, the worst first.
  private func failing(_ ids: Set<String>) throws(Failure) -> [SkillHealth] {
    let skills = try watched.read { (state) throws(Failure) in
      var skills: [WatchedSkill] = []
      for id in ids {
        if let skill = try state.document(WatchedSkill.self, id) { skills.append(skill) }
      }
      return records(of: skills, .hour, thresholds: try Thresholds(state))
    }
    return Array(skills.filter { ($0.errorRate ?? 0) > 0 }.prefix(Self.mostSkills))
  }
}
