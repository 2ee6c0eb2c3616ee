public import Core
import Foundation
import GRDB

/// The store `store.db`, which contains plans, answers, gates and costs.
///
/// Its changes are committed before they are reported.
public struct Store: Sendable {
  /// The database that contains the records.
  package let base: any RecordBase
  /// The path of the folder with the locks that live runners hold; nil if only leases show that a
  /// runner is alive.
  package let locks: String?

  /// Creates a store in the given base.
  package init(_ base: any RecordBase, locks: String? = nil) {
    self.base = base
    self.locks = locks
  }

  /// Opens the store in the given directories.
  ///
  /// If the store does not exist, it is created. A store that cannot be written is rejected now,
  /// before a model's answer is paid for that could not be stored.
  ///
  /// - Throws: `StorageFailed` if the store cannot be opened or written.
  public init(_ directories: Directories) throws(Failure) {
    self.init(try Self.file(directories, canBeReadOnly: false), directories)
  }

  /// Opens the store in the given directories; returns nil if it does not exist.
  ///
  /// A store that cannot be written is opened for reading.
  ///
  /// - Throws: `StorageFailed` if the store cannot be opened.
  public init?(existingIn directories: Directories) throws(Failure) {
    let place = DatabasePlace(path: Self.path(directories))
    guard place.size != nil || place.hasLog else { return nil }
    self.init(try Self.file(directories, canBeReadOnly: true), directories)
  }

  /// Opens the store for queries about the current state, which itself changes records over time.
  ///
  /// If the store cannot be written, these changes are made in a temporary copy in memory.
  ///
  /// - Throws: `StorageFailed` if the store cannot be opened.
  public init(forQuestionsIn directories: Directories) throws(Failure) {
    let file = try Self.file(directories, canBeReadOnly: true)
    self.init(try file.forQuestions(), directories)
  }

  /// Opens the store as ``init(forQuestionsIn:)`` does; returns nil if it does not exist.
  ///
  /// - Throws: `StorageFailed` if the store cannot be opened.
  public init?(forQuestionsInExisting directories: Directories) throws(Failure) {
    guard let existing = try Self(existingIn: directories) else { return nil }
    self.init(try existing.file.forQuestions(), directories)
  }

  private init(_ file: DatabaseFile, _ directories: Directories) {
    self.init(SQLiteBase(file), locks: directories.state)
  }

  private static func file(
    _ directories: Directories, canBeReadOnly: Bool
  ) throws(Failure) -> DatabaseFile {
    try DatabaseFile(
      path: path(directories), durability: .full, migrations: Migrations.store,
      canBeReadOnly: canBeReadOnly)
  }

  /// The current time by the clock that all users of the store share.
  package var now: Timestamp { base.now }

  /// The store's SQLite file, for modules whose tables are local to this machine.
  ///
  /// - Throws: `StorageFailed` if the store uses another engine.
  package var file: DatabaseFile {
    get throws(Failure) {
      guard let base = base as? SQLiteBase else {
        throw Failure(.storageFailed, "only a file of SQLite keeps this")
      }
      return base.file
    }
  }

  /// The name of the newest change of the tables that was applied; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public var schema: String? {
    get throws(Failure) {
      try file.read {
        try String.fetchOne(
          $0, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid DESC LIMIT 1")
      }
    }
  }

  /// Returns the path of the store in the given directories.
  package static func path(_ directories: Directories) -> String {
    directories.data + "/store.db"
  }
}
