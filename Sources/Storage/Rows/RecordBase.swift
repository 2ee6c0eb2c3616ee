package import Core

/// A database of records that several processes share.
///
/// It is `store.db` on this machine, or a database that several hubs share. All statements use the
/// subset of SQL that SQLite and PostgreSQL 15 have in common: `?` parameters in order, `ON
/// CONFLICT`, `RETURNING`, and integers for flags. ``Dialect`` contains the exceptions.
///
/// The engines differ in these points, which statements must not depend on. A column without values
/// is sorted with `NULLS FIRST` or `NULLS LAST`. A parameter needs a `CAST` if nothing else in the
/// statement shows its type. PostgreSQL stores U+FFFD in place of U+0000, and no key of more than
/// 2,704 bytes.
package protocol RecordBase: Sendable {
  /// Runs a query in one transaction.
  ///
  /// - Throws: `StorageFailed` if the base cannot be read; otherwise the failure that `query`
  ///   throws.
  func read<Value>(_ query: (any Rows) throws -> Value) throws(Failure) -> Value

  /// Runs a transaction and commits it. If the transaction throws, it is rolled back.
  ///
  /// - Throws: `StorageFailed` if the base cannot be written; otherwise the failure that
  ///   `transaction` throws.
  func write<Value>(_ transaction: (any Rows) throws -> Value) throws(Failure) -> Value

  /// Starts to listen for changes of the base.
  ///
  /// - Parameter interruption: The interruption that ends a wait.
  /// - Returns: A function that waits for the next change.
  /// - Throws: `StorageFailed` if changes cannot be watched.
  func wakeUp(_ interruption: Interruption) throws(Failure) -> RecordWait

  /// The current time by the clock that all users of the base share.
  var now: Timestamp { get }

  /// Returns `true` if the caller performs the given duty for all users of the base.
  ///
  /// A user that has the duty keeps it until it ends or loses its connection. Another user then
  /// receives it.
  ///
  /// - Throws: `StorageFailed` if the base cannot be reached.
  func has(_ duty: RecordDuty) throws(Failure) -> Bool

  /// The failure for which the base cannot be reached at present; nil if it can.
  var outage: Failure? { get }
}

/// The defaults are those of a base whose users are on one machine.
extension RecordBase {
  /// Returns `true`, because one hub at a time uses the files of a machine.
  package func has(_ duty: RecordDuty) -> Bool { true }

  package var outage: Failure? { nil }
}

/// A duty that only one of several hubs performs.
package enum RecordDuty: Int64, Sendable {
  /// To process new events, without being asked.
  case folding = 1
  /// To forward events to a collector.
  case forwarding
}

/// A function that waits until the base changes.
///
/// Its parameter is the time limit in milliseconds; -1 waits forever. Changes since the previous
/// wait count. The function returns `true` if the base may have changed, and throws `Interrupted`
/// if the wait was interrupted.
package typealias RecordWait = @Sendable (_ milliseconds: Int32) throws(Failure) -> Bool

/// A description of a base's state that differs after each change.
package struct RecordVersion: Sendable, Equatable {
  /// The number of changes made over other connections.
  let others: Int
  /// The number of changes made over this connection.
  let ours: Int

  /// Creates the description from the two numbers.
  package init(others: Int, ours: Int) { (self.others, self.ours) = (others, ours) }
}
