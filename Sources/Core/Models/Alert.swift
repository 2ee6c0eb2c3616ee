/// A problem that should be shown to a person.
public struct Alert: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "alert"

  /// The members that all events share.
  public var head: EventHead
  /// The members that only this type of event has.
  public var body: Body
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that only this type of event has.
  public struct Body: EventBody {
    /// The kind of problem, such as an error rate above its threshold.
    public var kind: Kind
    /// The severity.
    public var severity: Log.Level
    /// A summary in one sentence.
    public var summary: String
    /// The id of the conversation concerned.
    public var sessionId: String?
    /// The id of the skill or tool concerned.
    public var skillId: String?
    /// The id of the incident concerned.
    public var incidentId: String?
    /// The id of the gate that waits for a decision.
    public var gateId: String?
    /// The measured value that led to the alert.
    public var value: Double?
    /// The threshold that the value was compared with; nil if none applies.
    public var threshold: Double?
    /// The URL of a page with details.
    public var webUrl: String?
    /// The number of alerts that a message stands for, if there are several.
    public var count: Int?

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case kind, severity, summary, sessionId, skillId, incidentId, gateId, value, threshold,
        webUrl,
        count
    }
  }

  /// The kind of an alert's problem.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case incident, approvalGate, contextCapacity, redundancySpike, skillFailure, swarmDegraded,
      stuckAgents, swarmCost, swarmAgents

    /// Creates the kind that a person names; `gate` is short for `approvalGate`.
    public init?(word: String) {
      self.init(rawValue: word == "gate" ? Self.approvalGate.rawValue : word)
    }
  }

  /// Creates the record from the given head and body.
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
