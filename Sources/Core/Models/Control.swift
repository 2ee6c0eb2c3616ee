/// What somebody asked of agents, and what came of it, as the log tells it.
public struct Control: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "control"

  /// The event's id, once a log has stored it.
  public var id: String?
  /// The producer's own id, by which an event that comes twice is known.
  public var srcId: String?
  /// When this was told, in milliseconds since 1970.
  public var ts: Int64
  /// The request.
  public var requestId: String
  /// What it was asked of.
  public var target: ControlTarget
  /// The swarm, or the one that the agent belongs to.
  public var swarmId: String?
  /// The agent; absent where this is about a whole swarm.
  public var agentId: String?
  /// What was asked.
  public var action: ControlAction
  /// Why, in the words of who asked.
  public var reason: String
  /// Who asked.
  public var actor: String
  /// What came of it.
  public var outcome: ControlOutcome
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, requestId, target, swarmId, agentId, action, reason, actor, outcome, labels
  }

  /// Creates the record.
  public init(
    id: String? = nil, srcId: String? = nil, ts: Int64, requestId: String, target: ControlTarget,
    swarmId: String? = nil, agentId: String? = nil, action: ControlAction, reason: String,
    actor: String, outcome: ControlOutcome, labels: [String: String]? = nil
  ) {
    self.id = id
    self.srcId = srcId
    self.ts = ts
    self.requestId = requestId
    self.target = target
    self.swarmId = swarmId
    self.agentId = agentId
    self.action = action
    self.reason = reason
    self.actor = actor
    self.outcome = outcome
    self.labels = labels
  }
}
