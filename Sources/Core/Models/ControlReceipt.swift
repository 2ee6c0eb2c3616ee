/// What a control came to.
public struct ControlReceipt: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "controlReceipt"

  /// The request.
  public var requestId: String
  /// What it was asked of.
  public var target: ControlTarget
  /// The id of the agent or swarm.
  public var id: String
  /// What was asked.
  public var action: ControlAction
  /// Why, in the words of who asked.
  public var reason: String
  /// Who asked.
  public var actor: String
  /// What came of it.
  public var outcome: ControlOutcome
  /// When it was asked, in milliseconds since 1970.
  public var ts: Int64
  /// Whether this repeats the answer to an earlier request.
  public var replayed = false
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case requestId, target, id, action, reason, actor, outcome, ts, replayed, labels
  }

  /// Creates the record.
  public init(
    requestId: String, target: ControlTarget, id: String, action: ControlAction, reason: String,
    actor: String, outcome: ControlOutcome, ts: Int64
  ) {
    (self.requestId, self.target, self.id, self.action) = (requestId, target, id, action)
    (self.reason, self.actor, self.outcome, self.ts) = (reason, actor, outcome, ts)
  }
}

/// What a control is asked of.
public enum ControlTarget: String, Codable, Sendable, CaseIterable {
  case agent, swarm
}

/// What may be asked of an agent.
public enum ControlAction: String, Codable, Sendable, CaseIterable {
  case pause, resume, terminate
}

/// What may come of a control.
public enum ControlOutcome: String, Codable, Sendable, CaseIterable {
  /// All did it.
  case applied
  /// It is kept for them; not all have answered.
  case accepted
  /// There is nothing to do it to any more, or it may not be done.
  case refused
  /// No process is there to do it.
  case unreachable
}
