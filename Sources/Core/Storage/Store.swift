import Foundation
import GRDB

/// `store.db`: plans, answers, gates and what they cost, committed before they are told.
public struct Store: Sendable {
  let file: DatabaseFile

  /// Opens the store, and makes it where there is none.
  ///
  /// - Throws: `StorageFailed`.
  public init(_ directories: Directories) throws(Failure) {
    file = try DatabaseFile(
      path: Self.path(directories), durability: .full, migrations: Migrations.store)
  }

  /// Opens the store if there is one; makes none.
  ///
  /// - Throws: `StorageFailed`.
  public init?(existingIn directories: Directories) throws(Failure) {
    guard access(Self.path(directories), F_OK) == 0 else { return nil }
    try self.init(directories)
  }

  private static func path(_ directories: Directories) -> String {
    directories.data + "/store.db"
  }
}

/// What of a store can be reached inside a transaction.
extension Database {
  /// The one record that a query with a `record` column finds.
  func record<Record: StreamRecord>(
    _ type: Record.Type, _ sql: String, _ arguments: StatementArguments
  ) throws -> Record? {
    try String.fetchOne(cachedStatement(sql: sql), arguments: arguments)
      .map { try Record(json: $0) }
  }

  /// All records that a query with a `record` column finds.
  func records<Record: StreamRecord>(
    _ type: Record.Type, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [Record] {
    try String.fetchAll(cachedStatement(sql: sql), arguments: arguments)
      .map { try Record(json: $0) }
  }

  /// Runs a statement that runs often: it is compiled once a connection.
  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
