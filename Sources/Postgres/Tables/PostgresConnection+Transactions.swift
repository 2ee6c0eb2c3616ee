import Core
import Foundation
import Storage

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
  /// If the answer of the server is lost, the server is asked again what became of the transaction.
  ///
  /// - Parameters:
  ///   - script: The statements.
  ///   - transaction: The id of the transaction; nil if it may be repeated.
  /// - Throws: `StorageFailed` if the transaction was rolled back; `StorageFailed` of kind
  ///   `unknownOutcome` if the server does not answer for some seconds.
  func commit(_ script: String, of transaction: String?) throws(Failure) {
    let result: PostgresResult
    do throws(Failure) {
      result = try run(script)
    } catch {
      rollBack()
      guard let transaction, error.kind == .connect else { throw error }
      switch outcome(of: transaction) {
      case "committed": return
      case "aborted": throw error
      default:
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

  /// Returns the outcome of the given transaction (pg_xact_status): `committed` or `aborted`; nil
  /// if the server does not know it, or cannot be reached in time.
  private func outcome(of transaction: String) -> String? {
    let end = ContinuousClock.now + Self.patience
    repeat {
      // The server may be restarting, or may still be committing.
      Thread.sleep(forTimeInterval: 0.1)
      do throws(Failure) {
        try openChecked()
        let result = try run(
          "SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8))", [.text(transaction)])
        let outcome = result.text(row: 0, column: 0)
        guard outcome == "in progress" else { return outcome }
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
