internal import CPQ
import Core
import Foundation
import Storage
import Synchronization

/// A connection to a PostgreSQL database, with its prepared statements.
///
/// Its calls block. One thread uses it at a time.
final class PostgresConnection: Sendable {
  /// The address of the database.
  let address: PostgresAddress
  private let session = Mutex<PostgresSession?>(nil)

  /// Creates a connection that is not open yet.
  init(_ address: PostgresAddress) { self.address = address }

  /// `true` if the connection was opened and not lost since.
  var isOpen: Bool { session.withLock { $0 != nil } }

  /// Opens the connection, unless it is open.
  ///
  /// - Throws: `StorageFailed` if the database cannot be reached; `StorageFailed` of kind `connect`
  ///   if another attempt may succeed.
  func open() throws(Failure) {
    try session.withLock { (session) throws(Failure) in
      guard session == nil else { return }
      do throws(PostgresError) {
        session = try PostgresSession(address)
      } catch {
        throw error.failure(address.name)
      }
    }
  }

  /// Closes the connection.
  ///
  /// The server rolls back an open transaction.
  func close() { session.withLock { $0 = nil } }

  /// Runs the given statements, which have no parameters, in one round trip.
  ///
  /// - Returns: The result of the last statement.
  /// - Throws: `StorageFailed` if a statement fails or the connection is not open.
  @discardableResult
  func run(_ script: String) throws(Failure) -> PostgresResult {
    try use { (session) throws(PostgresError) in try session.run(script) }
  }

  /// Runs the given statement, which is prepared when it is first used.
  ///
  /// - Throws: `StorageFailed` if the statement fails or the connection is not open.
  func run(_ statement: String, _ parameters: [RecordValue]) throws(Failure) -> PostgresResult {
    try use { (session) throws(PostgresError) in try session.run(statement, parameters) }
  }

  /// Sends the given bytes to a statement `COPY … FROM STDIN`.
  ///
  /// - Throws: `StorageFailed` if the statement fails or the connection is not open.
  func copy(_ statement: String, _ bytes: [UInt8]) throws(Failure) {
    try use { (session) throws(PostgresError) in try session.copy(statement, bytes) }
  }

  /// Waits for notifications.
  ///
  /// - Parameters:
  ///   - milliseconds: The time limit.
  ///   - interruption: The interruption that ends the wait.
  /// - Returns: The channels of the notifications, which are discarded; empty at the time limit.
  /// - Throws: `Interrupted` if the wait was interrupted; `StorageFailed` of kind `connect` if the
  ///   connection is lost.
  func notifiedChannels(
    within milliseconds: Int32, _ interruption: Interruption
  ) throws(Failure) -> Set<String> {
    // A statement may have received notifications with its result.
    let (channels, socket) = try use { (session) throws(PostgresError) in
      (session.takeNotifications(), session.socket)
    }
    guard channels.isEmpty else { return channels }
    guard try interruption.isReadable(socket, within: milliseconds) else { return [] }
    return try use { (session) throws(PostgresError) in
      try session.receive()
      return session.takeNotifications()
    }
  }

  /// Runs `work` with the open session, and drops the session if it can no longer be used.
  private func use<Value: Sendable>(
    _ work: (PostgresSession) throws(PostgresError) -> Value
  ) throws(Failure) -> Value {
    guard let session = session.withLock({ $0 }) else {
      throw PostgresError(loss: "the connection was lost").failure(address.name)
    }
    do {
      return try work(session)
    } catch {
      if error.needsReconnection { close() }
      throw error.failure(address.name)
    }
  }
}

/// A session of the server (PGconn).
private final class PostgresSession: Sendable {
  /// A prepared statement, which depends on the types of its parameters.
  private struct Prepared: Hashable, Sendable {
    var statement: String
    var types: [UInt32]
  }

  // Only the thread that uses the connection calls libpq with it.
  private nonisolated(unsafe) let pointer: OpaquePointer
  private let database: String
  private let names = Mutex<[Prepared: String]>([:])

  /// The number of prepared statements after which all are discarded.
  private static let mostPrepared = 1000
  /// The number of bytes that are given to libpq at once.
  private static let copyLength = 1 << 20
  /// The oldest version that has all features that are used.
  private static let oldestVersion: Int32 = 150_000
  /// The settings on which the text of values depends, and those with which the server ends the
  /// transaction of a process that was stopped or cut off.
  ///
  /// Such a transaction would hold the lock of all writers, and must end before leases do. Statements are not compiled: that takes
  /// a tenth of a second, which short statements never regain.
  private static let settings = """
    SET bytea_output = 'hex'; SET extra_float_digits = 1; SET standard_conforming_strings = on;
    SET jit = off;
    SET idle_in_transaction_session_timeout = '5s'; SET tcp_keepalives_idle = 2;
    SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2; SET tcp_user_timeout = 5000
    """

  /// Connects to the database.
  init(_ address: PostgresAddress) throws(PostgresError) {
    database = address.name
    var names = address.parameters.map { UnsafePointer(strdup($0.name)) } + [nil]
    var values = address.parameters.map { UnsafePointer(strdup($0.value)) } + [nil]
    defer { for text in names + values { free(UnsafeMutablePointer(mutating: text)) } }
    guard let pointer = PQconnectdbParams(&names, &values, 0) else {
      throw PostgresError(loss: "there is no memory")
    }
    self.pointer = pointer
    guard PQstatus(pointer) == CONNECTION_OK else {
      throw PostgresError(loss: String(cString: PQerrorMessage(pointer)))
    }
    // Notices would otherwise be printed on standard error.
    _ = PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    guard PQserverVersion(pointer) >= Self.oldestVersion else {
      throw PostgresError(
        state: "", message: "the server is older than PostgreSQL 15", isLoss: false)
    }
    let encoding = PQparameterStatus(pointer, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      throw PostgresError(
        state: "", message: "the encoding of the database is not UTF8", isLoss: false)
    }
    _ = try run(Self.settings)
  }

