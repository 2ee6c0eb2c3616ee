package import Core

/// The rows of a base inside a transaction.
///
/// Each statement is compiled once per connection.
package protocol Rows {
  /// The parameters of a statement, in the order of the `?` in its text.
  typealias Parameters = [any RecordValueConvertible]

  /// The expressions of the engine that the shared subset of SQL lacks.
  var dialect: Dialect { get }

  /// Runs the given statement.
  ///
  /// - Returns: The number of rows that were inserted, updated or deleted.
  /// - Throws: `StorageFailed` if the statement fails.
  @discardableResult
  func run(_ statement: String, _ parameters: Parameters) throws(Failure) -> Int

  /// Runs the given statement and passes each row that it finds to `body`.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - parameters: The statement's parameters.
  ///   - body: A function that receives a row, which is valid until the function returns. The
  ///     function may run other statements, but not the same one.
  /// - Throws: `StorageFailed` if the statement fails; the errors of `body`.
  func forEach(
    _ statement: String, _ parameters: Parameters, _ body: (any RecordRow) throws -> Void
  ) throws(Failure)

  /// Returns the state of the base; nil if changes over other connections cannot be detected.
  ///
  /// - Throws: `StorageFailed` if the state cannot be read.
  func version() throws(Failure) -> RecordVersion?
}

extension Rows {
  /// Runs the given statement, which has no parameters.
  @discardableResult
  package func run(_ statement: String) throws(Failure) -> Int { try run(statement, []) }

  /// Returns the values that `value` creates from all rows that the given statement finds.
  package func all<Value>(
    _ statement: String, _ parameters: Parameters = [], _ value: (any RecordRow) throws -> Value
  ) throws(Failure) -> [Value] {
    var found: [Value] = []
    try forEach(statement, parameters) { found.append(try value($0)) }
    return found
  }

  /// Returns the value that `value` creates from the first row; nil if the statement finds no row.
  ///
  /// The statement runs to its end, so it needs a `LIMIT` if it may find many rows.
  package func first<Value>(
    _ statement: String, _ parameters: Parameters = [], _ value: (any RecordRow) throws -> Value
  ) throws(Failure) -> Value? {
    var found: Value?
    try forEach(statement, parameters) { if found == nil { found = try value($0) } }
    return found
  }

  /// Returns the values in the first column of all rows that the given statement finds.
  package func values<Value: RecordValueConvertible>(
    _ type: Value.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> [Value] {
    try all(statement, parameters) { try $0.value(at: 0, as: type) }
  }

  /// Returns the value in the first column of the first row; nil if the statement finds no row.
  package func value<Value: RecordValueConvertible>(
    _ type: Value.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> Value? {
    try first(statement, parameters) { try $0.value(at: 0, as: type) }
  }

  /// Returns `true` if the given statement finds a row.
  package func has(_ statement: String, _ parameters: Parameters = []) throws(Failure) -> Bool {
    try first(statement, parameters) { _ in } != nil
  }

  /// Returns the records in the first column, which is named `record`, of all rows that are found.
  package func records<Record: StreamRecord>(
    _ type: Record.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> [Record] {
    try all(statement, parameters) { try Record(json: $0.value(at: 0, as: String.self)) }
  }

  /// Returns the record in the first column, which is named `record`, of the first row; nil without
  /// a row.
  package func record<Record: StreamRecord>(
    _ type: Record.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> Record? {
    try first(statement, parameters) { try Record(json: $0.value(at: 0, as: String.self)) }
  }
}
