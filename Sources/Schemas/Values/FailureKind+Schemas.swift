public import Core

extension FailureKind {
  /// A schema is malformed or asks for what is not supported, or an answer does not fit its schema.
  public static let schema = Self(rawValue: "schema")
}
