import Command
import Core
import Events
import Requests
import Watching

extension Session {
  /// Asks agents for something and tells what came of it.
  func control(_ request: ControlRequest, waiting seconds: Double) throws(Failure) {
    let store = try Store(directories)
    let journal = try EventJournal(opening: directories)
    let controls = Controls(
      store: store, journal: journal, directories: directories, limits: try configuration().limits)
    let receipt = try controls.ask(
      request, waiting: seconds, interruption: interruption,
      prepare: {
        do throws(Failure) {
          try Watcher(store: store, journal: journal).catchUp()
        } catch {
          // Who steers does so all the same.
          diagnostics.say("events are not taken in: \(error.explanation)")
        }
      })
    try output.write(receipt)
    if let failure = receipt.failure { throw failure }
  }
}
