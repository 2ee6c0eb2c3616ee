public import Core

extension FailureKind {
  /// There is no such program.
  public static let noProgram = Self(rawValue: "noProgram")
  /// The program cannot be run.
  public static let notRunnable = Self(rawValue: "notRunnable")
}
