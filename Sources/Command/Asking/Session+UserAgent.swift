import Core

extension Session {
  /// How the tools name themselves to servers of pages.
  public var userAgent: String { "AgentOS/1.0 (agentpipes \(Version.current))" }
}
