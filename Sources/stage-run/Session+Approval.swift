import Command
import Core
import Requests
import Storage

extension Session {
  /// How results are approved: by the store alone where it is waited for, else at the terminal where
  /// there is one, else not in this run.
  ///
  /// - Parameters:
  ///   - store: Where gates are.
  ///   - seconds: How long others are waited for; nil asks here.
  /// - Returns: What waits for the decision about a result; it gives nil where there is none.
  func approval(
    _ store: Store, seconds: Double?
  ) -> @Sendable (ApprovalGate, Artifact) async throws(Failure) -> ApprovalGate? {
    let watch = GateWatch(store: store)
    if let seconds {
      return { [diagnostics] (gate, _) throws(Failure) in
        if diagnostics.isTerminal {
          diagnostics.say(
            "waits for the gate of '\(gate.summary)': 'gate-decide approve \(gate.gateId)'")
        }
        return try await watch.decision(gateId: gate.gateId, seconds: seconds)
      }
    }
    guard let terminal = ApprovalTerminal(self) else {
      return { (gate, _) throws(Failure) in try watch.decided(gate.gateId) }
    }
    return { (gate, artifact) throws(Failure) in
      let answer = try await terminal.ask(gate, artifact) { () throws(Failure) in
        try watch.decided(gate.gateId)
      }
      switch answer {
      case .closed: return nil
      case .decided(let gate): return gate
      case .approve:
        _ = try store.decide(gate: gate.gateId, .approve, reason: nil, actor: LoginName.current)
      case .reject(let reason):
        _ = try store.decide(gate: gate.gateId, .reject, reason: reason, actor: LoginName.current)
      }
      return try watch.decided(gate.gateId)
    }
  }
}
