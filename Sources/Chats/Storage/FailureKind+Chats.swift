import Core

extension FailureKind {
  /// Another process sealed everything anew meanwhile.
  static let keyChanged = Self(rawValue: "keyChanged")
}
