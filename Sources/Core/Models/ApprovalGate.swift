/// A point at which a run waits for a person's decision.
public struct ApprovalGate: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "approvalGate"

  /// The members that all events share.
  public var head: EventHead
  /// The members that only this type of event has.
  public var body: Body
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that only this type of event has.
  public struct Body: EventBody {
    /// The gate's id, a UUIDv7.
    public var gateId: String
    /// The current status.
    public var status: GateStatus
    /// The question to decide, in one sentence.
    public var summary: String
    /// The time at which the gate was opened.
    public var requestedAt: Timestamp
    /// The time at which the gate expires.
    ///
    /// An expired gate counts as rejected.
    public var expiresAt: Timestamp?
    /// The name of the agent or person that requested the decision.
    public var requestedBy: String?
    /// The id of the pipeline that waits.
    public var pipelineId: String?
    /// The id of the stage whose result is under review.
    public var stageId: String?
    /// The sequence number of this version of the gate.
    ///
    /// The first version has 1.
    public var revision = 1
    /// Background for the decision.
    public var context: GateContext?
    /// The URL of a page with details.
    public var webUrl: String?

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case gateId, status, summary, requestedAt, expiresAt, requestedBy, pipelineId, stageId,
        revision, context, webUrl
    }
  }

  /// Creates the record from the given head and body.
  public init(head: EventHead, body: Body) {
    self.head = head
    self.body = body
  }

  /// Creates the first state of a gate.
  public init(
    ts: Int64, gateId: String, status: GateStatus, summary: String, requestedAt: Timestamp
  ) {
    self.init(
      head: EventHead(ts: ts),
      body: Body(gateId: gateId, status: status, summary: summary, requestedAt: requestedAt))
  }
}

extension ApprovalGate {
  /// The gate as an event.
  ///
  /// Its `srcId` lets a log store each state of the gate only once.
  public var event: ApprovalGate {
    var event = self
    event.srcId = "gate:\(body.gateId):\(body.revision)"
    event.swarmId = head.swarmId ?? body.pipelineId
    return event
  }
}

extension ApprovalGate {
  /// Returns the given text as a person must see it to decide on it.
  ///
  /// Only known secrets are masked, each by a visible mark, and unsafe characters are shown by their
  /// numbers. If the text has more Unicode scalars than the limit, the number of missing ones stands
  /// at its end.
  public static func words(_ text: String, upTo limit: Int = 4000) -> String {
    // A secret must be found before the text is cut inside it.
    let all = Secrets.redacted(text).unicodeScalars
    let rest = all.count - limit
    return Visible.text(String(String.UnicodeScalarView(all.prefix(limit))))
      + (rest > 0 ? "… and \(rest) more characters" : "")
  }
}

/// The status of a gate.
public enum GateStatus: String, Codable, Sendable, CaseIterable {
  case pending, approved, rejected, expired
}

/// Background for a decision at a gate.
public struct GateContext: Codable, Sendable, Hashable {
  /// The reason why the decision is needed.
  public var why: String?
  /// The effect that the decision will have.
  public var impact: String?
  /// The risk of the decision.
  public var risk: String?
  /// The requester's recommendation.
  public var recommendedAction: String?

  /// Creates the background.
  public init(
    why: String? = nil, impact: String? = nil, risk: String? = nil,
    recommendedAction: String? = nil
  ) {
    self.why = why
    self.impact = impact
    self.risk = risk
    self.recommendedAction = recommendedAction
  }
}
