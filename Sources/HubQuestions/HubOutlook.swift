public import Core
import Foundation
import HTTP
import HubClient
import HubWords
public import Watching

/// The state of a hub's agents at one moment.
///
/// It consists of the same records as the state of this machine. A record from a stored response
/// also has the members `stale` and `ageSeconds`.
public final class HubOutlook: Outlook {
  /// The staleness of the oldest stored response that was used; nil if none was used.
  public private(set) var staleness: Staleness?
  private let answers: HubAnswers
  private let end: ContinuousClock.Instant

  /// Creates a view of the hub's state at this moment.
  public init(_ answers: HubAnswers) {
    self.answers = answers
    end = .now + .seconds(answers.patience)
  }

  private typealias Query = [(name: String, value: String?)]

  private func fetch(_ path: String, _ query: Query = []) throws(Failure) -> HubReply {
    let given = query.compactMap { name, value in
      value.map { "\(name)=\($0.percentEncoded)" }
    }
    let path = path + (given.isEmpty ? "" : "?" + given.joined(separator: "&"))
    let (body, staleness) = try answers.answer(to: path, until: end)
    if let staleness, self.staleness.map({ staleness.since < $0.since }) ?? true {
      self.staleness = staleness
    }
    return try HubReply(body, of: answers.url, since: staleness?.since)
  }

  /// Returns the overview; see `Outlook`.
  public func overview() throws(Failure) -> Overview {
    try fetch("/v1/overview").record()
  }

  /// Returns the overview and the recent activity of each agent; see `Outlook`.
  public func activity() throws(Failure) -> (overview: Overview, ofAgents: [String: [Int]]) {
    let reply = try fetch("/v1/overview", [("activity", "true")])
    return (try reply.record(), try reply.word(ActivityMembers.self).activity)
  }

  /// Returns the swarms; see `Outlook`.
  public func swarms(status: AgentStatus?) throws(Failure) -> [Swarm] {
    let reply = try fetch("/v1/swarms", [("status", status?.rawValue)])
    return try reply.list(try reply.word(SwarmList.self).swarms)
  }

  /// Returns the report of the given swarm; see `Outlook`.
  public func report(ofSwarm id: String) throws(Failure) -> SwarmReport {
    let reply = try fetch("/v1/swarms/\(id.percentEncoded)")
    let answer = try reply.word(SwarmAnswer.self)
    return SwarmReport(
      swarm: try reply.record(answer.swarm), agents: try reply.list(answer.agents),
      incidents: try reply.list(answer.incidents))
  }

  /// Returns the agents; see `Outlook`.
  public func agents(ofSwarm swarm: String?, status: AgentStatus?) throws(Failure) -> [Agent] {
    let reply = try fetch("/v1/agents", [("swarmId", swarm), ("status", status?.rawValue)])
    return try reply.list(try reply.word(AgentList.self).agents)
  }

  /// Returns the report of the given agent; see `Outlook`.
  public func report(ofAgent id: String, events count: Int) throws(Failure) -> AgentReport {
    let reply = try fetch(
      "/v1/agents/\(id.percentEncoded)", [("events", "\(min(count, 1000))")])
    let answer = try reply.word(AgentAnswer.self)
    return AgentReport(
      agent: try reply.record(answer.agent), contexts: try reply.list(answer.contextHealth),
      failingSkills: try reply.list(answer.skillHealth), events: answer.events.map(reply.line))
  }

  /// Returns the incidents; see `Outlook`.
  public func incidents(ofSwarm swarm: String?, withClosed: Bool) throws(Failure) -> [Incident] {
    let reply = try fetch(
      "/v1/incidents", [("swarmId", swarm), ("status", withClosed ? "all" : "open")])
    return try reply.list(try reply.word(IncidentList.self).incidents)
  }

  /// Returns the report of the given incident; see `Outlook`.
  public func report(ofIncident id: String) throws(Failure) -> IncidentReport {
    let path = "/v1/incidents/\(id.percentEncoded)"
    let incident: Incident = try fetch(path).record()
    let reply = try fetch(path + "/events")
    return IncidentReport(
      incident: incident, events: try reply.word(IncidentEvents.self).events.map(reply.line))
  }

  /// Returns the health of the contexts; see `Outlook`.
  public func contexts(ofSwarm swarm: String?) throws(Failure) -> [ContextHealth] {
    let reply = try fetch("/v1/context-health", [("swarmId", swarm)])
    return try reply.list(try reply.word(ContextList.self).contextHealth)
  }

  /// Returns the health of the skills; see `Outlook`.
  public func skills(_ window: SkillHealth.Window) throws(Failure) -> [SkillHealth] {
    let reply = try fetch("/v1/skill-health", [("window", window.rawValue)])
    return try reply.list(try reply.word(SkillList.self).skillHealth)
  }

  /// Returns the report of the given skill; see `Outlook`.
  public func report(ofSkill id: String) throws(Failure) -> SkillReport {
    let reply = try fetch("/v1/skill-health/\(id.percentEncoded)")
    let answer = try reply.word(SkillAnswer.self)
    return SkillReport(
      health: try reply.list(answer.skillHealth), latencies: answer.byLatency,
      minutes: answer.byMinute, hours: answer.byHour)
  }

  /// Returns the usage of models, summed by the given aspect; see `Outlook`.
  public func usage(
    by aspect: UsageSum.Aspect, since: Timestamp?
  ) throws(Failure) -> [UsageSum] {
    let reply = try fetch("/v1/usage", [("by", aspect.rawValue), ("since", since?.iso8601)])
    return try reply.list(try reply.word(UsageList.self).usage)
  }

  /// Returns no sessions, because a hub adds its own chats to its usage.
  public func countedSessions() -> [String: String] { [:] }

  /// Returns the tmux sessions of the hub's machine; see `Outlook`.
  public func terminals() throws(Failure) -> [TerminalSession] {
    let reply = try fetch("/v1/terminal/sessions")
    return try reply.list(try reply.word(TerminalList.self).sessions)
  }

  /// Returns the thresholds; see `Outlook`.
  public func thresholds() throws(Failure) -> [Threshold] {
    let reply = try fetch("/v1/thresholds")
    return try reply.list(try reply.word(ThresholdList.self).thresholds)
  }

  /// Returns the report of the given gate; see `Outlook`.
  public func report(ofGate id: String) throws(Failure) -> GateReport {
    try fetch("/v1/approval-gates/\(id.percentEncoded)").gateReport()
  }

  /// Returns the audit log of decisions and controls, oldest entry first.
  ///
  /// - Parameter last: The number of newest entries; nil for the hub's maximum, 10,000.
  /// - Returns: The entries.
  /// - Throws: The errors of the request.
  public func audit(last: Int?) throws(Failure) -> [AuditEntry] {
    guard last != 0 else { return [] }
    let reply = try fetch("/v1/audit", [("last", "\(min(last ?? 10_000, 10_000))")])
    return try reply.list(try reply.word(AuditList.self).audit)
  }
}
