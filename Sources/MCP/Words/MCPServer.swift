public import HTTP
public import OAuth

/// A server of the Model Context Protocol, and the way to reach it.
public struct MCPServer: Sendable {
  /// The way to reach a server.
  public enum Place: Sendable {
    /// A program that is started and spoken to over its standard streams: its words, its whole
    /// environment, and its folder (nil for ours).
    case program([String], environment: [String: String], folder: String?)
    /// A URL, with fields for each request, and the login if the server asks for one.
    case web(String, fields: [HTTPField], access: OAuthAccess?)
  }

  /// The server's name, as failures mention it: `mcp:NAME`.
  public var name: String
  /// The way to reach it.
  public var place: Place
  /// The time limit of a request, which progress extends.
  public var timeout: Duration
  /// The time after which a program that does not answer the probe counts as silent.
  public var patience = Duration.seconds(5)
  /// The revision to speak; nil to find it.
  public var revision: MCPRevision?

  /// Creates a server.
  public init(
    name: String, place: Place, timeout: Duration = .seconds(60), revision: MCPRevision? = nil
  ) {
    (self.name, self.place, self.timeout, self.revision) = (name, place, timeout, revision)
  }
}
