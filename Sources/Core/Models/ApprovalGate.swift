/// A point at which a run waits for a person's decision.
public struct ApprovalGate: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "approvalGate"

  /// What all events share.
  public var head: EventHead
  /// What it tells beside its head.
  public var body: Body
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// What it tells beside its head.
  public struct Body: EventBody {
    /// A UUIDv7.
    public var gateId: String
    /// What was decided.
    public var status: GateStatus
    /// What is to be decided, in a sentence.
    public var summary: String
    /// When the gate was opened.
    public var requestedAt: Timestamp
    /// When it closes by itself, rejected.
    public var expiresAt: Timestamp?
    /// Who asks.
    public var requestedBy: String?
    /// The pipeline that waits.
    public var pipelineId: String?
    /// The stage whose result is to be judged.
    public var stageId: String?
    /// Counts the states of this gate, from 1.
    public var revision = 1
    /// What to know before deciding.
    public var context: GateContext?
    /// Where to read more.
    public var webUrl: String?

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case gateId, status, summary, requestedAt, expiresAt, requestedBy, pipelineId, stageId,
        revision, context, webUrl
    }
  }

  /// Puts a record together.
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
  /// The gate as an event, which a log takes once for each of its states.
  public var event: ApprovalGate {
    var event = self
    event.srcId = "gate:\(body.gateId):\(body.revision)"
    event.swarmId = head.swarmId ?? body.pipelineId
    return event
  }
}

/// What was decided at a gate.
public enum GateStatus: String, Codable, Sendable, CaseIterable {
  case pending, approved, rejected, expired
}

/// What to know before deciding.
public struct GateContext: Codable, Sendable, Hashable {
  /// Why the gate is there.
  public var why: String?
  /// What follows from a decision.
  public var impact: String?
  /// What may go wrong.
  public var risk: String?
  /// What the asker would do.
  public var recommendedAction: String?

  /// Creates the context.
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
