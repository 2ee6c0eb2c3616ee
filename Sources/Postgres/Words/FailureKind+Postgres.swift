package import Core

extension FailureKind {
  /// A transaction that another one kept from being committed; a repetition may succeed.
  package static let busy = Self(rawValue: "busy")
  /// A commit whose answer was lost; its changes may have been stored.
  package static let commitUnknown = Self(rawValue: "unknownOutcome")
  /// A database whose tables are missing or belong to an earlier version.
  package static let olderSchema = Self(rawValue: "olderSchema")
}
