import Chats
import Core
import Events
import HubWords
import Requests
import Watching

/// The routes for the state of agents, swarms, incidents, contexts and skills.
struct WatchingRoutes: Sendable {
  let desk: HubDesk
  /// The chats, whose usage is added to that of agents; nil if the hub serves no chats.
  let chats: CompanionChats?

  var all: [HubRoute] {
    [
      .get("/v1/overview", for: .people(.read), overview),
      .get("/v1/swarms", for: .people(.read), swarms),
      .get("/v1/swarms/{swarmId}", for: .people(.read), swarm),
      .get("/v1/agents", for: .people(.read), agents),
      .get("/v1/agents/{agentId}", for: .people(.read), agent),
      .get("/v1/incidents", for: .people(.read), incidents),
      .get("/v1/incidents/{incidentId}", for: .people(.read), incident),
      .get("/v1/incidents/{incidentId}/events", for: .people(.read), incidentEvents),
      .get("/v1/context-health", for: .people(.read), contexts),
      .get("/v1/skill-health", for: .people(.read), skills),
      .get("/v1/skill-health/{skillId}", for: .people(.read), skill),
      .get("/v1/usage", for: .people(.read), usage),
      .get("/v1/audit", for: .people(.read), audit),
      .get("/v1/thresholds", for: .people(.read), thresholds),
    ]
  }

  /// The requested status of agents: one status, or `active` for all agents at work.
  private enum Wanted: Sendable {
    case all, active
    case one(AgentStatus)

    init(_ text: String?) throws(Failure) {
      guard let text else {
        self = .all
        return
      }
      if text == "active" {
        self = .active
      } else if let status = AgentStatus(rawValue: text) {
        self = .one(status)
      } else {
        let known = ["active"] + AgentStatus.allCases.map(\.rawValue)
        throw Failure(
          .badInput, "'status' must be one of \(known.joined(separator: ", "))", input: "status")
      }
    }

    func accepts(_ status: AgentStatus) -> Bool {
      switch self {
      case .all: true
      case .active: status.isActive
      case .one(let wanted): status == wanted
      }
    }
  }

  /// A Boolean value in a query.
  private enum Wish: String, CaseIterable, Sendable {
    case yes = "true"
    case no = "false"
  }

  /// Returns the overview.
  ///
  /// With `activity=true` in the query, it includes each agent's recent activity.
  @Sendable private func overview(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    guard try request.choice("activity", Wish.self) == .yes else {
      return try HubAnswer(
        try await desk.standing { (standing) throws(Failure) in try standing.overview() },
        desk.links)
    }
    let (overview, activity) = try await desk.standing { (standing) throws(Failure) in
      try standing.activity()
    }
    let record = try desk.links.json(overview)
    return HubAnswer(json: try ActivityMembers(activity: activity).added(to: record))
  }

  @Sendable private func swarms(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let wanted = try Wanted(request.query("status"))
    let swarms = try await desk.standing { (standing) throws(Failure) in
      try standing.swarms().filter { wanted.accepts($0.status) }
    }
    return try HubAnswer(SwarmList(swarms: try WebLinks().texts(of: swarms)))
  }

  @Sendable private func swarm(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let id = try request.part("swarmId")
    let report = try await desk.standing { (standing) throws(Failure) in
      try standing.report(ofSwarm: id)
    }
    return try HubAnswer(
      SwarmAnswer(
        swarm: RecordJSON(try report.swarm.json()),
        agents: try desk.links.texts(of: report.agents),
        incidents: try desk.links.texts(of: report.incidents)))
  }

  @Sendable private func agents(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let wanted = try Wanted(request.query("status"))
    let swarm = request.query("swarmId")
    let agents = try await desk.standing { (standing) throws(Failure) in
      try standing.agents(ofSwarm: swarm).filter { wanted.accepts($0.status) }
    }
    return try HubAnswer(AgentList(agents: try desk.links.texts(of: agents)))
  }

