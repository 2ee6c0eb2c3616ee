import Core

extension FailureKind {
  /// A tmux program that cannot be run.
  static let notExecutable = Self(rawValue: "notExecutable")
  /// A name that no session can have.
  static let sessionName = Self(rawValue: "sessionName")
}
