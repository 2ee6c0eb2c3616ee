/// The local user: the owner of the configuration, with the values of its tokens.
public struct LocalUser: Sendable {
  /// The user's home.
  public var home: String
  /// The user's name on this machine.
  public var name: String
  /// The values of `${NAME}`.
  public var environment: [String: String]

  /// Creates the user.
  public init(home: String, name: String, environment: [String: String] = [:]) {
    self.home = home
    self.name = name
    self.environment = environment
  }
}