  @Sendable private func agent(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let id = try request.part("agentId")
    let count = try request.number("events", in: 0...1000, usual: 50)
    let journal = desk.journal
    let report = try await desk.standing { (standing) throws(Failure) in
      try standing.report(ofAgent: id, events: count, in: journal)
    }
    var answer = AgentAnswer(agent: RecordJSON(try desk.links.json(report.agent)))
    answer.contextHealth = try desk.links.texts(of: report.contexts)
    answer.skillHealth = try desk.links.texts(of: report.failingSkills)
    answer.events = desk.links.texts(ofLines: report.events)
    return try HubAnswer(answer)
  }

  /// The incidents that a request selects by their status.
  private enum IncidentChoice: String, CaseIterable, Sendable {
    case open, closed, all
  }

  @Sendable private func incidents(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let choice = try request.choice("status", IncidentChoice.self) ?? .open
    let swarm = request.query("swarmId")
    let incidents = try await desk.standing { (standing) throws(Failure) in
      try standing.incidents(ofSwarm: swarm, withClosed: choice != .open)
        .filter { choice != .closed || $0.status == .closed }
    }
    return try HubAnswer(IncidentList(incidents: try desk.links.texts(of: incidents)))
  }

  @Sendable private func incident(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let id = try request.part("incidentId")
    return try HubAnswer(
      try await desk.standing { (standing) throws(Failure) in
        try standing.report(ofIncident: id).incident
      }, desk.links)
  }

  @Sendable private func incidentEvents(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let id = try request.part("incidentId")
    let events = try await desk.standing { (standing) throws(Failure) in
      try standing.report(ofIncident: id).events
    }
    return try HubAnswer(IncidentEvents(events: desk.links.texts(ofLines: events)))
  }

  @Sendable private func contexts(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let swarm = request.query("swarmId")
    let contexts = try await desk.standing { (standing) throws(Failure) in
      try standing.contexts(ofSwarm: swarm)
    }
    return try HubAnswer(ContextList(contextHealth: try desk.links.texts(of: contexts)))
  }

  @Sendable private func skills(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let window = try request.choice("window", SkillHealth.Window.self) ?? .hour
    let skills = try await desk.standing { (standing) throws(Failure) in
      try standing.skills(window)
    }
    return try HubAnswer(SkillList(skillHealth: try WebLinks().texts(of: skills)))
  }

  @Sendable private func skill(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let id = try request.part("skillId")
    let report = try await desk.standing { (standing) throws(Failure) in
      try standing.report(ofSkill: id)
    }
    return try HubAnswer(
      SkillAnswer(
        skillHealth: try desk.links.texts(of: report.health), byLatency: report.latencies,
        byMinute: report.minutes, byHour: report.hours))
  }

  /// The aspects by which a hub sums usage.
  ///
  /// Usage cannot be summed by project, because the names of projects are encrypted.
  enum UsageAspect: String, CaseIterable, Sendable {
    case day, model, swarm, tool, session, run
  }

  @Sendable private func usage(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let wanted = try request.choice("by", UsageAspect.self) ?? .day
    let aspect = UsageSum.Aspect(rawValue: wanted.rawValue) ?? .day
    let since = try request.query("since").map { (text) throws(Failure) in
      guard let instant = Timestamp(iso8601: text) else {
        throw Failure(.badInput, "'since' must be an RFC 3339 time", input: "since")
      }
      return instant
    }
    let chats = chats
    let sums = try await desk.standing { (standing) throws(Failure) in
      let watched = try standing.usage(by: aspect, since: since)
      guard let chats = try chats?.store() else { return watched }
      return try chats.usage(
        by: aspect, since: since, beside: (watched, try standing.countedSessions()))
    }
    return try HubAnswer(UsageList(usage: try WebLinks().texts(of: sums)))
  }

  @Sendable private func audit(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let last = try request.number("last", in: 1...10_000, usual: 100)
    let requestId = request.query("requestId")
    let store = desk.store
    let entries = try await desk.read { () throws(Failure) in
      try store.audit(requestId: requestId, last: last)
    }
    return try HubAnswer(AuditList(audit: try WebLinks().texts(of: entries)))
  }

  @Sendable private func thresholds(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let found = try await desk.standing { (standing) throws(Failure) in try standing.thresholds() }
    return try HubAnswer(ThresholdList(thresholds: try WebLinks().texts(of: found)))
  }
}
