import Core
import HubWords
import Watching

/// The routes for the tmux sessions on the hub's machine, and for the agents that work in them.
struct TerminalRoutes: Sendable {
  let desk: HubDesk
  /// The environment of the hub.
  ///
  /// tmux finds its server by it.
  let environment: [String: String]
  /// The host name by which clients reach the hub's machine; nil for `localhost`.
  let host: String?

  var all: [HubRoute] {
    [
      .get("/v1/terminal/sessions") { (request) async throws(Failure) in
        try HubAnswer(TerminalList(sessions: try WebLinks().texts(of: try await sessions())))
      },
      .get("/v1/terminal/sessions/{id}") { (request) async throws(Failure) in
        let id = try request.part("id")
        guard let session = try await sessions().first(where: { $0.id == id || $0.name == id })
        else {
          throw Failure(
            .tmuxSessionNotFound, "there is no tmux session '\(Visible.line(id))'", input: id)
        }
        return try HubAnswer(session)
      },
    ]
  }

  private func sessions() async throws(Failure) -> [TerminalSession] {
    let environment = environment
    let found = try await desk.read { () throws(Failure) -> [TerminalSession] in
      do throws(Failure) {
        return try LocalTerminals.all(environment)
      } catch {
        guard error.code == .tmuxNotFound else { throw error }
        return []
      }
    }
    let known = try await desk.standing { (standing) throws(Failure) in
      try standing.withAgents(found)
    }
    return known.map { session in
      session.with { ($0.host, $0.user) = (host ?? $0.host, $0.user ?? LoginName.current) }
    }
  }
}
