import Core
import Processes
import Synchronization

/// The one guardian that ends the servers of this process if the process is killed.
final class SharedGuardian: Sendable {
  private let guardian = Mutex<Guardian?>(nil)

  /// Returns the guardian, which starts with the first server.
  ///
  /// - Throws: `StorageFailed` if it cannot be started.
  func started() throws(Failure) -> Guardian {
    try guardian.withLock { (guardian) throws(Failure) in
      if let guardian { return guardian }
      let new = try Guardian()
      guardian = new
      return new
    }
  }

  /// Dismisses the guardian, because all servers have ended.
  func dismiss() {
    guardian.withLock { guardian in
      guardian?.dismiss()
      guardian = nil
    }
  }
}
