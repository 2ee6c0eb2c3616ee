/// The outcome of a control that was sent to an agent or a swarm.
public struct ControlReceipt: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "controlReceipt"

  /// The request's id.
  public var requestId: String
  /// The kind of target.
  public var target: ControlTarget
  /// The id of the agent or swarm.
  public var id: String
  /// The requested action.
  public var action: ControlAction
  /// The requester's reason.
  public var reason: String
  /// The name of the requester.
  public var actor: String
  /// The outcome.
  public var outcome: ControlOutcome
  /// The time of the request, in milliseconds since 1970.
  public var ts: Int64
  /// `true` if the receipt repeats the response to an earlier request.
  public var replayed = false
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
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

/// The kind of target of a control.
public enum ControlTarget: String, Codable, Sendable, CaseIterable {
  case agent, swarm
}

/// An action that a control requests.
public enum ControlAction: String, Codable, Sendable, CaseIterable {
  case pause, resume, terminate
}

/// The outcome of a control that was sent to agents.
public enum ControlOutcome: String, Codable, Sendable, CaseIterable {
  /// A control that all agents applied.
  case applied
  /// A stored control that not all agents have acknowledged.
  case accepted
  /// A control whose target has ended or does not permit the action.
  case refused
  /// A control for an agent that no process runs.
  case unreachable
}
