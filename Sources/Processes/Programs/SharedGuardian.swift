public import Core
import Synchronization

/// The one guardian that ends the programs of this process if the process is killed.
public final class SharedGuardian: Sendable {
  private let guardian = Mutex<Guardian?>(nil)

  /// Creates the value, without starting a guardian.
  public init() {}

  /// Returns the guardian, which starts with the first program.
  ///
  /// - Throws: `StorageFailed` if it cannot be started.
  public func started() throws(Failure) -> Guardian {
    try guardian.withLock { (guardian) throws(Failure) in
      if let guardian { return guardian }
      let new = try Guardian()
      guardian = new
      return new
    }
  }

  /// Dismisses the guardian, because all programs have ended.
  public func dismiss() {
    guardian.withLock { guardian in
      guardian?.dismiss()
      guardian = nil
    }
  }
}
