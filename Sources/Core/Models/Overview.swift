/// A summary of all incidents, swarms, agents and gates in progress.
public struct Overview: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "overview"

  /// The key figures.
  public var summaryCards: SummaryCards
  /// The open incidents, the newest first.
  public var activeIncidents: [Incident]
  /// The swarms with agents that have not ended.
  public var activeSwarms: [Swarm]
  /// The agents that have not ended.
  public var activeSessions: [Agent]
  /// The gates that wait for a decision.
  public var pendingGates: [ApprovalGate]
  /// The time of the last event in the log; absent if the log is empty.
  public var updatedAt: Timestamp?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case summaryCards, activeIncidents, activeSwarms, activeSessions, pendingGates, updatedAt,
      labels
  }

  /// Creates the record.
  public init(
    summaryCards: SummaryCards, activeIncidents: [Incident], activeSwarms: [Swarm],
    activeSessions: [Agent], pendingGates: [ApprovalGate], updatedAt: Timestamp?
  ) {
    self.summaryCards = summaryCards
    self.activeIncidents = activeIncidents
    self.activeSwarms = activeSwarms
    self.activeSessions = activeSessions
    self.pendingGates = pendingGates
    self.updatedAt = updatedAt
  }

  /// The number of gates and prompts that wait for a person.
  ///
  /// A gate and the prompt of the same agent count once.
  public var awaitedDecisions: Int {
    let gated = Set(pendingGates.compactMap(\.agentId))
    return pendingGates.count
      + activeSessions.count { ($0.waitingFor?.needsPerson ?? false) && !gated.contains($0.id) }
  }
}

/// Three key figures from 0 to 1; each is absent if there is no data for it.
public struct SummaryCards: Codable, Sendable, Hashable {
  /// The fill level of the fullest context among active conversations.
  public var contextRisk: Double?
  /// The fraction of calls of skills and tools in the last hour that failed.
  public var skillFailureRate: Double?
  /// The fraction of active swarms that are healthy: not degraded, and without a lost agent.
  public var swarmHealth: Double?

  /// Creates the figures.
  public init(contextRisk: Double?, skillFailureRate: Double?, swarmHealth: Double?) {
    self.contextRisk = contextRisk
    self.skillFailureRate = skillFailureRate
    self.swarmHealth = swarmHealth
  }
}
