/// Something that a person should look at.
public struct Alert: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "alert"

  /// What all events share.
  public var head: EventHead
  /// What it tells beside its head.
  public var body: Body
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// What it tells beside its head.
  public struct Body: EventBody {
    /// What is the matter.
    public var kind: Kind
    /// How much it matters.
    public var severity: Log.Level
    /// The matter, in a sentence.
    public var summary: String
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

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case kind, severity, summary, sessionId, skillId, incidentId, gateId, value, threshold, webUrl
    }
  }

  /// What may be the matter.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case incident, approvalGate, contextCapacity, redundancySpike, skillFailure, swarmDegraded,
      stuckAgents
  }

  /// Puts a record together.
  public init(head: EventHead, body: Body) {
    self.head = head
    self.body = body
  }

  /// Creates the record.
  public init(ts: Int64, kind: Kind, severity: Log.Level, summary: String) {
    self.init(
      head: EventHead(ts: ts), body: Body(kind: kind, severity: severity, summary: summary))
  }
}
