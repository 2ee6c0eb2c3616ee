import Core
import Foundation

/// The steps of a transaction.
extension PostgresConnection {
  /// Opens the connection, unless it is open, and checks the version of the tables.
  ///
  /// - Throws: `StorageFailed` if the database cannot be reached; `StorageFailed` of kind
  ///   `newerSchema` or `olderSchema` if its tables are of another version.
  func openChecked() throws(Failure) {
    guard !isOpen else { return }
    try open()
    do throws(Failure) {
      try PostgresSchema.check(self)
    } catch {
      close()
      throw error
    }
  }

  /// Runs `work`, which changes nothing, a second time over a new connection if the existing one
  /// was lost.
  ///
  /// - Throws: The failure that `work` throws.
  func retryingOnce<Value>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    let wasOpen = isOpen
    do throws(Failure) {
      try openChecked()
      return try work()
    } catch {
      guard wasOpen, !isOpen else { throw error }
    }
    try openChecked()
    return try work()
  }

  /// Begins a transaction with the given statements, over a new connection if the existing one was
  /// lost.
  ///
  /// - Returns: The result of the last statement.
  /// - Throws: `StorageFailed` if a statement fails. The transaction is then rolled back.
  func begin(_ script: String) throws(Failure) -> PostgresResult {
    do throws(Failure) {
      return try retryingOnce { () throws(Failure) in try run(script) }
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs the given statements, of which the last commits the transaction.
  ///
  /// If the answer of the server is lost, the transaction is looked up. The id of a transaction
  /// would not do: a standby that takes over, or a server after a crash, can use it again.
  ///
  /// - Parameters:
  ///   - script: The statements.
  ///   - isCommitted: A closure that returns `true` if the transaction was committed; nil if the
  ///     transaction may be repeated.
  /// - Throws: `StorageFailed` if the transaction was rolled back; `StorageFailed` of kind
  ///   `unknownOutcome` if the server does not answer for some seconds.
  func commit(
    _ script: String, isCommitted: (() throws(Failure) -> Bool)? = nil
  ) throws(Failure) {
    let result: PostgresResult
    do throws(Failure) {
      result = try run(script)
    } catch {
      rollBack()
      guard let isCommitted, error.kind == .connect else { throw error }
      switch outcome(isCommitted) {
      case true?: return
      case false?: throw error
      case nil:
        throw Failure(
          .storageFailed,
          "cannot use '\(address.name)': the connection was lost during a commit, which may have "
            + "succeeded", kind: .commitUnknown, retryAfterSeconds: 1, input: address.name,
          nextStep: "repeat the request, which acts once")
      }
    }
    // The server rolls back in place of a commit if a statement failed, even if that was handled.
    guard result.command == "COMMIT" else {
      throw Failure(
        .storageFailed, "cannot use '\(address.name)': a statement of the transaction failed",
        input: address.name)
    }
  }

  /// Returns the result of `isCommitted`; nil if the server cannot be reached in time.
  private func outcome(_ isCommitted: () throws(Failure) -> Bool) -> Bool? {
    let end = ContinuousClock.now + Self.patience
    repeat {
      // The server may be restarting.
      Thread.sleep(forTimeInterval: 0.1)
      do throws(Failure) {
        return try isCommitted()
      } catch {
        close()
      }
    } while .now < end
    return nil
  }

  /// The time for which a server that was lost during a commit is asked for its outcome.
  private static let patience = Duration.seconds(5)

  /// Ends the transaction without a commit.
  func rollBack() {
    guard isOpen else { return }
    do throws(Failure) {
      try run("ROLLBACK")
    } catch {
      // The server rolls back when the connection ends.
      close()
    }
  }
}
