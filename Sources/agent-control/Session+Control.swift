import Command
import Core
import Events
import HubClient
import HubQuestions
import Requests
import Storage
import Watching

extension Session {
  /// Steers by way of a hub, on a thread that may wait.
  ///
  /// - Returns: What that comes to; nil where this machine is meant.
  func steering<Value: Sendable>(
    _ hub: HubOptions, _ steer: @escaping @Sendable (HubSteering) throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    guard let peer = try self.hub(hub, HubPeer.init(named:in:keys:directories:)) else { return nil }
    let steering = HubSteering(peer, interruption: interruption)
    return try await Blocking("agent-control.hub").run { () throws(Failure) in
      try steer(steering)
    }
  }

  /// Asks agents for something and tells what came of it.
  func control(
    _ request: ControlRequest, _ hub: HubOptions, waiting seconds: Double
  ) async throws(Failure) {
    let asked = try await steering(hub) { (hub) throws(Failure) in
      try hub.ask(request, waiting: seconds)
    }
    let receipt: ControlReceipt
    if let asked { receipt = asked } else { receipt = try control(request, waiting: seconds) }
    try output.write(receipt)
    if let failure = receipt.failure { throw failure }
  }

  private func control(
    _ request: ControlRequest, waiting seconds: Double
  ) throws(Failure) -> ControlReceipt {
    let (store, journal) = (try Store(directories), try EventJournal(opening: directories))
    let controls = Controls(
      store: store, journal: journal, limits: try configuration().limits)
    return try controls.ask(
      request, waiting: seconds, interruption: interruption, prepare: { catchUp(store, journal) })
  }

  /// Has a person confirm what a request is for; nobody is asked about what nobody has heard of.
  ///
  /// - Throws: `NotFound`; `PermissionDenied` when it is not confirmed. The audit of this machine has
  ///   it; a hub hears of nothing that was not confirmed.
  func confirm(
    _ request: ControlRequest, _ hub: HubOptions, given: String?
  ) async throws(Failure) {
    let isFound: Void? = try await steering(hub) { (hub) throws(Failure) in
      if given == nil { try hub.find(request.target, request.id) }
    }
    if isFound != nil { return try confirm(request, given: given) }
    let (store, journal) = (try Store(directories), try EventJournal(opening: directories))
    catchUp(store, journal)
    do throws(Failure) {
      if given == nil {
        try Controls(store: store, journal: journal)
          .find(request.target, request.id, at: Timestamp.now)
      }
      try confirm(request, given: given)
    } catch {
      try Controls.note(request, refused: error, in: store, at: Timestamp.now)
      throw error
    }
  }

  private func confirm(_ request: ControlRequest, given: String?) throws(Failure) {
    try Confirmation(self).ask(
      word: "TERMINATE", given: given,
      "This ends \(request.target.rawValue) '\(request.id)' for good.")
  }

  /// Takes in what agents told; who steers does so all the same where that fails.
  private func catchUp(_ store: Store, _ journal: EventJournal) {
    do throws(Failure) {
      try Watcher(store: store, journal: journal).catchUp()
    } catch {
      diagnostics.say("events are not taken in: \(error.explanation)")
    }
  }
}
