public import Core
import Events
import Storage

/// The terminals of agents, from the configuration or from the event log.
public struct AgentTerminals: Sendable {
  private let configured: [String: Settings.AgentTerminal]
  private let directories: Directories

  /// Creates a look-up in both.
  public init(configured: [String: Settings.AgentTerminal], _ directories: Directories) {
    self.configured = configured
    self.directories = directories
  }

  /// Returns the terminal of an agent.
  ///
  /// - Parameters:
  ///   - agent: The agent's ID.
  ///   - now: The current time: a silent agent no longer counts as working in a terminal.
  /// - Returns: Its host and its session there.
  /// - Throws: `NotFound`, `StorageFailed`.
  public func terminal(
    of agent: String, at now: Timestamp
  ) throws(Failure) -> Settings.AgentTerminal {
    if let terminal = configured[agent] { return terminal }
    guard let session = try session(of: agent, at: now) else {
      throw Failure(
        .notFound,
        "agent '\(Visible.line(agent))' works in no terminal that is known: give it a host and a "
          + "session under [agents] in config.toml",
        input: agent)
    }
    return Settings.AgentTerminal(host: "localhost", session: session)
  }

  /// Returns the agent's session on this machine, from the event log.
  private func session(of agent: String, at now: Timestamp) throws(Failure) -> String? {
    guard let store = try Store(existingIn: directories),
      let journal = try EventJournal(existingIn: directories)
    else { return nil }
    try Watcher(store: store, journal: journal).catchUp(at: now)
    return try Standing(store, at: now).terminal(ofAgent: agent)
  }
}
