public import Core
import Foundation
import Requests

/// The watched state at one moment, on this machine or on a hub.
///
/// On this machine, each query throws `StorageFailed` if the store cannot be read. On a hub, it
/// throws the errors of a request.
public protocol Outlook {
  /// The age of the answers; nil if they are up to date.
  var staleness: Staleness? { get }
  /// Returns an overview of all active items.
  func overview() throws(Failure) -> Overview
  /// Returns the overview, and the recent numbers of each agent's events, the oldest first.
  func activity() throws(Failure) -> (overview: Overview, ofAgents: [String: [Int]])
  /// Returns all swarms, or only those with the given status.
  func swarms(status: AgentStatus?) throws(Failure) -> [Swarm]
  /// Returns the given swarm with its agents and incidents.
  func report(ofSwarm id: String) throws(Failure) -> SwarmReport
  /// Returns all agents, or only those in the given swarm and with the given status.
  func agents(ofSwarm swarm: String?, status: AgentStatus?) throws(Failure) -> [Agent]
  /// Returns the given agent with details of its work, and at most `count` of its last events.
  func report(ofAgent id: String, events count: Int) throws(Failure) -> AgentReport
  /// Returns the open incidents, or all of them.
  ///
  /// If a swarm is given, only its incidents are returned.
  func incidents(ofSwarm swarm: String?, withClosed: Bool) throws(Failure) -> [Incident]
  /// Returns the given incident with its events.
  func report(ofIncident id: String) throws(Failure) -> IncidentReport
  /// Returns the contexts of all conversations, or only of those in the given swarm.
  func contexts(ofSwarm swarm: String?) throws(Failure) -> [ContextHealth]
  /// Returns the results of all skills in the given time window.
  func skills(_ window: SkillHealth.Window) throws(Failure) -> [SkillHealth]
  /// Returns the results of the given skill during the last day.
  func report(ofSkill id: String) throws(Failure) -> SkillReport
  /// Returns the total usage of model calls for each value of the given aspect.
  func usage(by aspect: UsageSum.Aspect, since: Timestamp?) throws(Failure) -> [UsageSum]
  /// Returns the sessions whose calls are part of the usage, each with the first day that counts.
  func countedSessions() throws(Failure) -> [String: String]
  /// Returns the tmux sessions on the machine, with the agents that work in them.
  func terminals() throws(Failure) -> [TerminalSession]
  /// Returns all thresholds of alerts.
  func thresholds() throws(Failure) -> [Threshold]
  /// Returns the given gate, together with all attempted decisions and the result to be approved.
  func report(ofGate id: String) throws(Failure) -> GateReport
  /// Returns the last entries of the audit, the oldest first.
  ///
  /// At most `last` entries are returned; nil returns all.
  func audit(last: Int?) throws(Failure) -> [AuditEntry]
}

extension Standing: Outlook {
  /// Always nil, because the answers of this machine are up to date.
  public var staleness: Staleness? { nil }

  /// Returns the given agent with details of its work, and at most `count` of its last events.
  ///
  /// - Throws: `NotFound` if there is no such agent; `StorageFailed` if the store or the log cannot
  ///   be read.
  public func report(ofAgent id: String, events count: Int) throws(Failure) -> AgentReport {
    guard let journal else {
      throw Failure(.storageFailed, "there is no event log", input: id)
    }
    return try report(ofAgent: id, events: count, in: journal)
  }

  /// Returns the tmux sessions of this machine, with the agents that work in them.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read; the errors of `LocalTerminals.all`.
  public func terminals() throws(Failure) -> [TerminalSession] {
    try withAgents(try LocalTerminals.all(ProcessInfo.processInfo.environment))
  }

  /// Returns the given gate, together with all attempted decisions and the result to be approved.
  ///
  /// - Throws: `NotFound` if there is no such gate; `StorageFailed` if the store cannot be read.
  public func report(ofGate id: String) throws(Failure) -> GateReport {
    let store = watched.store
    guard let found = try Gates.find(id, in: store, at: Timestamp(milliseconds: now)) else {
      throw Failure(.notFound, "there is no gate '\(id)'", input: id)
    }
    return GateReport(
      gate: found.gate, decisions: found.decisions,
      result: try Gates.result(of: found.gate, in: store))
  }

  /// Returns the last entries of the audit, the oldest first.
  ///
  /// At most `last` entries are returned; nil returns all.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func audit(last: Int?) throws(Failure) -> [AuditEntry] {
    try watched.store.audit(last: last)
  }
}

extension Outlook {
  /// Returns the context of the conversation with the given id, or with a part of it.
  ///
  /// - Throws: `NotFound` if there is no such conversation; `BadUsage` if several match; the errors
  ///   of the query.
  public func context(
    ofSession id: String, inSwarm swarm: String? = nil
  ) throws(Failure) -> ContextHealth {
    let contexts = try contexts(ofSwarm: swarm)
    let whole = try IdPart.whole(id, among: contexts.map(\.sessionId), "session")
    guard let context = contexts.first(where: { $0.sessionId == whole }) else {
      throw Failure(.notFound, "there is no session '\(id)'", input: id)
    }
    return context
  }
}
