public import Core
public import Requests

/// Steering at one place, this machine or a hub; a repeated request acts once.
///
/// Its methods may wait for people and for a network, so they must not run on a thread of Swift's
/// pool. Each throws the errors of its place: `StorageFailed` on this machine, those of a request
/// at a hub.
public protocol Steerer: Sendable {
  /// Sends a control to agents, and waits a number of seconds for the effect.
  func ask(_ request: ControlRequest, waiting seconds: Double) throws(Failure) -> ControlReceipt
  /// Checks that a target exists, before the user is asked to confirm.
  func find(_ target: ControlTarget, _ id: String) throws(Failure)
  /// Records in the audit a request that was refused before it was made.
  func note(_ request: ControlRequest, refused failure: Failure) throws(Failure)
  /// Finds the terminal of an agent: the host's name for a connection, nil for this machine, and
  /// the session there.
  func terminal(ofAgent agent: String) throws(Failure) -> (host: String?, session: String)

  /// Lists the pending gates, the oldest first, or all of them.
  func gates(withDecided: Bool) throws(Failure) -> [ApprovalGate]
  /// Finds a gate with its decisions and its result.
  func gate(_ id: String) throws(Failure) -> GateReport
  /// Decides a gate; the first of several decisions wins, and all are stored.
  ///
  /// On this machine, a gate that a hub owns is decided at the hub, unless `isHere` takes it back.
  func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, isHere: Bool
  ) throws(Failure) -> Gates.Verdict
  /// Opens a gate and waits for its decision.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - show: A closure that receives each state of the gate.
  /// - Throws: `UserRejected` unless it is approved, of the kind `expired` if nobody decided in
  ///   time; `Interrupted`; the errors of `show`. A gate whose wait was abandoned is rejected.
  func ask(
    _ question: GateQuestion, show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure)

  /// Sets a threshold, for one id or for all others.
  func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double, by request: Steering.Request
  ) throws(Failure) -> Threshold
  /// Closes an incident.
  func close(incident id: String, by request: Steering.Request) throws(Failure) -> Incident
  /// Reopens a closed incident.
  func reopen(incident id: String, by request: Steering.Request) throws(Failure) -> Incident
}
