import Core
import HTTPTypes
import HubWords
import HummingbirdCore
import NIOCore
import Requests

/// The routes through which agents on other hosts receive controls and report outcomes.
struct RunnerRoutes: Sendable {
  let runners: RunnerDesk
  let openings: Openings
  /// The maximum number of agents on one connection.
  private static let mostAgents = 100

  var all: [HubRoute] {
    [
      .get("/v1/controls", for: .senders) { (request) async throws(Failure) in
        try await controls(request)
      },
      .post("/v1/controls/{requestId}", for: .senders) { (request) async throws(Failure) in
        try await answer(request)
      },
    ]
  }

  private static func name(_ text: String?, _ what: String) throws(Failure) -> String {
    guard let text, !text.isEmpty, text.utf8.count <= 1000 else {
      throw Failure(.badInput, "'\(what)' must have 1 to 1000 bytes", input: what)
    }
    return text
  }

  private func controls(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let session = try Self.name(request.query("sessionId"), "sessionId")
    let swarm = try request.query("swarmId").map { (text) throws(Failure) in
      try Self.name(text, "swarmId")
    }
    var asked: [Runner] = []
    for agent in request.request.uri.queryParameters[values: "agentId"] {
      let agent = try Self.name(String(agent), "agentId")
      asked.append(Runner(agentId: agent, swarmId: swarm, sessionId: session))
    }
    guard (1...Self.mostAgents).contains(asked.count) else {
      throw Failure(.badInput, "'agentId' names 1 to \(Self.mostAgents) agents", input: "agentId")
    }
    let (agents, visitor) = (asked, request.visitor)
    try await runners.check(agents, on: visitor?.deviceId)
    let body = request.request.body
    return HubAnswer(contentType: "text/event-stream") { [runners, openings] writer in
      let connection = try await runners.connect(agents, on: visitor?.deviceId)
      let opening = await openings.open(.controls, to: visitor) { _ in connection.end() }
      defer { openings.close(opening) }
      do {
        try await body.consumeWithInboundCloseHandler { _ in
          try await writer.write(ByteBuffer(string: ": agentpipes\n\n"))
          for await message in connection.messages {
            try await writer.write(ByteBuffer(string: try Self.text(of: message)))
          }
        } onInboundClosed: {
          connection.end()
        }
      } catch {
        await runners.disconnect(connection)
        throw error
      }
      await runners.disconnect(connection)
      try await writer.finish(nil)
    }
  }

  private static func text(of message: RunnerDesk.Message) throws(Failure) -> String {
    switch message {
    case .beat: ": \n\n"
    case .control(let control): "data: \(try control.json())\n\n"
    case .gate(let gate): "event: \(GateAnswer.event)\ndata: \(try gate.json())\n\n"
    }
  }

  private func answer(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let answer = try await request.object(ControlAnswer.self)
    guard [.applied, .refused].contains(answer.outcome) else {
      throw Failure(.badInput, "'outcome' is 'applied' or 'refused'", input: "outcome")
    }
    return try HubAnswer(
      try await runners.answer(
        try request.part("requestId"), answer, on: request.visitor?.deviceId))
  }
}
