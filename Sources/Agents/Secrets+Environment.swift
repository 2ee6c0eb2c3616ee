public import Core

extension Secrets {
  /// The suffixes of the names of variables that contain secrets.
  private static let endings = ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD"]

  /// Registers the values of secret variables in the given environment, so that they are masked in
  /// the log.
  ///
  /// Variables are recognized by their names.
  public static func registerVariables(_ environment: [String: String]) {
    for (name, value) in environment where endings.contains(where: name.hasSuffix) {
      register(value)
    }
  }
}
