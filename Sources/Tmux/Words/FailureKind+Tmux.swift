import Core

extension FailureKind {
  /// tmux cannot be run.
  static let notExecutable = Self(rawValue: "notExecutable")
  /// No session can have the name.
  static let sessionName = Self(rawValue: "sessionName")
}
