public import Core

extension FailureKind {
  /// The kind of a failure about an invalid schema, or about an answer that does not match its
  /// schema.
  public static let schema = Self(rawValue: "schema")
}
