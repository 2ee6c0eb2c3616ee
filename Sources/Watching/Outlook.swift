public import Core
import Foundation
import Requests

/// The state of everything at one moment, on this machine or at a hub.
///
/// Each query throws the errors of its source: `StorageFailed` on this machine, those of a request
/// at a hub.
public protocol Outlook {
  /// The age of the answers, if they are not current.
  var staleness: Staleness? { get }
  /// Returns the overview.
  func overview() throws(Failure) -> Overview
  /// Returns the overview, and the recent number of events of each agent, the oldest first.
  func activity() throws(Failure) -> (overview: Overview, ofAgents: [String: [Int]])
  /// Returns the swarms, or those with one status.
  func swarms(status: AgentStatus?) throws(Failure) -> [Swarm]
  /// Returns a swarm with its agents and incidents.
  func report(ofSwarm id: String) throws(Failure) -> SwarmReport
  /// Returns the agents, or those of one swarm or with one status.
  func agents(ofSwarm swarm: String?, status: AgentStatus?) throws(Failure) -> [Agent]
  /// Returns an agent with details of its work, and a number of its last events.
  func report(ofAgent id: String, events count: Int) throws(Failure) -> AgentReport
  /// Returns the incidents, or those of one swarm.
  func incidents(ofSwarm swarm: String?, withClosed: Bool) throws(Failure) -> [Incident]
  /// Returns an incident with its events.
  func report(ofIncident id: String) throws(Failure) -> IncidentReport
  /// Returns the contexts of conversations, or those of one swarm.
  func contexts(ofSwarm swarm: String?) throws(Failure) -> [ContextHealth]
  /// Returns the skills over a time window.
  func skills(_ window: SkillHealth.Window) throws(Failure) -> [SkillHealth]
  /// Returns the results of a skill.
  func report(ofSkill id: String) throws(Failure) -> SkillReport
  /// Returns the usage of model calls, added up.
  func usage(by aspect: UsageSum.Aspect, since: Timestamp?) throws(Failure) -> [UsageSum]
  /// Returns the tmux sessions of the source's machine, with the agents that work in them.
  func terminals() throws(Failure) -> [TerminalSession]
  /// Returns the thresholds.
  func thresholds() throws(Failure) -> [Threshold]
  /// Returns a gate, all attempted decisions, and the result that it is about.
  func report(ofGate id: String) throws(Failure) -> GateReport
  /// Returns a number of last entries of the audit, or all, the oldest first.
  func audit(last: Int?) throws(Failure) -> [AuditEntry]
}

/// A gate with its decisions and its result.
public struct GateReport: Sendable {
  /// The gate.
  public var gate: ApprovalGate
  /// All attempted decisions, in order.
  public var decisions: [DecisionReceipt]
  /// The result that the gate is about.
  public var result: Artifact?

  /// Creates the report.
  public init(gate: ApprovalGate, decisions: [DecisionReceipt], result: Artifact?) {
    (self.gate, self.decisions, self.result) = (gate, decisions, result)
  }
}

extension Standing: Outlook {
  /// Always nil: this machine's answers about itself are current.
  public var staleness: Staleness? { nil }

  /// Returns the report of ``report(ofAgent:events:in:)`` from the processed journal.
  ///
  /// - Throws: `NotFound`, `StorageFailed`.
  public func report(ofAgent id: String, events count: Int) throws(Failure) -> AgentReport {
    guard let journal else {
      throw Failure(.storageFailed, "there is no event log to look at", input: id)
    }
    return try report(ofAgent: id, events: count, in: journal)
  }

  /// Returns the tmux sessions of this machine, with the agents that work in them.
  ///
  /// - Throws: The errors of `LocalTerminals.all`, and `StorageFailed`.
  public func terminals() throws(Failure) -> [TerminalSession] {
    try withAgents(try LocalTerminals.all(ProcessInfo.processInfo.environment))
  }

  /// Returns a gate with its decisions and its result.
  ///
  /// - Throws: `NotFound`, `StorageFailed`.
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
  /// - Throws: `StorageFailed`.
  public func audit(last: Int?) throws(Failure) -> [AuditEntry] {
    try watched.store.audit(last: last)
  }
}
