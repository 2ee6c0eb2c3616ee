import Core

extension FailureKind {
  /// The kind of a failure about a file that no model reads.
  static let attachmentType = Self(rawValue: "attachmentType")
  /// The kind of a failure that occurs because another process has rekeyed the store.
  static let keyChanged = Self(rawValue: "keyChanged")
}
