/// A point at which a run waits for a person's decision.
public struct ApprovalGate: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "approvalGate"

  /// The event's id, once a log has stored it.
  public var id: String?
  /// The producer's own id, by which an event that comes twice is known.
  public var srcId: String?
  /// When this state was written, in milliseconds since 1970.
  public var ts: Int64
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
  /// The agent that waits; of a run, the stage.
  public var agentId: String?
  /// The swarm of the agent; of a run, the pipeline.
  public var swarmId: String?
  /// The pipeline that waits.
  public var pipelineId: String?
  /// The stage whose result is to be judged.
  public var stageId: String?
  /// Counts the states of this gate, from 1.
  public var revision: Int
  /// What to know before deciding.
  public var context: GateContext?
  /// Where to read more.
  public var webUrl: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, gateId, status, summary, requestedAt, expiresAt, requestedBy, agentId,
      swarmId, pipelineId, stageId, revision, context, webUrl, labels
  }

  /// Creates the record.
  public init(
    id: String? = nil, srcId: String? = nil, ts: Int64, gateId: String, status: GateStatus,
    summary: String,
    requestedAt: Timestamp, expiresAt: Timestamp? = nil, requestedBy: String? = nil,
    agentId: String? = nil, swarmId: String? = nil, pipelineId: String? = nil,
    stageId: String? = nil, revision: Int = 1,
    context: GateContext? = nil, webUrl: String? = nil, labels: [String: String]? = nil
  ) {
    self.id = id
    self.srcId = srcId
    self.ts = ts
    self.gateId = gateId
    self.status = status
    self.summary = summary
    self.requestedAt = requestedAt
    self.expiresAt = expiresAt
    self.requestedBy = requestedBy
    self.agentId = agentId
    self.swarmId = swarmId
    self.pipelineId = pipelineId
    self.stageId = stageId
    self.revision = revision
    self.context = context
    self.webUrl = webUrl
    self.labels = labels
  }
}

extension ApprovalGate {
  /// The gate as an event, which a log takes once for each of its states.
  public var event: ApprovalGate {
    var event = self
    event.srcId = "gate:\(gateId):\(revision)"
    event.swarmId = swarmId ?? pipelineId
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
