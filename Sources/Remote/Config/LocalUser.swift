/// The user here: whose files are read, and what names in them stand for.
public struct LocalUser: Sendable {
  /// The user's home.
  public var home: String
  /// The user's name on this machine.
  public var name: String
  /// What `${NAME}` stands for.
  public var environment: [String: String]

  /// Says who it is.
  public init(home: String, name: String, environment: [String: String] = [:]) {
    self.home = home
    self.name = name
    self.environment = environment
  }
}
