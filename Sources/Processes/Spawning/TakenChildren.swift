public import Foundation
import Synchronization

/// The statuses of children, for a process that waits for all children in one place: code that
/// waits for a single program finds its status here if it was already reaped.
public enum TakenChildren {
  private struct State {
    var takesAll = false
    /// The statuses, the newest last.
    var statuses: [(process: pid_t, status: Int32)] = []
  }

  private static let state = Mutex(State())
  /// The number of statuses that are stored; waiters come soon.
  private static let remembered = 256

  /// Declares that this process reaps all of its children from now on.
  public static func begin() { state.withLock { $0.takesAll = true } }

  /// Records the status of a child that was reaped (wait(2)).
  public static func note(_ process: pid_t, _ status: Int32) {
    state.withLock { state in
      if state.statuses.count == remembered { state.statuses.removeFirst() }
      state.statuses.append((process, status))
    }
  }

  /// Returns the status of a reaped child; nil if it was not reaped here.
  static func status(of process: pid_t) -> Int32? {
    guard state.withLock(\.takesAll) else { return nil }
    // The child may have been reaped and not yet recorded.
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
