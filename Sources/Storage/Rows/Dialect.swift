/// An engine's form of expressions that SQLite and PostgreSQL write differently; all other SQL is
/// the subset that they share.
package struct Dialect: Sendable {
  /// A function that returns an expression for a member of the JSON in the column `record`, as text
  /// or a number.
  package let member: @Sendable (_ name: String) -> String
  /// A function that returns a clause after a table's name that selects an index; empty if the
  /// engine chooses well by itself.
  package let index: @Sendable (_ name: String) -> String
}

extension Dialect {
  /// The expressions of SQLite.
  ///
  /// json_extract() returns a flag as 0 or 1. Without `INDEXED BY`, SQLite would read all rows of a
  /// kind, since it cannot estimate how few match.
  static let sqlite = Dialect(
    member: { "json_extract(record, '$.\($0)')" }, index: { "INDEXED BY \($0)" })
}
