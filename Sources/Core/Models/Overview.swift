/// All that goes on, in one look.
public struct Overview: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "overview"

  /// How it goes, in three numbers.
  public var summaryCards: SummaryCards
  /// The open incidents, the newest first.
  public var activeIncidents: [Incident]
  /// The swarms that have agents that are not done.
  public var activeSwarms: [Swarm]
  /// The agents that are not done.
  public var activeSessions: [Agent]
  /// The gates that wait for a decision.
  public var pendingGates: [ApprovalGate]
  /// When the last event was logged; absent where there was none.
  public var updatedAt: Timestamp?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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
}

/// How it goes, in three numbers from 0 to 1; each is absent where there is nothing to count.
public struct SummaryCards: Codable, Sendable, Hashable {
  /// How full the fullest context of a conversation that goes on is.
  public var contextRisk: Double?
  /// Which part of the last hour's calls of skills and tools failed.
  public var skillFailureRate: Double?
  /// Which part of the active swarms is neither degraded nor has lost an agent.
  public var swarmHealth: Double?

  /// Creates the numbers.
  public init(contextRisk: Double?, skillFailureRate: Double?, swarmHealth: Double?) {
    self.contextRisk = contextRisk
    self.skillFailureRate = skillFailureRate
    self.swarmHealth = swarmHealth
  }
}
