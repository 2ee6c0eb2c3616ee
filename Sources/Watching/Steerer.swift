public import Core
public import Requests

/// Asks, decides and changes at one place, this machine or a hub; each request acts once.
///
/// It may wait for people and for a network, so it must not be used on a thread of Swift's pool. Each
/// verb throws what its place does: `StorageFailed` here, what asking throws there.
public protocol Steerer: Sendable {
  /// Asks agents for something, and waits so many seconds for the effect.
  func ask(_ request: ControlRequest, waiting seconds: Double) throws(Failure) -> ControlReceipt
  /// Looks whether there is somebody to ask, before a person is.
  func find(_ target: ControlTarget, _ id: String) throws(Failure)
  /// Keeps in the audit that something was asked for and refused before it was made.
  func note(_ request: ControlRequest, refused failure: Failure) throws(Failure)
  /// Finds the terminal that an agent works in: the host as one names it for a connection, nil where
  /// it is this machine, and the session there.
  func terminal(ofAgent agent: String) throws(Failure) -> (host: String?, session: String)

  /// Lists the gates that wait, the oldest first, or all of them.
  func gates(withDecided: Bool) throws(Failure) -> [ApprovalGate]
  /// Finds a gate with what belongs to it.
  func gate(_ id: String) throws(Failure) -> GateReport
  /// Decides a gate; of several decisions the first wins, all are kept.
  ///
  /// On this machine, a gate that a hub owns is decided there, unless `isHere` takes it back.
  func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, isHere: Bool
  ) throws(Failure) -> Gates.Verdict
  /// Opens a gate and waits for its decision.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - show: Is given each state of the gate.
  /// - Throws: `UserRejected` unless it is approved, of the kind `expired` when nobody decided in time;
  ///   `Interrupted`; what `show` throws. What nobody waits for any more is rejected.
  func ask(
    _ question: GateQuestion, show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure)

  /// Sets a threshold, for one id or for all others.
  func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double, by request: Steering.Request
  ) throws(Failure) -> Threshold
  /// Closes an incident.
  func close(incident id: String, by request: Steering.Request) throws(Failure) -> Incident
  /// Opens a closed incident again.
  func reopen(incident id: String, by request: Steering.Request) throws(Failure) -> Incident
}
