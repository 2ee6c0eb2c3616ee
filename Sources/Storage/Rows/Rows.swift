package import Core

/// Access to the rows of a base inside a transaction.
///
/// Each statement is compiled once per connection. If a statement fails, the transaction must end:
/// PostgreSQL refuses all further statements and the commit.
package protocol Rows {
  /// The parameters of a statement, in the order of the `?` placeholders.
  typealias Parameters = [any RecordValueConvertible]

  /// The expressions of the engine for which the shared SQL subset has no common form.
  var dialect: Dialect { get }

  /// The current time by the clock that all users of the base share.
  var now: Timestamp { get }

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
  /// - Throws: `StorageFailed` if the statement fails; otherwise any error that `body` throws.
  func forEach(
    _ statement: String, _ parameters: Parameters, _ body: (any RecordRow) throws -> Void
  ) throws(Failure)

  /// Returns the state of the base.
  ///
  /// - Returns: The state; nil if changes made over other connections cannot be detected.
  /// - Throws: `StorageFailed` if the state cannot be read.
  func version() throws(Failure) -> RecordVersion?
}

extension Rows {
  /// Runs the given statement, which has no parameters.
  @discardableResult
  package func run(_ statement: String) throws(Failure) -> Int { try run(statement, []) }

  /// Returns the results of calling `value` with each row that the given statement finds.
  package func all<Value>(
    _ statement: String, _ parameters: Parameters = [], _ value: (any RecordRow) throws -> Value
  ) throws(Failure) -> [Value] {
    var found: [Value] = []
    try forEach(statement, parameters) { found.append(try value($0)) }
    return found
  }

  /// Returns the result of calling `value` with the first row that the given statement finds.
  ///
  /// It is nil if there is no row. The statement runs to its end, so it needs a `LIMIT` if it may
  /// find many rows.
  package func first<Value>(
    _ statement: String, _ parameters: Parameters = [], _ value: (any RecordRow) throws -> Value
  ) throws(Failure) -> Value? {
    var found: Value?
    try forEach(statement, parameters) { if found == nil { found = try value($0) } }
    return found
  }

  /// Returns the value in the first column of each row that the given statement finds.
  package func values<Value: RecordValueConvertible>(
    _ type: Value.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> [Value] {
    try all(statement, parameters) { try $0.value(at: 0, as: type) }
  }

  /// Returns the value in the first column of the first row that the given statement finds.
  ///
  /// It is nil if there is no row.
  package func value<Value: RecordValueConvertible>(
    _ type: Value.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> Value? {
    try first(statement, parameters) { try $0.value(at: 0, as: type) }
  }

  /// Returns `true` if the given statement finds at least one row.
  package func has(_ statement: String, _ parameters: Parameters = []) throws(Failure) -> Bool {
    try first(statement, parameters) { _ in } != nil
  }

  /// Returns the record in the first column of each row that the given statement finds.
  ///
  /// The column must be named `record`.
  package func records<Record: StreamRecord>(
    _ type: Record.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> [Record] {
    try all(statement, parameters) { try Record(json: $0.value(at: 0, as: String.self)) }
  }

  /// Returns the record in the first column of the first row that the given statement finds.
  ///
  /// It is nil if there is no row. The column must be named `record`.
  package func record<Record: StreamRecord>(
    _ type: Record.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> Record? {
    try first(statement, parameters) { try Record(json: $0.value(at: 0, as: String.self)) }
  }
}
