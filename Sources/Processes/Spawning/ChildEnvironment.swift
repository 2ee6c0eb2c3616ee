/// The environment that a child process gets.
///
/// Whoever starts one has to say whose choice it was: only a command that the user named gets all
/// variables, and so the secrets in them.
public struct ChildEnvironment: Sendable, Hashable {
  /// What finds programs and libraries, tells them who and where the user is, and reaches the user's
  /// own services: a desktop's keyring, a tmux server.
  private static let names: Set<String> = [
    "PATH", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "LANG",
    "LANGUAGE", "TMUX", "TMUX_TMPDIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
  ]
  private static let beginnings = ["LC_", "XDG_"]

  /// The variables, by name.
  let variables: [String: String]

  private init(_ variables: [String: String]) { self.variables = variables }

  /// That of a command which the user named, such as `key_command`: all of it.
  public static func whole(_ environment: [String: String]) -> ChildEnvironment {
    ChildEnvironment(environment)
  }

  /// That of a program which a tool chose itself: what such programs need, and nothing unknown, which
  /// may be a secret.
  public static func ofHelper(_ environment: [String: String]) -> ChildEnvironment {
    ChildEnvironment(
      environment.filter { name, _ in
        names.contains(name) || beginnings.contains { name.hasPrefix($0) }
      })
  }
}

extension ChildEnvironment: ExpressibleByDictionaryLiteral {
  /// One that consists of these variables.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements) { $1 })
  }
}
