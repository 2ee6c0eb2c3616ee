public import Foundation
import Synchronization

/// What became of children, in a process that waits for all of them at one place: whoever started a
/// program and waits for it alone finds there what was taken away from it.
public enum TakenChildren {
  private struct State {
    var takesAll = false
    /// The newest last.
    var statuses: [(process: pid_t, status: Int32)] = []
  }

  private static let state = Mutex(State())
  /// So many are remembered: who waits does so soon.
  private static let remembered = 256

  /// From now on this process waits for all of its children.
  public static func begin() { state.withLock { $0.takesAll = true } }

  /// A child was waited for, with that status (wait(2)).
  public static func note(_ process: pid_t, _ status: Int32) {
    state.withLock { state in
      if state.statuses.count == remembered { state.statuses.removeFirst() }
      state.statuses.append((process, status))
    }
  }

  /// The status of a child that is gone; nil where nobody took it.
  static func status(of process: pid_t) -> Int32? {
    guard state.withLock(\.takesAll) else { return nil }
    // It may have been waited for and not be noted yet.
    for _ in 0..<1000 {
      let found = state.withLock { state in
        state.statuses.lastIndex { $0.process == process }.map {
          state.statuses.remove(at: $0).status
        }
      }
      if let found { return found }
      usleep(1000)
    }
    return nil
  }
}
