public import Core

extension FailureKind {
  /// A program that does not exist.
  public static let noProgram = Self(rawValue: "noProgram")
  /// A program that exists but cannot be run.
  public static let notRunnable = Self(rawValue: "notRunnable")
}
