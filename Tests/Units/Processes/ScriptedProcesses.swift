import Foundation
import Processes
import Synchronization

/// A table of processes whose ids are reused at any step of a reader.
final class ScriptedProcesses: ProcessTable {
  struct State {
    /// The process that has each id.
    var living: [Int32: ProcessEntry] = [:]
    /// The signals that each process received.
    var received: [ProcessIdentity: [Int32]] = [:]
    var clock: UInt64 = 1
  }

  let state = Mutex(State())
  /// Called before each step, with its name.
  private let step: @Sendable (ScriptedProcesses, String) -> Void

  init(step: @escaping @Sendable (ScriptedProcesses, String) -> Void = { _, _ in }) {
    self.step = step
  }

  /// Starts a process with the given id; one that has it ends.
  @discardableResult
  func start(_ id: Int32, state letter: Character = "S") -> ProcessIdentity {
    state.withLock { state in
      state.clock += 1
      let identity = ProcessIdentity(id: id, start: state.clock)
      state.living[id] = ProcessEntry(identity, state: letter)
      return identity
    }
  }

  func end(_ id: Int32) { state.withLock { $0.living[id] = nil } }

  func received(_ identity: ProcessIdentity) -> [Int32] {
    state.withLock { $0.received[identity] ?? [] }
  }

  var ids: [Int32] { state.withLock { Array($0.living.keys) } }

  func entry(_ id: Int32) -> ProcessEntry? {
    step(self, "entry")
    return state.withLock { $0.living[id] }
  }

  func folder(of id: Int32) -> String? { nil }

  func program(of id: Int32) -> String? { nil }

  func words(of id: Int32) -> [String] { [] }

  func group(of id: Int32) -> ControlGroup? { nil }

  func files(of id: Int32) -> [OpenFile] { [] }

  func handle(of id: Int32) -> (any ProcessHandle)? {
    step(self, "handle")
    return state.withLock { $0.living[id] }.map { Handle(table: self, identity: $0.identity) }
  }

  /// A handle that keeps to its process, as pidfd_open(2) does.
  private struct Handle: ProcessHandle {
    let table: ScriptedProcesses
    let identity: ProcessIdentity

    func send(_ number: Int32) -> Bool {
      table.step(table, "send")
      return table.state.withLock { state in
        guard state.living[identity.id]?.identity == identity else { return false }
        state.received[identity, default: []].append(number)
        return true
      }
    }
  }
}
