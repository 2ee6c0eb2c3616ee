internal import CPQ
import Core
import Storage

/// The result of a statement (PGresult).
final class PostgresResult: Sendable {
  // A result does not change after its creation, so threads may share it (libpq, "Threading").
  private nonisolated(unsafe) let pointer: OpaquePointer
  /// The number of rows.
  let count: Int
  private let columns: [Column]
  private let name: String

  private struct Column: Sendable {
    let name: String
    let type: UInt32
  }

  /// Takes ownership of the given result, whose statement succeeded.
  ///
  /// `name` is the database's name.
  init(owning pointer: OpaquePointer, of name: String) {
    (self.pointer, self.name) = (pointer, name)
    count = Int(PQntuples(pointer))
    columns = (0..<PQnfields(pointer)).map { column in
      Column(
        name: PQfname(pointer, column).map { String(cString: $0) } ?? "",
        type: PQftype(pointer, column))
    }
  }

  deinit { PQclear(pointer) }

  /// The command, with the number of its rows, such as `INSERT 0 1`.
  var command: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

  /// The number of rows that the statement inserted, updated or deleted.
  var changes: Int {
    guard ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(where: command.hasPrefix) else {
      return 0
    }
    return PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// `true` if the statement changed rows or tables.
  var hasChanged: Bool {
    changes > 0 || ["CREATE", "ALTER", "DROP", "TRUNCATE"].contains(where: command.hasPrefix)
  }

  /// Returns the position of the column with the given name; nil if there is none.
  ///
  /// The server converts names that are not quoted to lower case, so the case is ignored, as SQLite
  /// ignores it.
  func column(_ name: String) -> Int? {
    columns.firstIndex { $0.name == name }
      ?? columns.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns the value at the given position.
  func value(row: Int, column: Int) -> RecordValue {
    let (line, position) = (Int32(row), Int32(column))
    guard columns.indices.contains(column), row < count, PQgetisnull(pointer, line, position) == 0,
      let start = PQgetvalue(pointer, line, position)
    else { return .null }
    let length = Int(PQgetlength(pointer, line, position))
    return RecordValue(
      postgres: UnsafeRawBufferPointer(start: start, count: length), type: columns[column].type)
  }

  /// Returns the integer at the given position; nil if there is none.
  func integer(row: Int, column: Int) -> Int64? {
    guard row < count, case .integer(let integer) = value(row: row, column: column) else {
      return nil
    }
    return integer
  }

  /// Returns the text at the given position; nil if there is none.
  func text(row: Int, column: Int) -> String? {
    guard row < count, case .text(let text) = value(row: row, column: column) else { return nil }
    return text
  }
}

/// A row of a ``PostgresResult``.
struct PostgresRow: RecordRow {
  let result: PostgresResult
  /// The position of the row, counted from 0.
  let index: Int

  func value(ofColumn name: String) -> RecordValue? {
    result.column(name).map { result.value(row: index, column: $0) }
  }

  func value(at index: Int) -> RecordValue { result.value(row: self.index, column: index) }
}
