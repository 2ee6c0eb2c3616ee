public import Core
import Events
import Storage

/// The terminals in which agents work.
///
/// They are found in the configuration or in the event log.
public struct AgentTerminals: Sendable {
  private let configured: [String: Settings.AgentTerminal]
  private let directories: Directories

  /// Creates a look-up of terminals in the given configuration and in the event log.
  public init(configured: [String: Settings.AgentTerminal], _ directories: Directories) {
    self.configured = configured
    self.directories = directories
  }

  /// Returns the terminal of the given agent.
  ///
  /// - Parameters:
  ///   - agent: The ID of the agent.
  ///   - now: The current time. An agent that has been silent for long counts as gone.
  /// - Returns: The host, and the session on that host.
  /// - Throws: `NotFound` if no terminal of the agent is known; `StorageFailed` if the store or the
  ///   log cannot be read.
  public func terminal(
    of agent: String, at now: Timestamp
  ) throws(Failure) -> Settings.AgentTerminal {
    if let terminal = configured[agent] { return terminal }
    guard let session = try session(of: agent, at: now) else {
      throw Failure(
        .notFound,
        "agent '\(Visible.line(agent))' has no known terminal", input: agent,
        nextStep: "set its host and session under [agents] in config.toml")
    }
    return Settings.AgentTerminal(host: "localhost", session: session)
  }

  /// Returns the tmux session of the given agent on this machine, as the event log states it; nil
  /// if unknown.
  private func session(of agent: String, at now: Timestamp) throws(Failure) -> String? {
    guard let store = try Store(existingIn: directories),
      let journal = try EventJournal(existingIn: directories)
    else { return nil }
    try Watcher(store: store, journal: journal).catchUp(at: now)
    return try Standing(store, at: now).terminal(ofAgent: agent)
  }
}