  deinit { PQfinish(pointer) }

  var socket: Int32 { PQsocket(pointer) }

  /// Runs the given statements in one round trip (PQexec).
  func run(_ script: String) throws(PostgresError) -> PostgresResult {
    try result(PQexec(pointer, script))
  }

  /// Runs the given statement with parameters (PQexecPrepared).
  func run(_ statement: String, _ parameters: [RecordValue]) throws(PostgresError)
    -> PostgresResult
  {
    let name = try prepare(statement, parameters.map(\.postgresType))
    let bytes = parameters.map(\.postgresBytes)
    let all = bytes.flatMap { $0 ?? [] }
    var lengths: [Int32] = []
    for value in bytes {
      guard let length = Int32(exactly: value?.count ?? 0) else {
        throw PostgresError(state: "54000", message: "a value is too large", isLoss: false)
      }
      lengths.append(length)
    }
    let formats = [Int32](repeating: 1, count: parameters.count)
    // The byte is there because the address of an empty array may be nil, which means no value.
    let found = (all + [0]).withUnsafeBytes { buffer in
      var offset = 0
      let values = bytes.map { value -> UnsafePointer<CChar>? in
        defer { offset += value?.count ?? 0 }
        guard value != nil, let start = buffer.baseAddress else { return nil }
        return (start + offset).assumingMemoryBound(to: CChar.self)
      }
      return PQexecPrepared(
        pointer, name, Int32(parameters.count), values, lengths, formats, 0)
    }
    return try result(found)
  }

  /// Sends the given bytes to a statement `COPY … FROM STDIN` (PQputCopyData).
  func copy(_ statement: String, _ bytes: [UInt8]) throws(PostgresError) {
    let begun = PQexec(pointer, statement)
    defer { PQclear(begun) }
    guard PQresultStatus(begun) == PGRES_COPY_IN else { throw error(begun) }
    var isSent = bytes.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count, by: Self.copyLength).allSatisfy { offset in
        let part = UnsafeRawBufferPointer(
          rebasing: buffer[offset..<min(offset + Self.copyLength, buffer.count)])
        return PQputCopyData(
          pointer, part.assumingMemoryBound(to: CChar.self).baseAddress, Int32(part.count)) == 1
      }
    }
    isSent = PQputCopyEnd(pointer, isSent ? nil : "the rows could not be sent") == 1 && isSent
    var failure = isSent ? nil : error(nil)
    // The connection accepts statements again once there are no more results.
    while let found = PQgetResult(pointer) {
      defer { PQclear(found) }
      if PQresultStatus(found) != PGRES_COMMAND_OK { failure = error(found) }
      // A connection that is lost while rows are copied can return this status forever.
      if PQresultStatus(found) == PGRES_COPY_IN { break }
    }
    if let failure { throw failure }
  }

  /// Reads what the server sent without being asked (PQconsumeInput).
  func receive() throws(PostgresError) {
    guard PQconsumeInput(pointer) == 1, PQstatus(pointer) == CONNECTION_OK else { throw error(nil) }
  }

  /// Discards the notifications that were received, and returns their channels.
  func takeNotifications() -> Set<String> {
    var channels: Set<String> = []
    while let notification = PQnotifies(pointer) {
      if let name = notification.pointee.relname { channels.insert(String(cString: name)) }
      PQfreemem(notification)
    }
    return channels
  }

  /// Returns the name of the prepared statement with the given parameter types.
  private func prepare(_ statement: String, _ types: [UInt32]) throws(PostgresError) -> String {
    let prepared = Prepared(statement: statement, types: types)
    if let name = names.withLock({ $0[prepared] }) { return name }
    if names.withLock({ $0.count }) >= Self.mostPrepared {
      _ = try run("DEALLOCATE ALL")
      names.withLock { $0 = [:] }
    }
    let name = names.withLock { "s\($0.count)" }
    let text = PlaceholderText(statement)
    guard text.count == types.count else {
      throw PostgresError(
        state: "", message: "a statement has \(text.count) parameters, but \(types.count) values",
        isLoss: false)
    }
    _ = try result(PQprepare(pointer, name, text.text, Int32(types.count), types))
    names.withLock { $0[prepared] = name }
    return name
  }

  private func result(_ found: OpaquePointer?) throws(PostgresError) -> PostgresResult {
    guard let found, [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(found)) else {
      defer { PQclear(found) }
      throw error(found)
    }
    return PostgresResult(owning: found, of: database)
  }

  private func error(_ found: OpaquePointer?) -> PostgresError {
    let isLoss = PQstatus(pointer) != CONNECTION_OK
    let state = found.flatMap { PQresultErrorField($0, cpq_state) }.map { String(cString: $0) }
    let message = found.flatMap { PQresultErrorField($0, cpq_message) } ?? PQerrorMessage(pointer)
    return PostgresError(
      state: state ?? "", message: message.map { String(cString: $0) } ?? "", isLoss: isLoss)
  }
}
