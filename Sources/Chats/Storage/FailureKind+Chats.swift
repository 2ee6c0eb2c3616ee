import Core

extension FailureKind {
  /// A file that no model reads.
  static let attachmentType = Self(rawValue: "attachmentType")
  /// Another process sealed everything anew meanwhile.
  static let keyChanged = Self(rawValue: "keyChanged")
}
