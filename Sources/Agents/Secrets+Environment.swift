public import Core

extension Secrets {
  /// What the names of variables that hold secrets end with.
  private static let endings = ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD"]

  /// Remembers the secrets of an environment, by the names of the variables: a command that prints one
  /// must not get it into the log.
  public static func registerVariables(_ environment: [String: String]) {
    for (name, value) in environment where endings.contains(where: name.hasSuffix) {
      register(value)
    }
  }
}
