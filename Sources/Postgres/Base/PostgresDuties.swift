import Core
import Storage
import Synchronization

/// The duties that this process performs for all hubs of a database.
///
/// An advisory lock of a session stands for each duty. The server releases it when the connection
/// ends, and ends a half-open connection within 5 seconds.
final class PostgresDuties: Sendable {
  private let connection: Mutex<PostgresConnection>

  /// The first half of the keys of the locks: the text `agen` as a number.
  private static let lockClass = 0x6167_656E

  /// Creates the duties, of which none is performed yet.
  init(_ address: PostgresAddress) { connection = Mutex(PostgresConnection(address)) }

  /// Returns `true` if this process performs the given duty, which it takes over if nobody does.
  ///
  /// - Throws: `StorageFailed` if the database cannot be reached.
  func has(_ duty: RecordDuty) throws(Failure) -> Bool {
    let question = """
      SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
          AND classid = \(Self.lockClass) AND objid = \(duty.rawValue) AND objsubid = 2
          AND pid = pg_backend_pid() AND granted)
        THEN 1 ELSE pg_try_advisory_lock(\(Self.lockClass), \(duty.rawValue))::int END
      """
    return try connection.withLock { (connection) throws(Failure) in
      try connection.retryingOnce { () throws(Failure) in
        try connection.run(question).value(row: 0, column: 0) == .integer(1)
      }
    }
  }
}
