public import Core

extension FailureKind {
  /// An invalid schema, or an answer that does not match its schema.
  public static let schema = Self(rawValue: "schema")
}
