package import Core

/// The rows of a base inside a transaction; each statement is compiled once per connection.
package protocol Rows {
  /// Parameters of a statement, in the order of its `?`.
  typealias Parameters = [any RecordValueConvertible]

  /// The engine's form of expressions outside the shared subset.
  var dialect: Dialect { get }

  /// Runs a statement.
  ///
  /// - Returns: The number of rows that it inserted, updated or deleted.
  /// - Throws: `StorageFailed`.
  @discardableResult
  func run(_ statement: String, _ parameters: Parameters) throws(Failure) -> Int

  /// Runs a statement and passes on the rows that it finds, one by one.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - parameters: The statement's parameters.
  ///   - body: A function that receives a row, whose columns can be read until it returns. It may
  ///     run other statements, but not the same one.
  /// - Throws: `StorageFailed`, and the errors of `body`.
  func forEach(
    _ statement: String, _ parameters: Parameters, _ body: (any RecordRow) throws -> Void
  ) throws(Failure)

  /// Returns the state of the base; nil if changes by others cannot be detected.
  ///
  /// - Throws: `StorageFailed`.
  func version() throws(Failure) -> RecordVersion?
}

extension Rows {
  /// Runs a statement without parameters.
  @discardableResult
  package func run(_ statement: String) throws(Failure) -> Int { try run(statement, []) }

  /// Returns all rows that a statement finds.
  package func all<Value>(
    _ statement: String, _ parameters: Parameters = [], _ value: (any RecordRow) throws -> Value
  ) throws(Failure) -> [Value] {
    var found: [Value] = []
    try forEach(statement, parameters) { found.append(try value($0)) }
    return found
  }

  /// Returns the first row that a statement finds; nil if it finds none.
  ///
  /// The statement runs to its end: if it may find many rows, it must set a limit.
  package func first<Value>(
    _ statement: String, _ parameters: Parameters = [], _ value: (any RecordRow) throws -> Value
  ) throws(Failure) -> Value? {
    var found: Value?
    try forEach(statement, parameters) { if found == nil { found = try value($0) } }
    return found
  }

  /// Returns the first column of all rows.
  package func values<Value: RecordValueConvertible>(
    _ type: Value.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> [Value] {
    try all(statement, parameters) { try $0.value(at: 0, as: type) }
  }

  /// Returns the first column of the first row; nil if there is no row.
  package func value<Value: RecordValueConvertible>(
    _ type: Value.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> Value? {
    try first(statement, parameters) { try $0.value(at: 0, as: type) }
  }

  /// Returns `true` if a statement finds a row.
  package func has(_ statement: String, _ parameters: Parameters = []) throws(Failure) -> Bool {
    try first(statement, parameters) { _ in } != nil
  }

  /// Returns all records that a query with the first column `record` finds.
  package func records<Record: StreamRecord>(
    _ type: Record.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> [Record] {
    try all(statement, parameters) { try Record(json: $0.value(at: 0, as: String.self)) }
  }

  /// Returns the first record that a query with the first column `record` finds.
  package func record<Record: StreamRecord>(
    _ type: Record.Type, _ statement: String, _ parameters: Parameters = []
  ) throws(Failure) -> Record? {
    try first(statement, parameters) { try Record(json: $0.value(at: 0, as: String.self)) }
  }
}
