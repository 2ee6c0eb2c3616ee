public import Core

extension Secrets {
  /// The endings of the names of variables that contain secrets.
  private static let endings = ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD"]

  /// Registers the values of secret variables in the given environment.
  ///
  /// The values are then masked in the log. Such variables are recognized by their names.
  public static func registerVariables(_ environment: [String: String]) {
    for (name, value) in environment where endings.contains(where: name.hasSuffix) {
      register(value)
    }
  }
}
