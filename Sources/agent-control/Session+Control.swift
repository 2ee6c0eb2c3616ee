import Command
import Core
import Events
import Requests
import Watching

extension Session {
  /// Asks agents for something and tells what came of it.
  func control(_ request: ControlRequest, waiting seconds: Double) throws(Failure) {
    let (store, journal) = (try Store(directories), try EventJournal(opening: directories))
    let controls = Controls(
      store: store, journal: journal, directories: directories, limits: try configuration().limits)
    let receipt = try controls.ask(
      request, waiting: seconds, interruption: interruption, prepare: { catchUp(store, journal) })
    try output.write(receipt)
    if let failure = receipt.failure { throw failure }
  }

  /// Has a person confirm what a request is for; nobody is asked about what nobody has heard of.
  ///
  /// - Throws: `NotFound`; `PermissionDenied` when it is not confirmed. The audit has it.
  func confirm(_ request: ControlRequest, given: String?) throws(Failure) {
    let (store, journal) = (try Store(directories), try EventJournal(opening: directories))
    catchUp(store, journal)
    do throws(Failure) {
      if given == nil {
        try Controls(store: store, journal: journal, directories: directories)
          .find(request.target, request.id, at: Timestamp.now)
      }
      try Confirmation(self).ask(
        word: "TERMINATE", given: given,
        "This ends \(request.target.rawValue) '\(request.id)' for good.")
    } catch {
      try Controls.note(request, refused: error, in: store, at: Timestamp.now)
      throw error
    }
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
