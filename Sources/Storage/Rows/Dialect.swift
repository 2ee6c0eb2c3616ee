/// An engine's own form of what SQLite and PostgreSQL say differently; all other SQL is the subset
/// that they share.
package struct Dialect: Sendable {
  /// A member of the JSON object in the column `record`, as a text, an integer or a real number.
  package let member: @Sendable (_ name: String) -> String
  /// A clause behind a table's name that has an index used; empty where the engine chooses well by
  /// itself.
  package let index: @Sendable (_ name: String) -> String
}

extension Dialect {
  /// The forms of SQLite.
  ///
  /// json_extract() tells a flag as 0 or 1. Without `INDEXED BY` it would read all of a
  /// kind, since it does not know how few rows are found.
  static let sqlite = Dialect(
    member: { "json_extract(record, '$.\($0)')" }, index: { "INDEXED BY \($0)" })
}
