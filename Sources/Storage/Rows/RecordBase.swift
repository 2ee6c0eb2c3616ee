package import Core

/// A database of records that several processes share: `store.db` of this machine, or one that
/// several hubs share.
///
/// All statements are written once, in the subset of SQL that SQLite and PostgreSQL 15 have in
/// common: `?` parameters in order, `ON CONFLICT`, `RETURNING`, integers for flags. ``Dialect`` has
/// the exceptions.
package protocol RecordBase: Sendable {
  /// Runs a query in one transaction.
  ///
  /// - Throws: `StorageFailed`, or the failure that the query threw.
  func read<Value>(_ query: (any Rows) throws -> Value) throws(Failure) -> Value

  /// Runs a transaction, which is committed when this returns.
  ///
  /// - Throws: `StorageFailed`, or the failure that the transaction threw; nothing is kept then.
  func write<Value>(_ transaction: (any Rows) throws -> Value) throws(Failure) -> Value

  /// Starts to listen for changes.
  ///
  /// - Parameter interruption: Ends a wait.
  /// - Returns: A wait for the next change.
  /// - Throws: `StorageFailed`.
  func wakeUp(_ interruption: Interruption) throws(Failure) -> RecordWait

  /// The present, by the one clock that all users of the base go by.
  var now: Timestamp { get }
}

/// Waits for a change since the last wait, so many milliseconds at most, -1 for any; returns `true`
/// if something may have changed.
///
/// Throws `Interrupted` when the wait is to end.
package typealias RecordWait = @Sendable (_ milliseconds: Int32) throws(Failure) -> Bool

/// The state of a base: another one after each change.
package struct RecordVersion: Sendable, Equatable {
  /// A count of the changes by others.
  let others: Int
  /// A count of the changes over this connection.
  let ours: Int
}
