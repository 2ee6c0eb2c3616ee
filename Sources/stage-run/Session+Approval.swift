import Command
import Core
import HubClient
import HubQuestions
import Requests
import Storage
import Watching

extension Session {
  /// Returns the closure that waits for the approval of results.
  ///
  /// If the options set a waiting time, the decision is awaited in the store. Otherwise the user is
  /// asked at the terminal. Without a terminal, only decisions that were already made are used.
  ///
  /// - Parameters:
  ///   - store: The store that contains the gates.
  ///   - place: The place where gates that a hub owns are decided.
  ///   - seconds: The time to wait for a decision in the store; nil to ask at the terminal.
  /// - Returns: A closure that returns the decision on a result; nil if there is none.
  func approval(
    _ store: Store, _ place: Place, seconds: Double?
  ) -> @Sendable (ApprovalGate, Artifact) async throws(Failure) -> ApprovalGate? {
    let watch = GateWatch(store: store)
    if let seconds {
      return { [diagnostics] (gate, _) throws(Failure) in
        if diagnostics.isTerminal {
          diagnostics.report(
            "waiting for a decision on '\(gate.summary)': run 'gate-decide approve \(gate.gateId)'",
            asWritten: true)
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
  /// Records a decision on the given gate in the store, or at the hub that owns the gate.
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
      if let failure = verdict.failure { report(.sentence(failure.explanation)) }
    }
  }
}
