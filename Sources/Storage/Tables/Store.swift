public import Core
import Foundation

/// The store `store.db`: plans, answers, gates and costs, committed before they are reported.
public struct Store: Sendable {
  /// The underlying record base.
  package let base: any RecordBase
  /// The folder of the locks that living runners hold; nil if only leases decide.
  package let locks: String?

  /// Creates a store on a base.
  package init(_ base: any RecordBase, locks: String? = nil) {
    self.base = base
    self.locks = locks
  }

  /// Opens the store, and creates it if needed.
  ///
  /// - Throws: `StorageFailed`, also if the store cannot be written: that must not surface after an
  ///   answer has been paid for.
  public init(_ directories: Directories) throws(Failure) {
    self.init(try Self.file(directories, canBeReadOnly: false), directories)
  }

  /// Opens the store if it exists; does not create it.
  ///
  /// If the store cannot be written, it can still be read.
  ///
  /// - Throws: `StorageFailed`.
  public init?(existingIn directories: Directories) throws(Failure) {
    let place = DatabasePlace(path: Self.path(directories))
    guard place.size != nil || place.hasLog else { return nil }
    self.init(try Self.file(directories, canBeReadOnly: true), directories)
  }

  /// Opens the store for queries about the current state, which changes with time.
  ///
  /// If the store cannot be written, such changes are computed in a temporary copy in memory.
  ///
  /// - Throws: `StorageFailed`.
  public init(forQuestionsIn directories: Directories) throws(Failure) {
    let file = try Self.file(directories, canBeReadOnly: true)
    self.init(try file.forQuestions(), directories)
  }

  /// Opens the store as ``init(forQuestionsIn:)`` does, if it exists; does not create it.
  ///
  /// - Throws: `StorageFailed`.
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

  /// The SQLite file, for modules with tables that belong to this machine only.
  ///
  /// - Throws: `StorageFailed` for a store of another engine.
  package var file: DatabaseFile {
    get throws(Failure) {
      guard let base = base as? SQLiteBase else {
        throw Failure(.storageFailed, "only a file of SQLite keeps this")
      }
      return base.file
    }
  }

  /// Returns the path of the store in some directories.
  package static func path(_ directories: Directories) -> String {
    directories.data + "/store.db"
  }
}
