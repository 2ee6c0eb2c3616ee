/// The outcome of a person's request to approve or reject a gate.
public struct DecisionReceipt: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "decisionReceipt"

  /// The id that the requester gave the request; a repeated request has the same id.
  public var requestId: String
  /// The id of the gate.
  public var gateId: String
  /// The requested decision.
  public var decision: Decision
  /// The gate's status after the request.
  public var status: GateStatus
  /// The reason given by the person who decided.
  public var reason: String?
  /// The name of the person who decided.
  public var actor: String
  /// The id of the device with which the request was sent to a hub.
  ///
  /// It is nil if the hub's operator made the request, or a tool of this machine.
  public var deviceId: String?
  /// The time of the decision, in milliseconds since 1970.
  public var ts: Int64
  /// `true` if the request repeated an earlier one and received the same response.
  public var replayed: Bool
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case requestId, gateId, decision, status, reason, actor, deviceId, ts, replayed,
      labels
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

/// A person's decision about a gate.
public enum Decision: String, Codable, Sendable, CaseIterable {
  case approve, reject

  /// The status of a gate after this decision.
  public var outcome: GateStatus { self == .approve ? .approved : .rejected }
}

extension String {
  /// `true` if the text is long enough to serve as the reason for a rejection.
  public var isReason: Bool {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").count >= 10
  }
}
