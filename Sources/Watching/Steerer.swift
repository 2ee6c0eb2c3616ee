public import Core
public import Requests

/// Steering of agents, gates and watched items on this machine or on a hub.
///
/// A repeated request has no further effect.
///
/// The methods may wait for people and for a network, so they must not run on a thread of Swift's
/// pool. On this machine, each throws `StorageFailed` if the store fails. On a hub, it throws the
/// errors of a request.
public protocol Steerer: Sendable {
  /// Sends the given control to agents, and waits for its outcome for at most the given number of
  /// seconds.
  func send(_ request: ControlRequest, waiting seconds: Double) throws(Failure) -> ControlReceipt
  /// Checks that the given target exists, before the user is asked to confirm a control.
  func find(_ target: ControlTarget, _ id: String) throws(Failure)
  /// Records in the audit that the given request was refused before it was sent.
  func record(_ request: ControlRequest, refused failure: Failure) throws(Failure)
  /// Finds the terminal of the given agent.
  ///
  /// - Returns: The name of its host, nil for this machine; and the session on that host.
  func terminal(ofAgent agent: String) throws(Failure) -> (host: String?, session: String)

  /// Lists the pending gates, or all gates, the oldest first.
  func gates(withDecided: Bool) throws(Failure) -> [ApprovalGate]
  /// Finds the given gate, together with its decisions and the result to be approved.
  func gate(_ id: String) throws(Failure) -> GateReport
  /// Decides the given gate.
  ///
  /// The first decision takes effect. All attempts are stored. On this machine, a gate that a hub
  /// owns is decided at the hub, unless `isHere` is `true`.
  func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, isHere: Bool
  ) throws(Failure) -> Gates.Verdict
  /// Opens a gate and waits for its decision.
  ///
  /// - Parameters:
  ///   - question: The question to decide.
  ///   - show: A closure that receives each state of the gate.
  /// - Returns: The decided gate with its decisions.
  /// - Throws: `Interrupted` if the wait was interrupted; `Conflict` if another question was asked
  ///   with the question's ID; the errors of `show`. After an interruption, the gate can no longer
  ///   be approved.
  func decision(
    on question: GateQuestion, show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure) -> GateReport
  /// Closes the given gate if it is pending, because nobody waits for its decision any longer.
  func withdraw(_ gateId: String, because reason: String) throws(Failure)

  /// Sets the threshold of the given kind for the given ID; nil for all IDs without their own
  /// threshold; `action` follows when the value is reached.
  func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double, then action: Threshold.Action?,
    by request: Steering.Request
  ) throws(Failure) -> Threshold
  /// Closes the given incident.
  func close(incident id: String, by request: Steering.Request) throws(Failure) -> Incident
  /// Reopens the given closed incident.
  func reopen(incident id: String, by request: Steering.Request) throws(Failure) -> Incident
}

extension Steerer {
  /// Opens a gate and waits for its approval.
  ///
  /// - Parameters:
  ///   - question: The question to decide.
  ///   - show: A closure that receives each state of the gate.
  /// - Throws: `UserRejected` if the gate is not approved; its kind is `expired` if nobody decided
  ///   in time; the errors of ``decision(on:show:)``.
  public func ask(
    _ question: GateQuestion, show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure) {
    let report = try decision(on: question, show: show)
    guard report.gate.status != .approved else { return }
    throw Gates.rejection(of: report.gate, report.decisions)
  }
}
