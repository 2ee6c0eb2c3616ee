public import Core

extension Secrets {
  /// The endings of names of variables that hold secrets.
  private static let endings = ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD"]

  /// Registers the secrets of an environment, by the names of its variables, so that a command that
  /// prints one does not get it into the log.
  public static func registerVariables(_ environment: [String: String]) {
    for (name, value) in environment where endings.contains(where: name.hasSuffix) {
      register(value)
    }
  }
}
