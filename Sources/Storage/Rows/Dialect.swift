/// The SQL expressions that SQLite and PostgreSQL write differently, in the form for one of them.
///
/// All other SQL uses the subset that both engines share.
package struct Dialect: Sendable {
  /// A function that returns the SQL expression for a member of the JSON in the column `record`.
  ///
  /// `name` is the member's name. Statements may compare the value with texts only: a number or a
  /// flag is a number in SQLite and a text in PostgreSQL.
  package let member: @Sendable (_ name: String) -> String
  /// A function that returns the clause that makes a query use the index with the given name.
  ///
  /// The clause follows the table's name. It is empty if the engine itself chooses a good index.
  package let index: @Sendable (_ name: String) -> String
}

extension Dialect {
  /// The expressions of SQLite.
  ///
  /// The function json_extract() returns a flag as 0 or 1. `INDEXED BY` is needed because SQLite
  /// cannot estimate how few rows of a kind match, and would read all of them.
  static let sqlite = Dialect(
    member: { "json_extract(record, '$.\($0)')" }, index: { "INDEXED BY \($0)" })

  /// The expressions of PostgreSQL.
  ///
  /// The operator `->>` returns every member as a text, and a flag as `true` or `false`. It fails if
  /// any member contains U+0000, which is therefore replaced.
  package static let postgres = Dialect(
    member: { #"(replace(record, '\u0000', '\uFFFD')::json ->> '\#($0)')"# }, index: { _ in "" })
}
