public import Core
import Foundation
import Requests

/// Tells how everything stands at one moment: this machine, or a hub.
///
/// Each question throws what its teller does: `StorageFailed` here, what asking throws there.
public protocol Outlook {
  /// Since when what was told holds, where that is not now.
  var staleness: Staleness? { get }
  /// Everything in one look.
  func overview() throws(Failure) -> Overview
  /// Everything in one look, and how many events each agent told of lately, the oldest first.
  func activity() throws(Failure) -> (overview: Overview, ofAgents: [String: [Int]])
  /// The swarms, or those of one status.
  func swarms(status: AgentStatus?) throws(Failure) -> [Swarm]
  /// A swarm with what belongs to it.
  func report(ofSwarm id: String) throws(Failure) -> SwarmReport
  /// The agents, or those of one swarm or one status.
  func agents(ofSwarm swarm: String?, status: AgentStatus?) throws(Failure) -> [Agent]
  /// An agent with what is known of its work, and so many of its last events.
  func report(ofAgent id: String, events count: Int) throws(Failure) -> AgentReport
  /// The incidents, or those of one swarm.
  func incidents(ofSwarm swarm: String?, withClosed: Bool) throws(Failure) -> [Incident]
  /// An incident with its events.
  func report(ofIncident id: String) throws(Failure) -> IncidentReport
  /// The contexts of conversations, or those of one swarm.
  func contexts(ofSwarm swarm: String?) throws(Failure) -> [ContextHealth]
  /// The skills over a time.
  func skills(_ window: SkillHealth.Window) throws(Failure) -> [SkillHealth]
  /// How a skill did.
  func report(ofSkill id: String) throws(Failure) -> SkillReport
  /// What calls of models used, added up.
  func usage(by aspect: UsageSum.Aspect, since: Timestamp?) throws(Failure) -> [UsageSum]
  /// The tmux sessions of the teller's machine, with the agents that work in them.
  func terminals() throws(Failure) -> [TerminalSession]
  /// The thresholds.
  func thresholds() throws(Failure) -> [Threshold]
  /// A gate, every decision that was tried at it, and the result that it is about.
  func report(ofGate id: String) throws(Failure) -> GateReport
  /// The last entries of the audit, so many or all, the oldest first.
  func audit(last: Int?) throws(Failure) -> [AuditEntry]
}

/// A gate with what belongs to it.
public struct GateReport: Sendable {
  /// The gate.
  public var gate: ApprovalGate
  /// Every decision that was tried at it.
  public var decisions: [DecisionReceipt]
  /// The result that it is about.
  public var result: Artifact?

  /// Puts them together.
  public init(gate: ApprovalGate, decisions: [DecisionReceipt], result: Artifact?) {
    (self.gate, self.decisions, self.result) = (gate, decisions, result)
  }
}

extension Standing: Outlook {
  /// The age of this machine's answers about itself: none, for they hold now.
  public var staleness: Staleness? { nil }

  /// As ``report(ofAgent:events:in:)``, of the journal that was taken in.
  ///
  /// - Throws: `NotFound`, `StorageFailed`.
  public func report(ofAgent id: String, events count: Int) throws(Failure) -> AgentReport {
    guard let journal else {
      throw Failure(.storageFailed, "there is no event log", input: id)
    }
    return try report(ofAgent: id, events: count, in: journal)
  }

  /// The tmux sessions of this machine, with the agents that work in them.
  ///
  /// - Throws: As `LocalTerminals.all`, and `StorageFailed`.
  public func terminals() throws(Failure) -> [TerminalSession] {
    try withAgents(try LocalTerminals.all(ProcessInfo.processInfo.environment))
  }

  /// A gate with what belongs to it.
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

  /// The last entries of the audit, the oldest first.
  ///
  /// - Throws: `StorageFailed`.
  public func audit(last: Int?) throws(Failure) -> [AuditEntry] {
    try watched.store.audit(last: last)
  }
}
