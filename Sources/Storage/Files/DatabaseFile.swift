package import Core
import Foundation
package import GRDB

/// One SQLite file that many processes read and write at once: WAL, foreign keys, a busy timeout.
///
/// Where nothing can be written it is read as it is; see ``init(reading:migrations:)``.
package struct DatabaseFile: Sendable {
  /// How much a commit waits for.
  package enum Durability: String {
    /// The disk: what was committed survives a power cut, and is not begun anew in silence.
    case full = "FULL"
    /// The kernel: what was committed survives the process.
    case normal = "NORMAL"
  }

  /// Its path.
  package let path: String
  /// SQLite's one connection to it, for what is no query.
  package let queue: DatabaseQueue
  let migrations: DatabaseMigrator
  /// Why nothing can be written; nil where it can.
  package let reasonAgainstWriting: String?
  /// Whether all is read over one connection, which sees what others change.
  package var keepsConnection: Bool { look == nil }
  /// How the file looked when it was opened as one that nobody changes.
  let look: DatabasePlace.Look?

  /// Opens the file, makes it where there is none, and brings its tables up to date.
  ///
  /// Processes that start at once on a new file take turns: switching a file to WAL fails while
  /// another process does the same, and SQLite calls no busy handler for that.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - durability: How much a commit waits for.
  ///   - migrations: What makes its tables.
  ///   - canBeReadOnly: Whether a file is of use where nothing can be written.
  /// - Throws: `StorageFailed`.
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

  /// Takes what was opened.
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

  /// Runs a query; where nothing can be written, once more when the file has changed meanwhile.
  ///
  /// - Throws: `StorageFailed`, or the failure that the query threw.
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

  /// Runs a transaction, which is committed when this returns.
  ///
  /// - Throws: `StorageFailed`, or the failure that the transaction threw; nothing is kept then.
  package func write<Value>(_ transaction: (Database) throws -> Value) throws(Failure) -> Value {
    if let reasonAgainstWriting { throw Self.readOnly(path, reasonAgainstWriting) }
    do {
      return try HeldLocks.during { try queue.write(transaction) }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Switches the file to WAL, where it is not.
  ///
  /// GRDB would do it before one could see whether the file is to be refused, would write a table to
  /// it for that, and would set `synchronous` to NORMAL.
  private static func useLog(_ queue: DatabaseQueue) throws {
    let mode = try queue.inDatabase {
      try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
    }
    guard mode == "wal" else {
      throw DatabaseError(message: "the file system cannot share a write-ahead log")
    }
  }

  /// Whether the tables are those that the migrations make.
  ///
  /// - Throws: `StorageFailed` for a file of a newer version, or of another program, or a part of one.
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
          .storageFailed,
          "'\(path)' was written by a newer version: upgrade agentpipes, or use another folder with "
            + "AGENTPIPES_HOME", kind: .newerSchema, input: path)
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

  /// What an error of SQLite comes to; a failure stays as it is.
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
