import Foundation
package import GRDB

/// `store.db`: plans, answers, gates and what they cost, committed before they are told.
public struct Store: Sendable {
  /// The file, for those who keep tables of their own in it.
  package let file: DatabaseFile

  /// Opens the store, and makes it where there is none.
  ///
  /// - Throws: `StorageFailed`, also where nothing can be written: nobody is to find that out after
  ///   an answer was paid for.
  public init(_ directories: Directories) throws(Failure) {
    file = try Self.file(directories, canBeReadOnly: false)
  }

  /// Opens the store if there is one; makes none.
  ///
  /// Where nothing can be written, it can be read.
  ///
  /// - Throws: `StorageFailed`.
  public init?(existingIn directories: Directories) throws(Failure) {
    let place = DatabasePlace(path: Self.path(directories))
    guard place.size != nil || place.hasLog else { return nil }
    file = try Self.file(directories, canBeReadOnly: true)
  }

  /// Opens the store for who asks how things stand, which time changes.
  ///
  /// Where nothing can be written that is worked out in a copy in memory, and forgotten.
  ///
  /// - Throws: `StorageFailed`.
  public init(forQuestionsIn directories: Directories) throws(Failure) {
    file = try Self.file(directories, canBeReadOnly: true).forQuestions()
  }

  /// The store as ``init(forQuestionsIn:)`` opens it, if there is one; makes none.
  ///
  /// - Throws: `StorageFailed`.
  public init?(forQuestionsInExisting directories: Directories) throws(Failure) {
    guard let existing = try Self(existingIn: directories) else { return nil }
    file = try existing.file.forQuestions()
  }

  private static func file(
    _ directories: Directories, canBeReadOnly: Bool
  ) throws(Failure) -> DatabaseFile {
    try DatabaseFile(
      path: path(directories), durability: .full, migrations: Migrations.store,
      canBeReadOnly: canBeReadOnly)
  }

  package static func path(_ directories: Directories) -> String {
    directories.data + "/store.db"
  }
}

/// What of a store can be reached inside a transaction.
extension Database {
  /// The one record that a query with a `record` column finds.
  package func record<Record: StreamRecord>(
    _ type: Record.Type, _ sql: String, _ arguments: StatementArguments
  ) throws -> Record? {
    try String.fetchOne(cachedStatement(sql: sql), arguments: arguments)
      .map { try Record(json: $0) }
  }

  /// All records that a query with a `record` column finds.
  package func records<Record: StreamRecord>(
    _ type: Record.Type, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [Record] {
    try String.fetchAll(cachedStatement(sql: sql), arguments: arguments)
      .map { try Record(json: $0) }
  }

  /// Runs a statement that runs often: it is compiled once a connection.
  package func run(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
