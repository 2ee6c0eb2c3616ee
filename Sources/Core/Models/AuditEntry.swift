/// An entry of the audit log: an action, or a refused attempt at one.
public struct AuditEntry: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "audit"

  /// The entry's position in the log.
  ///
  /// Positions start at 1 and have no gaps.
  public var sequence: Int
  /// The time of the request, in milliseconds since 1970.
  public var ts: Int64
  /// The kind of object that the action concerned.
  public var target: Target
  /// The id of that object.
  public var id: String
  /// The requested action, such as `approve` or `pause`.
  public var action: String
  /// The id that the requester gave the request; a repeated request has the same id.
  public var requestId: String
  /// The name of the requester.
  public var actor: String
  /// The id of the device with which the request was sent to a hub.
  ///
  /// It is nil if the hub's operator made the request, or a tool of this machine.
  public var deviceId: String?
  /// The requester's reason.
  public var reason: String?
  /// The result of the request: a status, an outcome or the code of a failure.
  public var outcome: String
  /// `true` if the request repeated an earlier one and received the same response.
  public var replayed: Bool
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case sequence, ts, target, id, action, requestId, actor, deviceId, reason, outcome,
      replayed, labels
  }

  /// The kinds of object that an action may concern.
  public enum Target: String, Codable, Sendable, CaseIterable {
    case agent, swarm, gate, incident, threshold
  }

  /// Creates the record.
  public init(
    sequence: Int, ts: Int64, target: Target, id: String, action: String, requestId: String,
    actor: String, reason: String? = nil, outcome: String, replayed: Bool = false
  ) {
    self.sequence = sequence
    self.ts = ts
    self.target = target
    self.id = id
    self.action = action
    self.requestId = requestId
    self.actor = actor
    self.reason = reason
    self.outcome = outcome
    self.replayed = replayed
  }
}
