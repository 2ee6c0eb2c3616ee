/// A limit at which alerts are raised or incidents are closed.
public struct Threshold: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "threshold"

  /// The kind of threshold.
  public var kind: Kind
  /// The id of the swarm, session, skill or agent that the threshold applies to.
  ///
  /// If absent, the threshold applies to all that have no threshold of their own.
  public var id: String?
  /// The value at which the threshold is reached.
  public var value: Double
  /// The unit of the value.
  public var unit: String
  /// `true` if the value is the default, which no person has changed.
  public var isDefault: Bool
  /// The action that follows when the value is reached; nil for none.
  public var then: Action?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case kind, id, value, unit, isDefault, then, labels
  }

  /// The kind of a threshold: a kind of alert, or the quiet period that closes an incident.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case incident, approvalGate, contextCapacity, redundancySpike, skillFailure, swarmDegraded,
      stuckAgents, swarmCost, swarmAgents, incidentQuiet
  }

  /// An action that follows when a value is reached.
  public enum Action: String, Codable, Sendable, CaseIterable {
    /// The swarm is paused.
    case pause
  }

  /// Creates the record.
  public init(
    kind: Kind, id: String? = nil, value: Double, unit: String, isDefault: Bool,
    then: Action? = nil
  ) {
    self.kind = kind
    self.id = id
    self.value = value
    self.unit = unit
    self.isDefault = isDefault
    self.then = then
  }
}
