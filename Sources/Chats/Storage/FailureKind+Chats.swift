import Core

extension FailureKind {
  /// A file that no model reads.
  static let attachmentType = Self(rawValue: "attachmentType")
  /// A rekeying by another process meanwhile.
  static let keyChanged = Self(rawValue: "keyChanged")
}
