import Command
import Core
import HubClient
import HubQuestions
import Requests
import Storage
import Watching

extension Session {
  /// How results are approved: by the store alone where it is waited for, else at the terminal where
  /// there is one, else not in this run.
  ///
  /// - Parameters:
  ///   - store: Where gates are.
  ///   - place: Where a gate is decided that a hub owns.
  ///   - seconds: How long others are waited for; nil asks here.
  /// - Returns: What waits for the decision about a result; it gives nil where there is none.
  func approval(
    _ store: Store, _ place: Place, seconds: Double?
  ) -> @Sendable (ApprovalGate, Artifact) async throws(Failure) -> ApprovalGate? {
    let watch = GateWatch(store: store)
    if let seconds {
      return { [diagnostics] (gate, _) throws(Failure) in
        if diagnostics.isTerminal {
          diagnostics.report(
            "waits for the gate of '\(gate.summary)': 'gate-decide approve \(gate.gateId)'")
        }
        return try await watch.decision(gateId: gate.gateId, seconds: seconds)
      }
    }
    guard let terminal = ApprovalTerminal(self) else {
      return { (gate, _) throws(Failure) in try watch.decided(gate.gateId) }
    }
    return { [diagnostics] (gate, artifact) throws(Failure) in
      while true {
        let answer = try await terminal.prompt(gate, artifact) { () throws(Failure) in
          try watch.decided(gate.gateId)
        }
        do throws(Failure) {
          switch answer {
          case .closed: return nil
          case .decided(let gate): return gate
          case .approve: try await place.decide(gate, .approve, nil, in: store)
          case .reject(let reason): try await place.decide(gate, .reject, reason, in: store)
          }
          return try watch.decided(gate.gateId)
        } catch {
          guard error.code == .networkUnavailable else { throw error }
          diagnostics.report(error)
        }
      }
    }
  }
}

extension Place {
  /// Decides a gate of a run in the store, or at the hub that owns it.
  fileprivate func decide(
    _ gate: ApprovalGate, _ decision: Decision, _ reason: String?, in store: Store
  ) async throws(Failure) {
    do throws(Failure) {
      _ = try store.decide(
        gate: gate.gateId, decision, reason: reason, actor: LoginName.current)
    } catch {
      guard error.kind == .held else { throw error }
      let verdict = try await wait { () throws(Failure) in
        try ownSteerer.decide(
          gate.gateId, decision, by: Steering.Request(id: nil, reason: reason), isHere: false)
      }
      if let failure = verdict.failure { note(.sentence(failure.explanation)) }
    }
  }
}
