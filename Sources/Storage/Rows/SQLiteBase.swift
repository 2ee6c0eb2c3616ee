package import Core
import Foundation
package import GRDB

/// A record base in a SQLite file.
package struct SQLiteBase: RecordBase {
  /// The SQLite file.
  package let file: DatabaseFile

  /// Creates a base in the given file.
  package init(_ file: DatabaseFile) { self.file = file }

  package func read<Value>(_ query: (any Rows) throws -> Value) throws(Failure) -> Value {
    try file.read { try query(file.rows($0)) }
  }

  package func write<Value>(_ transaction: (any Rows) throws -> Value) throws(Failure) -> Value {
    try file.write { try transaction(file.rows($0)) }
  }

  /// Starts to watch the file's folder, which changes with every commit of any process.
  package func wakeUp(_ interruption: Interruption) throws(Failure) -> RecordWait {
    let folder = (file.path as NSString).deletingLastPathComponent
    let watch = try FileWatch(folder: folder, interruption: interruption)
    return { (milliseconds) throws(Failure) in try watch.hasChanged(within: milliseconds) }
  }

  package var now: Timestamp { .now }
}

extension DatabaseFile {
  /// Returns the rows of this file inside the given transaction.
  package func rows(_ database: Database) -> any Rows {
    SQLiteRows(database: database, path: path, keepsConnection: look == nil)
  }
}

extension Database {
  /// Runs a frequently used statement, which is compiled once per connection.
  package func run(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Returns the first record that the given query finds in the column `record`; nil if there is
  /// none.
  package func record<Record: StreamRecord>(
    _ type: Record.Type, _ sql: String, _ arguments: StatementArguments
  ) throws -> Record? {
    try String.fetchOne(cachedStatement(sql: sql), arguments: arguments)
      .map { try Record(json: $0) }
  }

  /// Returns all records that the given query finds in the column `record`.
  package func records<Record: StreamRecord>(
    _ type: Record.Type, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [Record] {
    try String.fetchAll(cachedStatement(sql: sql), arguments: arguments)
      .map { try Record(json: $0) }
  }
}

/// The rows of a SQLite file inside a transaction.
private struct SQLiteRows: Rows {
  let database: Database
  let path: String
  /// `true` if all transactions use one connection, so that its counters reveal every change.
  let keepsConnection: Bool

  var dialect: Dialect { .sqlite }
  var now: Timestamp { .now }

  func run(_ statement: String, _ parameters: Parameters) throws(Failure) -> Int {
    try attempt {
      let prepared = try database.cachedStatement(sql: statement)
      try prepared.execute(arguments: arguments(parameters))
      return database.changesCount
    }
  }

  func forEach(
    _ statement: String, _ parameters: Parameters, _ body: (any RecordRow) throws -> Void
  ) throws(Failure) {
    try attempt {
      let prepared = try database.cachedStatement(sql: statement)
      let rows = try Row.fetchCursor(prepared, arguments: arguments(parameters))
      while let row = try rows.next() { try body(SQLiteRow(row: row)) }
    }
  }

  /// Returns the numbers of changes made over this and other connections.
  ///
  /// See https://sqlite.org/pragma.html#pragma_data_version.
  func version() throws(Failure) -> RecordVersion? {
    guard keepsConnection else { return nil }
    let others = try value(Int.self, "PRAGMA data_version")
    return RecordVersion(others: others ?? 0, ours: database.totalChangesCount)
  }

  /// Returns the given parameters as the arguments of a statement.
  ///
  /// The elements have an existential type. For a concrete type, GRDB would create a key path on
  /// each call.
  private func arguments(_ parameters: Parameters) -> StatementArguments {
    StatementArguments(
      parameters.lazy.map { $0.recordValue.databaseValue as (any DatabaseValueConvertible)? })
  }

  private func attempt<Value>(_ work: () throws -> Value) throws(Failure) -> Value {
    do {
      return try work()
    } catch {
      throw DatabaseFile.failure(error, path)
    }
  }
}

/// A row of SQLite.
private struct SQLiteRow: RecordRow {
  let row: Row

  func value(ofColumn name: String) -> RecordValue? {
    row.hasColumn(name) ? RecordValue(row[name]) : nil
  }

  func value(at index: Int) -> RecordValue { RecordValue(row[index]) }
}

extension RecordValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let integer): self = .integer(integer)
    case .double(let real): self = .real(real)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .blob(Array(data))
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): integer.databaseValue
    case .real(let real): real.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}
