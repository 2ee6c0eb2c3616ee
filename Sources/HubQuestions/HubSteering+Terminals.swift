public import Core
import HubClient
import HubWords

/// Methods for the terminals of a hub's agents.
extension HubSteering {
  /// Returns the terminal in which the given agent works, as the hub reports it.
  ///
  /// - Parameter agent: The agent's id, or an unambiguous part of it.
  /// - Returns: The host, in the form of an operand, or nil for this machine; and the session on
  ///   that host.
  /// - Throws: `NotFound` if the agent or its terminal is unknown; `BadUsage` if several agents
  ///   match; the errors of the request.
  public func terminal(
    ofAgent agent: String
  ) throws(Failure) -> (host: String?, session: String) {
    let reply = try reply("GET", "/v1/terminal/sessions")
    let sessions: [TerminalSession] = try reply.list(try reply.word(TerminalList.self).sessions)
    let whole = try IdPart.whole(agent, among: sessions.compactMap(\.agentId), "agent")
    guard let whole, let session = sessions.first(where: { $0.agentId == whole }) else {
      throw Failure(
        .notFound,
        "'\(hubs.hub.url)' knows no terminal of agent '\(Visible.line(agent))'",
        url: hubs.hub.url, input: agent)
    }
    return (host(of: session), session.id)
  }

  private func host(of session: TerminalSession) -> String? {
    var name = session.host
    if name == "localhost" {
      let isOurs = session.user.map { $0 == LoginName.current } ?? true
      if hubs.hub.isLocal, isOurs { return nil }
      // The hub's `localhost` is another host for this machine.
      name = hubs.hub.host
    }
    guard !name.contains("@") else { return name }
    let user = session.user.map { "\($0)@" } ?? ""
    let port = session.port.map { ":\($0)" } ?? ""
    return user + (name.contains(":") && !port.isEmpty ? "[\(name)]" : name) + port
  }
}
