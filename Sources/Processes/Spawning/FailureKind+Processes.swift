public import Core

extension FailureKind {
  /// The kind of a failure about a program that does not exist.
  public static let noProgram = Self(rawValue: "noProgram")
  /// The kind of a failure about a program that exists but cannot be run.
  public static let notRunnable = Self(rawValue: "notRunnable")
}
