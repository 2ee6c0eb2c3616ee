import Command
import Core
import Events
import Watching

extension Session {
  /// The host and the session that are meant.
  func place(_ operands: SessionOperands) throws(Failure) -> (host: String, session: String) {
    guard let agent = operands.agent else { return (operands.host ?? "", operands.session ?? "") }
    if let terminal = try configuration().agentTerminals[agent] {
      return (terminal.host, terminal.session)
    }
    guard let session = try terminal(of: agent) else {
      throw Failure(
        .notFound,
        "agent '\(Visible.line(agent))' works in no terminal that is known: give it a host and a "
          + "session under [agents] in config.toml",
        input: agent)
    }
    return ("localhost", session)
  }

  /// The session of this machine that an agent works in, as it told the event log.
  private func terminal(of agent: String) throws(Failure) -> String? {
    guard let store = try Store(existingIn: directories),
      let journal = try EventJournal(existingIn: directories)
    else { return nil }
    try Watcher(store: store, journal: journal).catchUp()
    return try Standing(store).terminal(ofAgent: agent)
  }
}
