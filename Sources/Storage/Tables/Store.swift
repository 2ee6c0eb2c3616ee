public import Core
import Foundation

/// `store.db`: plans, answers, gates and what they cost, committed before they are told.
public struct Store: Sendable {
  /// The records in it.
  package let base: any RecordBase
  /// The folder of the locks that living runners hold; nil where they are judged by leases alone.
  package let locks: String?

  /// A store on a base.
  package init(_ base: any RecordBase, locks: String? = nil) {
    self.base = base
    self.locks = locks
  }

  /// Opens the store, and makes it where there is none.
  ///
  /// - Throws: `StorageFailed`, also where nothing can be written: nobody is to find that out after
  ///   an answer was paid for.
  public init(_ directories: Directories) throws(Failure) {
    self.init(try Self.file(directories, canBeReadOnly: false), directories)
  }

  /// Opens the store if there is one; makes none.
  ///
  /// Where nothing can be written, it can be read.
  ///
  /// - Throws: `StorageFailed`.
  public init?(existingIn directories: Directories) throws(Failure) {
    let place = DatabasePlace(path: Self.path(directories))
    guard place.size != nil || place.hasLog else { return nil }
    self.init(try Self.file(directories, canBeReadOnly: true), directories)
  }

  /// Opens the store for who asks how things stand, which time changes.
  ///
  /// Where nothing can be written that is worked out in a copy in memory, and forgotten.
  ///
  /// - Throws: `StorageFailed`.
  public init(forQuestionsIn directories: Directories) throws(Failure) {
    let file = try Self.file(directories, canBeReadOnly: true)
    self.init(try file.forQuestions(), directories)
  }

  /// The store as ``init(forQuestionsIn:)`` opens it, if there is one; makes none.
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

  /// The file of SQLite, for those who keep tables in it that are this machine's alone.
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

  /// The path of the file in some directories.
  package static func path(_ directories: Directories) -> String {
    directories.data + "/store.db"
  }
}
