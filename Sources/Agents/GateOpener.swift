import Core
import Requests
import Storage
import Synchronization

/// Opens the gates that a command asks for.
final class GateOpener: Sendable {
  private struct State {
    var store: Store?
    var hasFailed = false
  }

  private let directories: Directories
  private let note: Note
  private let state = Mutex(State())

  /// Opens gates in the store of some directories; `note` is told once what cannot be opened.
  init(_ directories: Directories, note: @escaping Note) {
    self.directories = directories
    self.note = note
  }

  /// Opens a gate: who decides it finds it by the id that the result has.
  ///
  /// A gate that cannot be opened is told once; its event is kept all the same.
  func open(_ gate: ApprovalGate) -> ApprovalGate {
    state.withLock { state in
      do throws(Failure) {
        let store: Store
        if let known = state.store { store = known } else { store = try Store(directories) }
        state.store = store
        return try store.open(gate).event
      } catch {
        if !state.hasFailed { note("cannot open a gate: \(error.explanation)") }
        state.hasFailed = true
        return gate
      }
    }
  }
}
