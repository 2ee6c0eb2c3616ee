package import Core

/// A database of records that several processes share: `store.db` of this machine, or a database
/// that several hubs share.
///
/// All statements use the subset of SQL that SQLite and PostgreSQL 15 share: `?` parameters in
/// order, `ON CONFLICT`, `RETURNING`, integers for flags. ``Dialect`` has the exceptions.
package protocol RecordBase: Sendable {
  /// Runs a query in one transaction.
  ///
  /// - Throws: `StorageFailed`, or the query's failure.
  func read<Value>(_ query: (any Rows) throws -> Value) throws(Failure) -> Value

  /// Runs a transaction and commits it.
  ///
  /// - Throws: `StorageFailed`, or the transaction's failure; the transaction is then rolled back.
  func write<Value>(_ transaction: (any Rows) throws -> Value) throws(Failure) -> Value

  /// Starts listening for changes.
  ///
  /// - Parameter interruption: The interruption that ends a wait.
  /// - Returns: A function that waits for the next change.
  /// - Throws: `StorageFailed`.
  func wakeUp(_ interruption: Interruption) throws(Failure) -> RecordWait

  /// The current time, by the clock that all users of the base share.
  var now: Timestamp { get }
}

/// A function that waits for a change since the last wait, up to a number of milliseconds; -1 waits
/// forever.
///
/// It returns `true` if something may have changed, and throws `Interrupted` if the wait was
/// interrupted.
package typealias RecordWait = @Sendable (_ milliseconds: Int32) throws(Failure) -> Bool

/// The state of a base, which differs after each change.
package struct RecordVersion: Sendable, Equatable {
  /// The number of changes by others.
  let others: Int
  /// The number of changes over this connection.
  let ours: Int
}
