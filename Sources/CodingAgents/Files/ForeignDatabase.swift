import Core
import Foundation
package import GRDB
import GRDBSQLite
import Storage
import Synchronization

/// A SQLite file of another program, opened for reading only.
///
/// While another process has the file open, it is read with its write-ahead log. If the log is
/// missing or empty, SQLite would create it and its shared memory. The file is then opened as
/// immutable, without locks, and a query is repeated if the file changed meanwhile.
///
/// A hostile file cannot make a query run without end: only plain files are opened, and the work of
/// each statement is limited. Only the names in ``tables()`` should be queried, because a view may
/// be any query.
package struct ForeignDatabase {
  /// The largest number of attempts to read an immutable file.
  private static let attempts = 3

  private let place: DatabasePlace
  private var queue: DatabaseQueue
  /// The state of a file that was opened as immutable; nil for another one.
  private var look: DatabasePlace.Look?

  /// Opens the file.
  ///
  /// - Throws: `BadInput` if the file, or a file of SQLite beside it, is a pipe, a folder or a
  ///   device; `DatabaseError` if SQLite cannot open it.
  package init(_ path: String) throws {
    place = DatabasePlace(path: path)
    look = place.look.flatMap { $0.hasLog ? nil : $0 }
    queue = try Self.opened(look == nil ? path : place.unchangingName, at: path)
  }

  private static func opened(_ name: String, at path: String) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let limit = StatementLimit(bytes: try size(at: path))
    configuration.prepareDatabase { database in limit.apply(to: database) }
    return try DatabaseQueue(path: name, configuration: configuration)
  }

  /// Returns the size of the file and of the files of SQLite beside it, in bytes.
  ///
  /// - Throws: `BadInput` if one of them is no plain file.
  private static func size(at path: String) throws(Failure) -> Int {
    var size = 0
    for name in ["", "-wal", "-shm", "-journal"].map({ path + $0 }) {
      var status = stat()
      guard stat(name, &status) == 0 else { continue }
      // Opening a named pipe would wait for its writer.
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw Failure(.badInput, "'\(Visible.line(name))' is not a plain file", input: name)
      }
      size += Int(status.st_size)
    }
    return size
  }

  /// Returns the names of the tables.
  ///
  /// Views and virtual tables are left out, because reading them runs queries of the file.
  package mutating func tables() throws -> Set<String> {
    try read { database in
      Set(
        try String.fetchAll(
          database,
          sql: """
            SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
            """))
    }
  }

  /// Returns the reason for the given error of a query, as it follows a colon in a message.
  package static func reason(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    return error.resultCode == .SQLITE_INTERRUPT
      ? "it has a table without end" : error.message ?? "\(error)"
  }

  /// Runs a query in a transaction.
  package mutating func read<Value>(_ query: (Database) throws -> Value) throws -> Value {
    for _ in 0..<Self.attempts {
      let result = Result { try queue.read(query) }
      guard let look, look != place.look else { return try result.get() }
      self = try ForeignDatabase(place.path)
    }
    (queue, look) = (try Self.opened(place.path, at: place.path), nil)
    return try queue.read(query)
  }
}

/// A limit of the work of each statement, in proportion to the size of the file.
///
/// A damaged or hostile file may have a table that contains itself.
private final class StatementLimit: Sendable {
  /// The number of instructions of SQLite between two looks at the limit.
  private static let step = 10_000

  private let bytes: Int
  private let steps = Atomic<Int>(0)

  init(bytes: Int) { self.bytes = bytes }

  /// `true` if the running statement may go on.
  ///
  /// Reading a table takes about one instruction for each byte.
  private var goesOn: Bool {
    steps.add(1, ordering: .relaxed).newValue <= 100 + bytes / (Self.step / 20)
  }

  /// Limits the statements of the given connection, and the length of their values.
  func apply(to database: Database) {
    guard let connection = database.sqliteConnection else { return }
    database.trace(options: .statement) { [self] _ in steps.store(0, ordering: .relaxed) }
    // No value of the file is longer than the file. The result is the limit before.
    _ = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes + 1_000_000))
    // The trace, which the connection keeps, retains this object as long as the handler is called.
    sqlite3_progress_handler(
      connection, Int32(Self.step),
      { context in
        guard let context else { return 0 }
        return Unmanaged<StatementLimit>.fromOpaque(context).takeUnretainedValue().goesOn ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
