/// The environment of a child process.
///
/// Only a command that the user named gets all variables, because they may contain secrets. The
/// caller chooses by ``whole(_:)`` or ``ofHelper(_:)``.
public struct ChildEnvironment: Sendable, Hashable {
  /// The variables that locate programs, libraries and the user's home directory, and those that
  /// helpers need to reach the user's services, such as a keyring or a tmux server.
  private static let names: Set<String> = [
    "PATH", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "LANG",
    "LANGUAGE", "TMUX", "TMUX_TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
  ]
  private static let beginnings = ["LC_", "XDG_"]

  /// The values of the variables, by name.
  let variables: [String: String]

  private init(_ variables: [String: String]) { self.variables = variables }

  /// Returns all given variables, for a command that the user named, such as `key_command`.
  public static func whole(_ environment: [String: String]) -> ChildEnvironment {
    ChildEnvironment(environment)
  }

  /// Returns only the variables that a helper program needs, because others may contain secrets.
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
