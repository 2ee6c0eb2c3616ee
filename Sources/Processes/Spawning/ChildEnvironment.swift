/// The environment of a child process.
///
/// Variables may contain secrets, so only a command that the user named gets all of them. The
/// caller chooses ``whole(_:)`` or ``ofHelper(_:)``.
public struct ChildEnvironment: Sendable, Hashable {
  /// The names of the variables that a helper program gets.
  ///
  /// They locate programs, libraries, the user's home directory, and services such as a keyring or
  /// a tmux server.
  private static let names: Set<String> = [
    "PATH", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "LANG",
    "LANGUAGE", "TMUX", "TMUX_TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
  ]
  private static let beginnings = ["LC_", "XDG_"]

  /// The values of the variables, by name.
  let variables: [String: String]

  private init(_ variables: [String: String]) { self.variables = variables }

  /// Returns an environment with all given variables, for a command that the user named.
  ///
  /// An example of such a command is `key_command`.
  public static func whole(_ environment: [String: String]) -> ChildEnvironment {
    ChildEnvironment(environment)
  }

  /// Returns an environment with only those given variables that a helper program needs.
  ///
  /// The other variables may contain secrets.
  public static func ofHelper(_ environment: [String: String]) -> ChildEnvironment {
    ChildEnvironment(
      environment.filter { name, _ in
        names.contains(name) || beginnings.contains { name.hasPrefix($0) }
      })
  }
}

extension ChildEnvironment: ExpressibleByDictionaryLiteral {
  /// Creates an environment with the given variables.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements) { $1 })
  }
}
