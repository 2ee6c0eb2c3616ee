package import Core
import Foundation
package import GRDB

/// A SQLite file that many processes read and write at once.
///
/// It uses a write-ahead log (WAL), foreign keys and a busy timeout. A file that cannot be written
/// is opened for reading; see ``init(reading:because:migrations:)``.
package struct DatabaseFile: Sendable {
  /// The guarantee that a commit gives against loss.
  package enum Durability: String {
    /// A commit waits until the data is on the disk.
    ///
    /// The data survives a power failure, or its loss is reported.
    case full = "FULL"
    /// A commit waits until the kernel has the data, which then survives the end of the process.
    case normal = "NORMAL"
  }

  /// The file's path.
  package let path: String
  /// The only connection to the file.
  ///
  /// Queries should use ``read(_:)`` and ``write(_:)`` instead.
  package let queue: DatabaseQueue
  let migrations: DatabaseMigrator
  /// The reason why the file cannot be written; nil if it can be written.
  package let reasonAgainstWriting: String?
  /// `true` if all queries use the same connection.
  ///
  /// The connection then sees the changes that other connections commit.
  package var keepsConnection: Bool { look == nil }
  /// The file's state when it was opened as immutable; nil if it was not opened as immutable.
  let look: DatabasePlace.Look?

  /// Opens the file and migrates its tables.
  ///
  /// If the file does not exist, it is created. Processes that open a new file at the same time
  /// take turns. Otherwise, switching the file to WAL would fail, because SQLite does not call the
  /// busy handler for that.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - durability: The guarantee that commits give against loss.
  ///   - migrations: The migrations of the file's tables.
  ///   - canBeReadOnly: `true` to accept a file that cannot be written.
  /// - Throws: `StorageFailed` if the file cannot be opened. The failure has the kind `readOnly` if
  ///   the file cannot be written and `canBeReadOnly` is `false`.
  package init(
    path: String, durability: Durability, migrations: DatabaseMigrator, canBeReadOnly: Bool = true
  ) throws(Failure) {
    let place = DatabasePlace(path: path)
    if let reason = place.reasonAgainstWriting {
      guard canBeReadOnly else { throw Self.readOnly(path, reason) }
      if durability == .full { try place.refuseLoss() }
      try self.init(reading: place, because: reason, migrations: migrations)
      return
    }
    try Directories.make((path as NSString).deletingLastPathComponent)
    let lock = try FileLock.waiting(for: place.lockPath)
    defer { withExtendedLifetime(lock) {} }
    if durability == .full { try place.refuseLoss() }
    let look = place.look
    var configuration = GRDB.Configuration.forFile
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA synchronous=\(durability.rawValue)")
    }
    do {
      if place.size == nil {
        place.mark(false)
        Descriptor(open(path, O_CREAT | O_CLOEXEC, 0o600)).close()
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let isCurrent = try Self.isCurrent(queue, migrations, at: place, look: look)
      try Self.useLog(queue)
      if !isCurrent { try migrations.migrate(queue) }
      place.mark(true)
      self.init(path: path, queue: queue, migrations: migrations, readOnlyBecause: nil)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Creates the value for a file whose connection is already open.
  init(
    path: String, queue: DatabaseQueue, migrations: DatabaseMigrator,
    readOnlyBecause reason: String?, look: DatabasePlace.Look? = nil
  ) {
    self.path = path
    self.queue = queue
    self.migrations = migrations
    self.reasonAgainstWriting = reason
    self.look = look
  }

  /// Runs a query.
  ///
  /// If the file is immutable and changed during the query, the query is repeated.
  ///
  /// - Throws: `StorageFailed` if the file cannot be read; otherwise the failure that `query`
  ///   throws.
  package func read<Value>(_ query: (Database) throws -> Value) throws(Failure) -> Value {
    guard let look else {
      do {
        return try HeldLocks.during { try queue.read(query) }
      } catch {
        throw Self.failure(error, path)
      }
    }
    return try readUnchanging(look, query)
  }

  /// Runs a transaction and commits it.
  ///
  /// If the transaction throws, it is rolled back.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written; otherwise the failure that
  ///   `transaction` throws.
  package func write<Value>(_ transaction: (Database) throws -> Value) throws(Failure) -> Value {
    if let reasonAgainstWriting { throw Self.readOnly(path, reasonAgainstWriting) }
    do {
      return try HeldLocks.during { try queue.write(transaction) }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Switches the file to WAL, unless it uses WAL already.
  ///
  /// GRDB could do this, but it would switch before the file is checked, would write a table to the
  /// file, and would set `synchronous` to NORMAL.
  private static func useLog(_ queue: DatabaseQueue) throws {
    let mode = try queue.inDatabase {
      try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
    }
    guard mode == "wal" else {
      throw DatabaseError(message: "the file system cannot share a write-ahead log")
    }
  }

  /// Returns `true` if all migrations have been applied to the tables.
  ///
  /// - Throws: `StorageFailed` if the file was written by a newer version or by another program, or
  ///   if it is truncated.
  static func isCurrent(
    _ queue: DatabaseQueue, _ migrations: DatabaseMigrator, at place: DatabasePlace,
    look: DatabasePlace.Look?
  ) throws -> Bool {
    let path = place.path
    return try queue.read { database in
      let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size")
      try place.refuseCut(look, pageSize: pageSize ?? 0)
      guard try !migrations.hasBeenSuperseded(database) else {
        throw Failure(
          .storageFailed, "'\(path)' was written by a newer version", kind: .newerSchema,
          input: path,
          nextStep: "upgrade agentpipes, or use another folder with AGENTPIPES_HOME")
      }
      if try migrations.hasCompletedMigrations(database) { return true }
      let strangers = """
        SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table'
          AND name <> 'grdb_migrations' AND name NOT LIKE 'sqlite_%')
        """
      if try migrations.appliedIdentifiers(database).isEmpty,
        try Bool.fetchOne(database, sql: strangers) == true
      {
        throw Failure(
          .storageFailed, "'\(path)' is a database of another program", kind: .corrupt,
          input: path)
      }
      return false
    }
  }

  /// Returns the failure that describes the given error.
  ///
  /// An error of SQLite is converted. A failure is returned unchanged.
  package static func failure(_ error: any Error, _ path: String) -> Failure {
    if let failure = error as? Failure { return failure }
    let known = error as? DatabaseError
    let isCorrupt = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(known?.resultCode)
    return Failure(
      .storageFailed, "cannot use '\(path)': \(known?.message ?? "\(error)")",
      kind: isCorrupt ? .corrupt : nil, input: path)
  }

  static func readOnly(_ path: String, _ reason: String) -> Failure {
    Failure(.storageFailed, "cannot write '\(path)': \(reason)", kind: .readOnly, input: path)
  }
}

extension GRDB.Configuration {
  fileprivate static var forFile: GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(30)
    configuration.foreignKeysEnabled = true
    return configuration
  }
}
