/// Something that somebody did, or was not allowed to, as it is kept for good.
public struct AuditEntry: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "audit"

  /// Its place, from 1, without holes.
  public var sequence: Int
  /// When, in milliseconds since 1970.
  public var ts: Int64
  /// What it was done to.
  public var target: Target
  /// The id of that.
  public var id: String
  /// What was asked, such as `approve` or `pause`.
  public var action: String
  /// The request.
  public var requestId: String
  /// Who asked.
  public var actor: String
  /// Why, in the words of who asked.
  public var reason: String?
  /// What came of it: a status, an outcome, or the name of a failure.
  public var outcome: String
  /// Whether the request was answered from an earlier one.
  public var replayed: Bool
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case sequence, ts, target, id, action, requestId, actor, reason, outcome, replayed, labels
  }

  /// What something may be done to.
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
