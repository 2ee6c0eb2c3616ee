package import Core
package import Storage
import Synchronization

/// A record base in PostgreSQL, which several hubs share.
///
/// One transaction at a time writes, among all hubs that use the database. Each write takes an
/// advisory lock before it reads, and therefore sees every earlier commit. Reads use a snapshot and
/// wait for nobody. Calls block the thread, and must not be nested.
package final class PostgresBase: RecordBase {
  /// The address of the database.
  package let address: PostgresAddress
  private let writer: PostgresPool
  private let readers: PostgresPool
  private let clock = PostgresClock()
  private let duties: PostgresDuties
  private let listener = Mutex<PostgresListener?>(nil)

  /// The number of connections for reads.
  private static let readerCount = 4
  private static let beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
  /// The time is read once the lock is granted.
  private static let beginWriting = """
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SELECT pg_advisory_xact_lock(\(PostgresSchema.lock));
    SELECT \(PostgresClock.expression)
    """

  /// Opens the base at the given address.
  ///
  /// - Throws: `StorageFailed` of kind `connect` if the database cannot be reached; `StorageFailed`
  ///   of kind `newerSchema` or `olderSchema` if its tables are of another version.
  package init(_ address: PostgresAddress) throws(Failure) {
    self.address = address
    writer = PostgresPool(address, count: 1)
    readers = PostgresPool(address, count: Self.readerCount)
    duties = PostgresDuties(address)
    try readers.use { (connection) throws(Failure) in
      try connection.openChecked()
      setClock(try connection.run("SELECT \(PostgresClock.expression)"))
    }
  }

  deinit { listener.withLock { $0?.close() } }

  package func read<Value>(_ query: (any Rows) throws -> Value) throws(Failure) -> Value {
    try readers.use { (connection) throws(Failure) in
      _ = try connection.begin(Self.beginReading)
      let value: Value
      do {
        value = try query(PostgresRows(connection, at: now))
      } catch {
        connection.rollBack()
        throw PostgresError.failure(error, address.name)
      }
      // A read has no outcome that could be lost.
      connection.rollBack()
      return value
    }
  }

  package func write<Value>(_ transaction: (any Rows) throws -> Value) throws(Failure) -> Value {
    try writer.use { (connection) throws(Failure) in
      let rows = PostgresRows(connection, at: setClock(try connection.begin(Self.beginWriting)))
      let value: Value
      do {
        value = try transaction(rows)
      } catch {
        connection.rollBack()
        throw PostgresError.failure(error, address.name)
      }
      try commit(rows, over: connection)
      return value
    }
  }

  private func commit(
    _ rows: PostgresRows, over connection: PostgresConnection
  ) throws(Failure) {
    // A transaction that changed nothing may be repeated.
    guard rows.hasChanged else { return try connection.commit("COMMIT") }
    let mark = Identifier.make()
    try connection.commit(rows.commitScript(marking: mark)) { [self] () throws(Failure) in
      try isCommitted(mark, over: connection)
    }
  }

  /// Returns `true` if the transaction that set the given mark was committed.
  ///
  /// The lock is granted once that transaction has ended.
  private func isCommitted(
    _ mark: String, over connection: PostgresConnection
  ) throws(Failure) -> Bool {
    _ = try connection.begin(Self.beginWriting)
    let found = try connection.run("SELECT 1 FROM commitMark WHERE mark = ?", [.text(mark)])
    guard found.count > 0 else {
      connection.rollBack()
      return false
    }
    // A standby that must confirm commits has the earlier one when it confirms this one.
    try connection.commit("\(PostgresSchema.countChange); COMMIT")
    return true
  }

  /// Starts to listen for the notifications that each commit sends.
  ///
  /// All waits share one connection, which is opened by the first call.
  package func wakeUp(_ interruption: Interruption) throws(Failure) -> RecordWait {
    try wakeUp(for: .records, interruption)
  }

  /// Starts to listen for the commits that the given channel notifies of.
  func wakeUp(
    for channel: PostgresChannel, _ interruption: Interruption
  ) throws(Failure) -> RecordWait {
    let listener = try listener.withLock { (listener) throws(Failure) in
      if let listener { return listener }
      let opened = try PostgresListener(address, clock: clock)
      listener = opened
      return opened
    }
    let waiter = try listener.makeWaiter(for: channel)
    return { [self] (milliseconds) throws(Failure) in
      // The base closes its listener when it is released.
      try withExtendedLifetime(self) { () throws(Failure) in
        try waiter.hasChanged(within: milliseconds, interruption)
      }
    }
  }

  /// The database's time, as measured by the last write.
  package var now: Timestamp {
    // The clock was set when the base was opened.
    clock.now ?? Timestamp(milliseconds: 0)
  }

  package func has(_ duty: RecordDuty) throws(Failure) -> Bool { try duties.has(duty) }

  /// The failure of the listener, which reads the database each second.
  package var outage: Failure? { listener.withLock { $0 }?.failure }

  /// Returns `true` if the role of this base can neither change nor delete entries of the audit
  /// log.
  ///
  /// The tables' owner and superusers can. Then only a trigger protects the audit log, which they
  /// can remove.
  ///
  /// - Throws: `StorageFailed` if the database cannot be read.
  package func isAuditProtected() throws(Failure) -> Bool {
    try read { try !PostgresSchema.canChangeAudit($0) }
  }

  /// Runs the given query, which sees one state of the database, outside of a transaction.
  ///
  /// This takes one round trip, where ``read(_:)`` takes three or more.
  func query(
    _ statement: String, _ parameters: [RecordValue]
  ) throws(Failure) -> PostgresResult {
    try readers.use { (connection) throws(Failure) in
      try connection.retryingOnce { () throws(Failure) in
        try connection.run(statement, parameters)
      }
    }
  }

  /// Sets the clock, and returns the time that the given result contains.
  @discardableResult
  private func setClock(_ result: PostgresResult) -> Timestamp {
    guard let milliseconds = result.integer(row: 0, column: 0) else { return now }
    // The time was read after the lock was granted, however long that took.
    clock.set(milliseconds, askedAt: .now)
    return Timestamp(milliseconds: milliseconds)
  }
}
