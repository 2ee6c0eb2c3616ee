public import Core

extension FailureKind {
  /// Text that is not a valid CSS selector.
  public static let badSelector = Self(rawValue: "badSelector")
  /// A document type that cannot be read.
  public static let unsupportedType = Self(rawValue: "unsupportedType")
}
