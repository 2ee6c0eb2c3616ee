public import Core

extension FailureKind {
  /// The kind of a failure about text that is not a valid CSS selector.
  public static let badSelector = Self(rawValue: "badSelector")
  /// The kind of a failure about a document type that cannot be read.
  public static let unsupportedType = Self(rawValue: "unsupportedType")
}
