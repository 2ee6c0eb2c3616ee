import Core
import Requests
import Storage
import Synchronization

/// The opener of gates that a command requests.
final class GateOpener: Sendable {
  private struct State {
    var store: Store?
    var hasFailed = false
  }

  private let directories: Directories
  private let note: Note
  private let state = Mutex(State())

  /// Creates an opener for the store of some directories; `note` receives the first failure.
  init(_ directories: Directories, note: @escaping Note) {
    self.directories = directories
    self.note = note
  }

  /// Opens a gate, and returns it with the ID by which it is decided.
  ///
  /// The first gate that cannot be opened is reported in a note; its event is recorded all the
  /// same.
  func open(_ gate: ApprovalGate) -> ApprovalGate {
    state.withLock { state in
      do throws(Failure) {
        let store: Store
        if let known = state.store { store = known } else { store = try Store(directories) }
        state.store = store
        return try store.open(gate).event
      } catch {
        if !state.hasFailed { note("a gate cannot be opened: \(error.explanation)") }
        state.hasFailed = true
        return gate
      }
    }
  }
}
