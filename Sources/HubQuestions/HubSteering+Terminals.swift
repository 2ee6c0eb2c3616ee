public import Core
import HubClient
import HubWords

/// The terminals of a hub's agents.
extension HubSteering {
  /// The terminal that an agent works in, as the hub tells it.
  ///
  /// - Parameter agent: The agent's id, or a part of it that names one.
  /// - Returns: The host as one names it for a connection, nil where it is this machine; the session
  ///   there.
  /// - Throws: `NotFound`, `BadUsage` for a part of several ids; what asking throws.
  public func terminal(
    ofAgent agent: String
  ) throws(Failure) -> (host: String?, session: String) {
    let reply = try reply("GET", "/v1/terminal/sessions")
    let sessions: [TerminalSession] = try reply.list(try reply.word(TerminalList.self).sessions)
    let whole = try IdPart.whole(agent, among: sessions.compactMap(\.agentId), "agent")
    guard let whole, let session = sessions.first(where: { $0.agentId == whole }) else {
      throw Failure(
        .notFound,
        "'\(peer.hub.url)' knows no terminal of agent '\(Visible.line(agent))'",
        url: peer.hub.url, input: agent)
    }
    return (host(of: session), session.id)
  }

  private func host(of session: TerminalSession) -> String? {
    var name = session.host
    if name == "localhost" {
      let isOurs = session.user.map { $0 == LoginName.current } ?? true
      if peer.hub.isLocal, isOurs { return nil }
      // What the hub calls its own machine is another one here.
      name = peer.hub.host
    }
    guard !name.contains("@") else { return name }
    let user = session.user.map { "\($0)@" } ?? ""
    let port = session.port.map { ":\($0)" } ?? ""
    return user + (name.contains(":") && !port.isEmpty ? "[\(name)]" : name) + port
  }
}
