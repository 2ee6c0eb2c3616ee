public import Core

extension FailureKind {
  /// Text that is no CSS selector.
  public static let badSelector = Self(rawValue: "badSelector")
  /// A type of document that is not read.
  public static let unsupportedType = Self(rawValue: "unsupportedType")
}
