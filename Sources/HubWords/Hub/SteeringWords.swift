public import Core

/// The body of `POST /v1/agents/{agentId}/control` and `POST /v1/swarms/{swarmId}/control`.
public struct ControlBody: HubWord {
  /// The requested action.
  public var action: ControlAction
  /// The reason for the control.
  ///
  /// It must not be blank.
  public var reason: String
  /// The id of the request.
  ///
  /// A repeated request with the same id has no further effect.
  public var requestId: String

  /// Creates the body.
  public init(action: ControlAction, reason: String, requestId: String) {
    (self.action, self.reason, self.requestId) = (action, reason, requestId)
  }
}

/// The body of `POST /v1/approval-gates/{gateId}/decision`.
public struct DecisionBody: HubWord {
  /// The decision.
  public var decision: Decision
  /// The reason for the decision.
  ///
  /// A rejection needs one.
  public var reason: String?
  /// The id of the request, as in ``ControlBody/requestId``.
  ///
  /// If it is nil, the hub generates one.
  public var requestId: String?

  /// Creates the body.
  public init(decision: Decision, reason: String?, requestId: String?) {
    (self.decision, self.reason, self.requestId) = (decision, reason, requestId)
  }
}

/// The body of `POST /v1/approval-gates`.
public struct GateBody: HubWord {
  /// The question to decide.
  ///
  /// It must not be blank.
  public var summary: String
  /// The id of the agent that waits for the decision.
  public var agentId: String?
  /// The id of that agent's swarm.
  public var swarmId: String?
  /// The facts on which the decision depends.
  public var context: GateContext?
  /// The time in seconds after which the gate expires.
  public var timeoutSeconds: Double?
  /// The id of the gate, a UUID in lower case.
  ///
  /// If the same sender asked the same question with this id before, the hub returns that gate. If
  /// it is nil, the hub generates an id.
  public var gateId: String?

  /// Creates the body.
  public init(summary: String) { self.summary = summary }
}

/// The body of `PUT /v1/thresholds/{kind}/{id}`.
public struct ThresholdBody: HubWord {
  /// The new threshold, in the unit of its kind.
  public var value: Double
  /// The action that follows when the value is reached; nil for none.
  public var then: Threshold.Action?
  /// The reason.
  public var reason: String?
  /// The request id; the hub generates one if it is nil.
  public var requestId: String?

  /// Creates the body.
  public init(value: Double, then: Threshold.Action? = nil, reason: String?, requestId: String?) {
    (self.value, self.then) = (value, then)
    (self.reason, self.requestId) = (reason, requestId)
  }
}

/// The body of `POST /v1/incidents/{incidentId}/close` and of
/// `POST /v1/incidents/{incidentId}/reopen`.
public struct ReasonBody: HubWord {
  /// The reason.
  public var reason: String?
  /// The request id; the hub generates one if it is nil.
  public var requestId: String?

  /// Creates the body.
  public init(reason: String?, requestId: String?) {
    (self.reason, self.requestId) = (reason, requestId)
  }
}
