public import Core
import Events
import Storage

/// Where the terminals of agents are: in the configuration, or as the agents told the event log.
public struct AgentTerminals: Sendable {
  private let configured: [String: Settings.AgentTerminal]
  private let directories: Directories

  /// Looks in both.
  public init(configured: [String: Settings.AgentTerminal], _ directories: Directories) {
    self.configured = configured
    self.directories = directories
  }

  /// The terminal that an agent works in.
  ///
  /// - Parameters:
  ///   - agent: The agent's id.
  ///   - now: The present: an agent that was not heard of for long works in none.
  /// - Returns: Its host and its session there.
  /// - Throws: `NotFound`, `StorageFailed`.
  public func terminal(
    of agent: String, at now: Timestamp
  ) throws(Failure) -> Settings.AgentTerminal {
    if let terminal = configured[agent] { return terminal }
    guard let session = try session(of: agent, at: now) else {
      throw Failure(
        .notFound,
        "agent '\(Visible.line(agent))' has no known terminal: set its host and "
          + "session under [agents] in config.toml",
        input: agent)
    }
    return Settings.AgentTerminal(host: "localhost", session: session)
  }

  /// The session of this machine that an agent works in, as it told the event log.
  private func session(of agent: String, at now: Timestamp) throws(Failure) -> String? {
    guard let store = try Store(existingIn: directories),
      let journal = try EventJournal(existingIn: directories)
    else { return nil }
    try Watcher(store: store, journal: journal).catchUp(at: now)
    return try Standing(store, at: now).terminal(ofAgent: agent)
  }
}
