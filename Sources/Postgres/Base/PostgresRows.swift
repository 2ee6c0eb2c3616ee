import Core
import Storage

/// The rows of a database inside a transaction.
final class PostgresRows: Rows {
  /// The database's time, at which the transaction began.
  let now: Timestamp
  private let connection: PostgresConnection
  /// `true` if the transaction changed something.
  private(set) var hasChanged = false
  /// `true` if the transaction changed something that is not counted yet.
  private var hasUncounted = false

  /// Creates the rows for the transaction that the given connection began.
  init(_ connection: PostgresConnection, at now: Timestamp) {
    (self.connection, self.now) = (connection, now)
  }

  var dialect: Dialect { .postgres }

  func run(_ statement: String, _ parameters: Parameters) throws(Failure) -> Int {
    try result(statement, parameters).changes
  }

  func forEach(
    _ statement: String, _ parameters: Parameters, _ body: (any RecordRow) throws -> Void
  ) throws(Failure) {
    let result = try result(statement, parameters)
    do {
      for index in 0..<result.count { try body(PostgresRow(result: result, index: index)) }
    } catch {
      throw PostgresError.failure(error, connection.address.name)
    }
  }

  /// Returns the number of committed changes, as this transaction sees it.
  ///
  /// The transaction's own changes are counted first.
  func version() throws(Failure) -> RecordVersion? {
    if hasUncounted {
      try connection.run(PostgresSchema.countChange)
      hasUncounted = false
    }
    let count = try value(Int.self, "SELECT value FROM changeCount")
    return RecordVersion(others: count ?? 0, ours: 0)
  }

  /// Returns the statements that commit a transaction with changes and notify listeners.
  ///
  /// - Parameter mark: The mark by which a commit whose answer is lost is looked up.
  /// - Returns: The statements.
  func commitScript(marking mark: String) -> String {
    (hasUncounted ? PostgresSchema.countChange + "; " : "")
      + "\(PostgresSchema.setMark(mark)); NOTIFY \(PostgresChannel.records.rawValue); COMMIT"
  }

  private func result(
    _ statement: String, _ parameters: Parameters
  ) throws(Failure) -> PostgresResult {
    let result = try connection.run(statement, parameters.map { $0.recordValue })
    if result.hasChanged { (hasChanged, hasUncounted) = (true, true) }
    return result
  }
}
