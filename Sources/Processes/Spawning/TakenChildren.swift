public import Foundation
import Synchronization

/// The exit statuses of reaped children, in a process that reaps all children in one place.
///
/// Code that waits for one program finds that program's status here.
public enum TakenChildren {
  private struct State {
    var takesAll = false
    /// The stored statuses.
    ///
    /// The newest is last.
    var statuses: [(process: pid_t, status: Int32)] = []
  }

  private static let state = Mutex(State())
  /// The maximum number of stored statuses.
  ///
  /// It is small because waiting code asks soon.
  private static let remembered = 256

  /// Declares that this process will reap all of its children in one place.
  public static func begin() { state.withLock { $0.takesAll = true } }

  /// Stores the status of the given child, which has been reaped (wait(2)).
  public static func note(_ process: pid_t, _ status: Int32) {
    state.withLock { state in
      if state.statuses.count == remembered { state.statuses.removeFirst() }
      state.statuses.append((process, status))
    }
  }

  /// Returns the status of the given child; nil if no status of it is stored.
  static func status(of process: pid_t) -> Int32? {
    guard state.withLock(\.takesAll) else { return nil }
    // The child may already be reaped but not stored.
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
