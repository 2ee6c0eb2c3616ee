public import Core

extension FailureKind {
  /// The key that seals the file is missing.
  public static let missingKey = Self(rawValue: "missingKey")
  /// Another key sealed the file.
  public static let wrongKey = Self(rawValue: "wrongKey")
}
