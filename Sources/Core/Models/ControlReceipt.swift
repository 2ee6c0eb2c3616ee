/// The outcome of a control that was sent to an agent or a swarm.
public struct ControlReceipt: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "controlReceipt"

  /// The id that the requester gave the request; a repeated request has the same id.
  public var requestId: String
  /// The kind of object that the control was sent to.
  public var target: ControlTarget
  /// The id of the agent or swarm that the control was sent to.
  public var id: String
  /// The requested action.
  public var action: ControlAction
  /// The requester's reason.
  public var reason: String
  /// The name of the requester.
  public var actor: String
  /// The id of the device with which the request was sent to a hub.
  ///
  /// It is nil if the hub's operator made the request, or a tool of this machine.
  public var deviceId: String?
  /// The outcome.
  public var outcome: ControlOutcome
  /// The time of the request, in milliseconds since 1970.
  public var ts: Int64
  /// `true` if the request repeated an earlier one and received the same response.
  public var replayed = false
  /// A sentence of the agent about the outcome, for a person; nil if there is none.
  public var note: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case requestId, target, id, action, reason, actor, deviceId, outcome, ts, replayed,
      note, labels
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

/// The kind of object that a control is sent to.
public enum ControlTarget: String, Codable, Sendable, CaseIterable {
  case agent, swarm
}

/// An action that a control requests.
public enum ControlAction: String, Codable, Sendable, CaseIterable {
  case pause, resume, terminate
}

/// The outcome of a control that was sent to agents.
public enum ControlOutcome: String, Codable, Sendable, CaseIterable {
  /// All agents applied the control.
  case applied
  /// The control was stored, but some agents have not acknowledged it.
  case accepted
  /// The target has ended, or it does not permit the action.
  case refused
  /// No process runs the agent, so it cannot receive the control.
  case unreachable
}
