public import Core
import Foundation
import HTTP
import HubClient
import HubWords
public import Watching

/// Methods for the gates of a hub.
extension HubSteering {
  /// Returns the pending gates, or all gates if `withDecided` is `true`; the oldest first.
  ///
  /// - Throws: The errors of the request.
  public func gates(withDecided: Bool) throws(Failure) -> [ApprovalGate] {
    let reply = try reply("GET", "/v1/approval-gates" + (withDecided ? "" : "?status=pending"))
    return try reply.list(try reply.word(GateList.self).approvalGates)
  }

  /// Returns the gate with the given id, together with its decisions and result.
  ///
  /// - Throws: `NotFound` if there is no such gate; the errors of the request.
  public func gate(_ id: String) throws(Failure) -> GateReport {
    try reply("GET", "/v1/approval-gates/\(id.percentEncoded)").gateReport()
  }

  /// Decides the given gate.
  ///
  /// The first decision takes effect. Later ones are only recorded.
  ///
  /// - Returns: The receipt of the decision that takes effect.
  /// - Throws: The failure that the hub reports, as `Gates.decide`; the errors of the request.
  public func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, isHere: Bool
  ) throws(Failure) -> Gates.Verdict {
    let outcome = try send(
      "POST", "/v1/approval-gates/\(id.percentEncoded)/decision",
      DecisionBody(decision: decision, reason: request.reason, requestId: request.id))
    let reply = try HubReply(outcome.body, of: hubs.name)
    guard let failure = outcome.failure else {
      return Gates.Verdict(receipt: try reply.record())
    }
    // If the request id was used with other contents, the response has no receipt.
    guard failure.code == .conflict, let members: ErrorMembers = try? reply.word(),
      let receipt = members.receipt
    else { throw failure }
    return Gates.Verdict(receipt: try reply.record(receipt), failure: failure)
  }

  /// Opens a gate and waits for its decision.
  ///
  /// - Parameters:
  ///   - question: The question. The hub itself determines who asks.
  ///   - show: Receives each state of the gate.
  /// - Returns: The decided gate with its decisions.
  /// - Throws: `Interrupted` if the process is to end; the errors of `show` and of the request. If
  ///   the wait fails, the gate is rejected.
  public func decision(
    on question: GateQuestion, show: (ApprovalGate) throws(Failure) -> Void
  ) throws(Failure) -> GateReport {
    var body = GateBody(summary: question.summary)
    // With an id, a request that is repeated opens no second gate.
    body.gateId = question.gateId ?? Identifier.make()
    (body.agentId, body.swarmId) = (question.agentId, question.swarmId)
    body.context = question.context == GateContext() ? nil : question.context
    body.timeoutSeconds = question.timeout
    let opened = try sent("POST", "/v1/approval-gates", try body.body())
    let gate: ApprovalGate = try HubReply(try opened.get(), of: hubs.name).record()
    let decided: GateReport
    do throws(Failure) {
      try show(gate)
      decided = try decision(gate.gateId)
    } catch {
      // This process no longer waits for the gate, so a later decision would have no effect.
      try? withdraw(gate.gateId, because: question.withdrawal())
      throw error
    }
    try show(decided.gate)
    return decided
  }

  /// Closes the given gate if it is pending.
  ///
  /// An interruption does not end the request.
  ///
  /// - Throws: The errors of the request.
  public func withdraw(_ gateId: String, because reason: String) throws(Failure) {
    let path = "/v1/approval-gates/\(gateId.percentEncoded)/decision"
    let body = try DecisionBody(
      decision: .reject, reason: reason, requestId: GateReport.withdrawal(of: gateId)
    ).body()
    let hubs = hubs
    _ = try Waiting.run { () async throws(Failure) in
      try await hubs.outcome("POST", path, body: body)
    }
  }

  /// Waits until the given gate is decided.
  private func decision(_ id: String) throws(Failure) -> GateReport {
    var isLost = false
    while true {
      do throws(Failure) {
        let report = try gate(id)
        if report.gate.status != .pending { return report }
        isLost = false
      } catch {
        guard error.code.isRetryable, error.code != .interrupted else { throw error }
        if !isLost { report("\(error.explanation): still waiting") }
        isLost = true
      }
      var nothing: [pollfd] = []
      try interruption.wait(for: &nothing, within: 500)
    }
  }
}
