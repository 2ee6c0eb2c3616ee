/// The expressions that SQLite and PostgreSQL write differently, in the form of one engine.
///
/// All other SQL uses the subset that both engines share.
package struct Dialect: Sendable {
  /// A function that returns the expression for the member `name` of the JSON in the column
  /// `record`.
  ///
  /// The value of the expression is a text or a number.
  package let member: @Sendable (_ name: String) -> String
  /// A function that returns the clause, written after a table's name, that selects the index
  /// `name`.
  ///
  /// The clause is empty if the engine itself chooses a good index.
  package let index: @Sendable (_ name: String) -> String
}

extension Dialect {
  /// The expressions of SQLite.
  ///
  /// The function json_extract() returns a flag as 0 or 1. Without `INDEXED BY`, SQLite would read
  /// all rows of a kind, because it cannot estimate how few of them match.
  static let sqlite = Dialect(
    member: { "json_extract(record, '$.\($0)')" }, index: { "INDEXED BY \($0)" })
}
