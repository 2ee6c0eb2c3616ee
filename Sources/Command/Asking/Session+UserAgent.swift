import Core

extension Session {
  /// The value of the `User-Agent` header in requests to web servers.
  public var userAgent: String { "AgentOS/1.0 (agentpipes \(Version.current))" }
  /// The version of this program.
  public var version: String { Version.current }
}
