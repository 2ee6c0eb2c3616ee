import Core
import Requests
import Storage
import Synchronization

/// An opener of approval gates.
///
/// It opens the gates that the command requests.
final class GateOpener: Sendable {
  private struct State {
    var store: Store?
    var hasFailed = false
  }

  private let directories: Directories
  private let report: NoticeHandler
  private let state = Mutex(State())

  /// Creates an opener for the store in the given directories.
  init(_ directories: Directories, report: @escaping NoticeHandler) {
    self.directories = directories
    self.report = report
  }

  /// Opens the given gate, and returns it with the ID by which it is decided.
  ///
  /// If the gate cannot be opened, it is returned unchanged. Only the first such failure is
  /// reported to `report`.
  func open(_ gate: ApprovalGate) -> ApprovalGate {
    state.withLock { state in
      do throws(Failure) {
        let store: Store
        if let known = state.store { store = known } else { store = try Store(directories) }
        state.store = store
        return try store.open(printed: gate).event
      } catch {
        if !state.hasFailed { report("cannot open a gate: \(error.explanation)") }
        state.hasFailed = true
        return gate
      }
    }
  }
}
