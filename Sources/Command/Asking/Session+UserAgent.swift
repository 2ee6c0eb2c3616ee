import Core

extension Session {
  /// The `User-Agent` of requests to web servers.
  public var userAgent: String { "AgentOS/1.0 (agentpipes \(Version.current))" }
}
