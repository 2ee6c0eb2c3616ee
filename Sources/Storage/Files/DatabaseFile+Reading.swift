import Core
import Foundation
import GRDB

extension DatabaseFile {
  /// The maximum number of attempts to run a query while the file keeps changing.
  private static let attempts = 3

  /// Opens a file that this process cannot write (https://sqlite.org/wal.html, section 5).
  ///
  /// A file without a write-ahead log is opened as immutable. Each query then checks if the file
  /// has changed. A file with a write-ahead log needs existing shared memory, because SQLite cannot
  /// create it there. Tables of an older version are migrated in a copy in memory. If the file does
  /// not exist, the copy is empty.
  ///
  /// - Throws: `StorageFailed` if the file cannot be opened. The failure has the kind `readOnly` if
  ///   the shared memory is missing.
  init(
    reading place: DatabasePlace, because reason: String, migrations: DatabaseMigrator
  ) throws(Failure) {
    do {
      guard let look = place.look, !place.isEmpty else {
        let queue = try Self.inMemory()
        try migrations.migrate(queue)
        self.init(path: place.path, queue: queue, migrations: migrations, readOnlyBecause: reason)
        return
      }
      let isUnchanging = !look.hasLog
      guard isUnchanging || place.hasSharedMemory else { throw Self.needsFolder(place, reason) }
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(30)
      let queue = try DatabaseQueue(
        path: isUnchanging ? place.unchangingName : place.path, configuration: configuration)
      if try Self.isCurrent(queue, migrations, at: place, look: look) {
        self.init(
          path: place.path, queue: queue, migrations: migrations, readOnlyBecause: reason,
          look: isUnchanging ? look : nil)
      } else {
        let copy = try Self.copy(queue, migrations)
        self.init(path: place.path, queue: copy, migrations: migrations, readOnlyBecause: reason)
      }
    } catch {
      throw Self.failure(error, place.path)
    }
  }

  /// Returns this file if it can be written; otherwise returns a temporary, writable copy in
  /// memory.
  ///
  /// - Throws: `StorageFailed` if the file cannot be copied.
  func forQuestions() throws(Failure) -> DatabaseFile {
    guard reasonAgainstWriting != nil else { return self }
    do {
      return DatabaseFile(
        path: path, queue: try Self.copy(queue, migrations), migrations: migrations,
        readOnlyBecause: nil)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Runs a query on a file that was opened as immutable.
  ///
  /// If the file changed during the query, the query is repeated. SQLite takes no locks on such a
  /// file and does not notice changes. Data that was read while another process wrote may therefore
  /// be inconsistent.
  func readUnchanging<Value>(
    _ look: DatabasePlace.Look, _ query: (Database) throws -> Value
  ) throws(Failure) -> Value {
    let place = DatabasePlace(path: path)
    var (file, look) = (self, Optional(look))
    for _ in 0..<Self.attempts {
      let result = Result { try HeldLocks.during { try file.queue.read(query) } }
      guard let seen = look, seen != place.look else {
        do { return try result.get() } catch { throw Self.failure(error, path) }
      }
      file = try DatabaseFile(
        reading: place, because: reasonAgainstWriting ?? "", migrations: migrations)
      look = file.look
    }
    throw Failure(
      .storageFailed, "'\(path)' changed while it was read", kind: .readOnly, input: path,
      nextStep: "try again")
  }

  private static func copy(
    _ queue: DatabaseQueue, _ migrations: DatabaseMigrator
  ) throws -> DatabaseQueue {
    let copy = try inMemory()
    try queue.backup(to: copy)
    try migrations.migrate(copy)
    return copy
  }

  private static func inMemory() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = true
    return try DatabaseQueue(configuration: configuration)
  }

  private static func needsFolder(_ place: DatabasePlace, _ reason: String) -> Failure {
    Failure(
      .storageFailed,
      "cannot read '\(place.path)': its write-ahead log '\(place.path)-wal' cannot "
        + "be merged: \(reason)", kind: .readOnly,
      input: place.path, nextStep: "copy the folder to a writable place")
  }
}
