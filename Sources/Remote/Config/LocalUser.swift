/// The local user: the owner of the ssh configuration.
///
/// Its tokens are expanded with the user's data.
public struct LocalUser: Sendable {
  /// The user's home directory.
  public var home: String
  /// The user's name on this machine.
  public var name: String
  /// The environment variables, for `${NAME}`.
  public var environment: [String: String]

  /// Creates the user.
  public init(home: String, name: String, environment: [String: String] = [:]) {
    self.home = home
    self.name = name
    self.environment = environment
  }
}
