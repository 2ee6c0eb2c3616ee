import CodingAgents
public import Core

/// Calls of an agent that nobody needs to decide any longer.
///
/// The agent reports the end of a call after the tool ran, and the end of all calls with its turn.
public struct EndedCalls: Sendable, Hashable {
  /// The agent, and the form of the answer.
  public var form: HookForm
  /// The call that ended; nil for all calls of the session itself, without those of its subagents.
  private let call: HookRequest?
  private let agentId: String

  /// Creates the description; nil if the given request belongs to no session, or reports no end.
  init?(_ request: HookRequest) {
    guard let agentId = request.agentId, let hooks = request.form.agent.hooks else { return nil }
    let isOneCall = hooks.callEnds.contains(request.form.event)
    guard isOneCall || hooks.turnEnds.contains(request.form.event) else { return nil }
    (form, self.agentId) = (request.form, agentId)
    call = isOneCall ? request : nil
  }

  /// Returns those of the given open gates that the calls opened.
  ///
  /// A call without an id may have several gates with the same question, of which it closes one.
  public func gates(among gates: [ApprovalGate]) -> [ApprovalGate] {
    let own = gates.filter {
      $0.agentId == agentId && $0.pipelineId == nil
        && $0.summary.hasPrefix(HookRequest.opening(form.agent))
    }
    guard let call else { return own.filter { !$0.names(HookRequest.subagent) } }
    let same = own.filter {
      $0.summary == call.summary && $0.context?.impact == call.context.impact
    }
    let named = same.filter { $0.names(HookRequest.call, call.callId) }
    return named.isEmpty ? Array(same.filter { !$0.names(HookRequest.call) }.prefix(1)) : named
  }
}

extension ApprovalGate {
  /// Returns `true` if the reason of the question states the given fact, with the given value.
  fileprivate func names(_ fact: String, _ value: String? = nil) -> Bool {
    guard let why = body.context?.why else { return false }
    let text = value.map { "\(fact) '\(ApprovalGate.words($0, upTo: 1000))'" } ?? "\(fact) '"
    return (", " + why).contains(", " + text)
  }
}
