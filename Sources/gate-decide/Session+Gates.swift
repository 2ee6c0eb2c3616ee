import Command
import Core
import Events
import HubClient
import HubQuestions
import Storage
import Watching

extension Session {
  /// The gates, for who opens and decides them.
  func gates() throws(Failure) -> Gates {
    let journal = EventJournal(directories) { [diagnostics] in diagnostics.say($0) }
    return Gates(store: try Store(directories), journal: journal)
  }

  /// Asks a hub, on a thread that may wait.
  ///
  /// - Returns: What that comes to; nil where this machine is meant.
  func steering<Value: Sendable>(
    _ hub: HubOptions, _ steer: @escaping @Sendable (HubSteering) throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    guard let peer = try self.hub(hub, HubPeer.init(named:in:keys:directories:)) else { return nil }
    let steering = HubSteering(peer, interruption: interruption)
    return try await Blocking("gate-decide.hub").run { () throws(Failure) in try steer(steering) }
  }

  /// Records a decision on each of some gates; of several on one the first wins.
  func decide(
    _ operands: GateOperands, _ hub: HubOptions, _ decision: Decision, reason: String?
  ) async throws(Failure) {
    let isDone: Void? = try await steering(hub) { (hub) throws(Failure) in
      try self.decide(operands, reason) { (id, request) throws(Failure) in
        try hub.decide(id, decision, by: request)
      }
    }
    guard isDone == nil else { return }
    let (gates, limits) = (try gates(), try configuration().limits)
    try decide(operands, reason) { (id, request) throws(Failure) in
      try gates.decide(id, decision, by: request, limits: limits, at: Timestamp.now)
    }
  }

  private func decide(
    _ operands: GateOperands, _ reason: String?,
    _ decide: (String, Steering.Request) throws(Failure) -> Gates.Verdict
  ) throws(Failure) {
    for id in operands.ids {
      do throws(Failure) {
        let verdict = try decide(id, .init(id: operands.requestId, reason: reason))
        try output.write(verdict.receipt)
        if let failure = verdict.failure { throw failure }
      } catch {
        try goOn(after: error)
      }
    }
  }
}
