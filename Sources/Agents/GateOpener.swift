import Core
import Synchronization

/// Opens the gates that a command asks for.
final class GateOpener: Sendable {
  private struct State {
    var store: Store?
    var opened: [String] = []
    var hasFailed = false
  }

  private let directories: Directories
  private let state = Mutex(State())

  init(_ directories: Directories) { self.directories = directories }

  /// Closes the gates that still wait: nobody would act on a decision any more.
  ///
  /// - Returns: The gates as they stand now.
  func close() -> [ApprovalGate] {
    state.withLock { state in
      do throws(Failure) {
        var closed: [ApprovalGate] = []
        for id in state.opened {
          guard let store = state.store, try store.gate(id)?.status == .pending else { continue }
          try store.expire(gate: id, reason: "who asked has ended")
          if let gate = try store.gate(id) { closed.append(gate.event) }
        }
        return closed
      } catch {
        Diagnostics.shared.say("a gate cannot be closed: \(error.explanation)")
        return []
      }
    }
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
        let opened = try store.open(gate)
        state.opened.append(opened.gateId)
        return opened.event
      } catch {
        if !state.hasFailed {
          Diagnostics.shared.say("a gate cannot be opened: \(error.explanation)")
        }
        state.hasFailed = true
        return gate
      }
    }
  }
}
