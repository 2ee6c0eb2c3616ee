package import Core
import Foundation
import Storage

/// The tables of a database that hubs share, and their versions.
///
/// The tables are those of `store.db` that are used through a ``RecordBase``, and those of a
/// ``PostgresLog``. A new version is appended to ``versions``, and existing ones are never edited.
package enum PostgresSchema {
  /// The advisory lock of all that write: the text `agentpip` as a number.
  static let lock: Int64 = 0x6167_656E_7470_6970
  /// The advisory lock of all that append events: the text `agenteve` as a number.
  static let eventLock: Int64 = 0x6167_656E_7465_7665
  /// The advisory lock that connections share while they use the tables: the text `agentver` as a
  /// number.
  private static let useLock: Int64 = 0x6167_656E_7476_6572
  /// The statement that counts a commit.
  static let countChange = "UPDATE changeCount SET value = value + 1"

  /// Returns the statement that stores the mark of a commit, in place of a mark of long ago.
  static func setMark(_ mark: String) -> String {
    "UPDATE commitMark SET mark = '\(mark)' WHERE slot = (SELECT value % \(marks) FROM changeCount)"
  }

  /// The scripts that create each version from the one before.
  private static let versions = [firstTables, events, shared, auditedDevices]

  /// The tables that a hub may read and change.
  private static let changeable = [
    "artifact", "call", "changeCount", "commitMark", "companion", "companionGuess",
    "companionNonce", "control",
    "decision", "delivery", "device", "deviceCode", "deviceToken", "eventKept", "forwarded", "gate",
    "gateDevice", "gateHub", "incidentEvent", "pairedHost", "pipeline", "runner", "threshold",
    "watched", "watchedUpTo",
  ]

  /// Creates the tables in the given database, or updates them to the current version.
  ///
  /// An update waits until all hubs of an older version have disconnected.
  ///
  /// - Parameters:
  ///   - address: The address of the database, with a role that may create tables.
  ///   - role: The role of the hubs, which receives rights to the tables; nil to change no rights.
  ///   - report: A closure that receives a message if the update has to wait.
  /// - Throws: `StorageFailed` of kind `newerSchema` if a newer version created the tables;
  ///   `StorageFailed` if they cannot be created.
  package static func migrate(
    _ address: PostgresAddress, granting role: String?, report: NoticeHandler = { _ in }
  ) throws(Failure) {
    let connection = PostgresConnection(address)
    try connection.open()
    if let found = try version(connection), found < versions.count {
      if try !locks(connection, "pg_try_advisory_lock") {
        report("'\(address.name)' is in use: waiting until the hubs of the older version end")
        // A lock that is waited for would refuse further connections to these hubs.
        repeat {
          Thread.sleep(forTimeInterval: 0.5)
        } while try !locks(connection, "pg_try_advisory_lock")
      }
    }
    try connection.run(
      "BEGIN; SELECT pg_advisory_xact_lock(\(lock))")
    let current = try version(connection) ?? 0
    guard current <= versions.count else { throw newer(address.name) }
    for script in versions[current...] { try connection.run(script) }
    if current < versions.count {
      try connection.run(
        "DELETE FROM schemaVersion; INSERT INTO schemaVersion VALUES (\(versions.count))")
    }
    if let role {
      let schema = try connection.run("SELECT current_schema()").value(row: 0, column: 0)
      guard case .text(let schema) = schema else { throw missingSchema(address.name) }
      try connection.run(rights(of: quoted(role), in: quoted(schema)))
    }
    // The server ends a connection only after a moment, and would refuse hubs until then.
    try connection.run("COMMIT; SELECT pg_advisory_unlock_all()")
  }

  /// Checks that the tables have the current version, which they keep while the given connection is
  /// open.
  ///
  /// - Throws: `StorageFailed` of kind `newerSchema` or `olderSchema` if they have another one;
  ///   `StorageFailed` of kind `busy` if they are being updated.
  static func check(_ connection: PostgresConnection) throws(Failure) {
    let name = connection.address.name
    guard try locks(connection, "pg_try_advisory_lock_shared") else {
      throw Failure(
        .storageFailed, "'\(name)' is being updated by hub-serve migrate", kind: .busy,
        retryAfterSeconds: 1, input: name)
    }
    let current = try version(connection)
    guard current != versions.count else { return }
    if let current, current > versions.count { throw newer(name) }
    throw Failure(
      .storageFailed,
      current == nil
        ? "'\(name)' has no tables of agentpipes" : "'\(name)' was written by an earlier version",
      kind: .olderSchema, input: name, nextStep: "run hub-serve migrate")
  }

  /// Takes the lock on the use of the tables with the given function, which does not wait.
  private static func locks(
    _ connection: PostgresConnection, _ function: String
  ) throws(Failure) -> Bool {
    try connection.run("SELECT \(function)(\(useLock))::int").value(row: 0, column: 0)
      == .integer(1)
  }

  /// Returns `true` if the current role may change or delete entries of the audit log.
  static func canChangeAudit(_ rows: any Rows) throws(Failure) -> Bool {
    let statement = """
      SELECT has_table_privilege('audit', 'UPDATE, DELETE, TRUNCATE')
        OR pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'audit'::regclass
      """
    return try rows.value(Bool.self, statement) ?? true
  }

  /// Returns the version of the tables; nil if there are none.
  private static func version(_ connection: PostgresConnection) throws(Failure) -> Int? {
    let found = try connection.run("SELECT to_regclass('schemaVersion') IS NOT NULL")
    guard found.value(row: 0, column: 0) == .integer(1) else { return nil }
    let result = try connection.run("SELECT max(version) FROM schemaVersion")
    guard case .integer(let version) = result.value(row: 0, column: 0) else { return nil }
    return Int(version)
  }

  private static func newer(_ name: String) -> Failure {
    Failure(
      .storageFailed, "'\(name)' was written by a newer version", kind: .newerSchema, input: name,
      nextStep: "upgrade agentpipes, or use another database with --records")
  }

  private static func missingSchema(_ name: String) -> Failure {
    Failure(
      .storageFailed, "cannot use '\(name)': the search path names no schema", input: name)
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// Returns the statements that grant the rights of a hub to the given role.
  ///
  /// The role can add to the audit log and to the events, and read them, but not change them. A
  /// function of the owner drops old events.
  private static func rights(of role: String, in schema: String) -> String {
    let tables = changeable.joined(separator: ", ")
    return """
      GRANT USAGE ON SCHEMA \(schema) TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON \(tables) TO \(role);
      REVOKE ALL ON audit, event, eventLog, eventPart, schemaVersion FROM \(role);
      GRANT SELECT, INSERT ON audit, event TO \(role);
      GRANT SELECT ON eventLog, eventPart, schemaVersion TO \(role);
      GRANT UPDATE (last) ON eventLog TO \(role);
      GRANT EXECUTE ON FUNCTION addEventPart, dropEventParts TO \(role)
      """
  }
}
