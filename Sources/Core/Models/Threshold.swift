/// From where on something is the matter.
public struct Threshold: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "threshold"

  /// What it is about.
  public var kind: Kind
  /// The swarm, session, skill or agent that it holds for; absent for all others.
  public var id: String?
  /// The number.
  public var value: Double
  /// What the number counts.
  public var unit: String
  /// Whether nobody has set it.
  public var isDefault: Bool
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case kind, id, value, unit, isDefault, labels
  }

  /// What a number may be about: the kinds of alerts, and when an incident is over.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case incident, approvalGate, contextCapacity, redundancySpike, skillFailure, swarmDegraded,
      stuckAgents, incidentQuiet
  }

  /// Creates the record.
  public init(
    kind: Kind, id: String? = nil, value: Double, unit: String, isDefault: Bool
  ) {
    self.kind = kind
    self.id = id
    self.value = value
    self.unit = unit
    self.isDefault = isDefault
  }
}
