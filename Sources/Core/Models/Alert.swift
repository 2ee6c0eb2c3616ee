/// Something that a person should look at.
public struct Alert: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "alert"

  /// The event's id, once a log has stored it.
  public var id: String?
  /// The producer's own id, by which an event that comes twice is known.
  public var srcId: String?
  /// When it was noticed, in milliseconds since 1970.
  public var ts: Int64
  /// What is the matter.
  public var kind: Kind
  /// How much it matters.
  public var severity: Log.Level
  /// The matter, in a sentence.
  public var summary: String
  /// The swarm it is about.
  public var swarmId: String?
  /// The agent it is about.
  public var agentId: String?
  /// The conversation it is about.
  public var sessionId: String?
  /// The skill or tool it is about.
  public var skillId: String?
  /// The incident it tells of.
  public var incidentId: String?
  /// The gate that waits.
  public var gateId: String?
  /// What was measured.
  public var value: Double?
  /// What it was held against.
  public var threshold: Double?
  /// Where to read more.
  public var webUrl: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, kind, severity, summary, swarmId, agentId, sessionId, skillId, incidentId,
      gateId, value, threshold, webUrl, labels
  }

  /// What may be the matter.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case incident, approvalGate, contextCapacity, redundancySpike, skillFailure, swarmDegraded,
      stuckAgents
  }

  /// Creates the record.
  public init(
    id: String? = nil, srcId: String? = nil, ts: Int64, kind: Kind, severity: Log.Level,
    summary: String, swarmId: String? = nil, agentId: String? = nil, sessionId: String? = nil,
    skillId: String? = nil, incidentId: String? = nil, gateId: String? = nil, value: Double? = nil,
    threshold: Double? = nil, webUrl: String? = nil, labels: [String: String]? = nil
  ) {
    self.id = id
    self.srcId = srcId
    self.ts = ts
    self.kind = kind
    self.severity = severity
    self.summary = summary
    self.swarmId = swarmId
    self.agentId = agentId
    self.sessionId = sessionId
    self.skillId = skillId
    self.incidentId = incidentId
    self.gateId = gateId
    self.value = value
    self.threshold = threshold
    self.webUrl = webUrl
    self.labels = labels
  }
}
