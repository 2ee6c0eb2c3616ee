import Core

extension FailureKind {
  /// The key that seals the file is missing.
  static let missingKey = Self(rawValue: "missingKey")
  /// Another key sealed the file.
  static let wrongKey = Self(rawValue: "wrongKey")
}
