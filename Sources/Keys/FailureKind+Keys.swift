public import Core

extension FailureKind {
  /// The kind of a failure about a missing seal key.
  public static let missingKey = Self(rawValue: "missingKey")
  /// The kind of a failure about a file that was sealed under another key.
  public static let wrongKey = Self(rawValue: "wrongKey")
}
