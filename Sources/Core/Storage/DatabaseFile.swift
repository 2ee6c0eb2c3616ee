import Foundation
import GRDB

/// One SQLite file that many processes read and write at once: WAL, foreign keys, a busy timeout.
struct DatabaseFile: Sendable {
  /// How much a commit waits for.
  enum Durability: String {
    /// The disk: what was committed survives a power cut.
    case full = "FULL"
    /// The kernel: what was committed survives the process.
    case normal = "NORMAL"
  }

  let path: String
  private let queue: DatabaseQueue

  /// Opens the file, makes it where there is none, and brings its tables up to date.
  ///
  /// Processes that start at once on a new file take turns: switching a file to WAL fails while
  /// another process does the same, and SQLite calls no busy handler for that.
  ///
  /// - Throws: `StorageFailed`.
  init(path: String, durability: Durability, migrations: DatabaseMigrator) throws(Failure) {
    self.path = path
    try Directories.make((path as NSString).deletingLastPathComponent)
    let lock = try FileLock.waiting(for: path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    var configuration = GRDB.Configuration.forFile
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA synchronous=\(durability.rawValue)")
    }
    do {
      if access(path, F_OK) != 0 { close(open(path, O_CREAT | O_CLOEXEC, 0o600)) }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      let isCurrent = try queue.read { try migrations.hasCompletedMigrations($0) }
      if !isCurrent { try migrations.migrate(queue) }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Runs a query.
  ///
  /// - Throws: `StorageFailed`, or the failure that the query threw.
  func read<Value>(_ query: (Database) throws -> Value) throws(Failure) -> Value {
    do {
      return try HeldLocks.during { try queue.read(query) }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Runs a transaction, which is committed when this returns.
  ///
  /// - Throws: `StorageFailed`, or the failure that the transaction threw; nothing is kept then.
  func write<Value>(_ transaction: (Database) throws -> Value) throws(Failure) -> Value {
    do {
      return try HeldLocks.during { try queue.write(transaction) }
    } catch {
      throw Self.failure(error, path)
    }
  }

  static func failure(_ error: any Error, _ path: String) -> Failure {
    if let failure = error as? Failure { return failure }
    let known = error as? DatabaseError
    let isCorrupt = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(known?.resultCode)
    return Failure(
      .storageFailed, "cannot use '\(path)': \(known?.message ?? "\(error)")",
      kind: isCorrupt ? "corrupt" : nil, input: path)
  }
}

extension GRDB.Configuration {
  fileprivate static var forFile: GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(30)
    configuration.foreignKeysEnabled = true
    return configuration
  }
}
