import Core

extension FailureKind {
  /// The kind of a failure about a file that no model reads.
  static let attachmentType = Self(rawValue: "attachmentType")
  /// The kind of a failure that occurs because another process has rekeyed the store.
  static let keyChanged = Self(rawValue: "keyChanged")
  /// The kind of the failure of a tool call that was not sent.
  static let notSent = Self(rawValue: "notSent")
  /// The kind of the failure of a tool call that was sent and may have been carried out.
  static let unknownOutcome = Self(rawValue: "unknownOutcome")
}
