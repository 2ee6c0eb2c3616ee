/// What a decision at a gate came to.
public struct DecisionReceipt: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "decisionReceipt"

  /// The request that decided.
  public var requestId: String
  /// The gate.
  public var gateId: String
  /// What was asked for.
  public var decision: Decision
  /// How the gate stands now.
  public var status: GateStatus
  /// Why, in the words of who decided.
  public var reason: String?
  /// Who decided.
  public var actor: String
  /// When, in milliseconds since 1970.
  public var ts: Int64
  /// Whether this repeats the answer to an earlier request.
  public var replayed: Bool
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case requestId, gateId, decision, status, reason, actor, ts, replayed, labels
  }

  /// Creates the record.
  public init(
    requestId: String, gateId: String, decision: Decision, status: GateStatus,
    reason: String? = nil, actor: String, ts: Int64, replayed: Bool = false,
    labels: [String: String]? = nil
  ) {
    (self.requestId, self.gateId, self.decision) = (requestId, gateId, decision)
    (self.status, self.reason, self.actor, self.ts) = (status, reason, actor, ts)
    (self.replayed, self.labels) = (replayed, labels)
  }
}

/// What a person may decide at a gate.
public enum Decision: String, Codable, Sendable, CaseIterable {
  case approve, reject

  /// The gate's state after it.
  public var outcome: GateStatus { self == .approve ? .approved : .rejected }
}

extension String {
  /// Whether a text is long enough to be the reason of a rejection.
  public var isReason: Bool {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").count >= 10
  }
}
