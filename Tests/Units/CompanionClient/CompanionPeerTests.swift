import Core
import HubWords
import Signing
import TestSupport
import Testing

@testable import CompanionClient

/// What hosts answer, those of the first version and those that misbehave.
struct CompanionPeerTests {
  private static func reply(_ status: String, _ body: [UInt8], type: String) -> Reply {
    Reply(
      "HTTP/1.1 \(status)\nContent-Type: \(type)\nContent-Length: \(body.count)\n"
        + "Connection: close\n\n", body: body)
  }

  private static func json(_ status: String, _ body: String) -> Reply {
    reply(status, Array(body.utf8), type: "application/json")
  }

  private static func events(_ frames: [String]) -> Reply {
    let body = frames.map { "data: \($0)\n\n" }.joined()
    return reply("200 OK", Array(body.utf8), type: "text/event-stream; charset=utf-8")
  }

  private func peer(_ server: LoopbackServer) throws -> CompanionPeer {
    try CompanionPeer(server.url(""), allowsHTTP: false)
  }

  /// Goes on with a chat: what the host said, and how it failed.
  private func goOn(
    _ server: LoopbackServer
  ) async throws -> (said: [AnswerFrame], failure: Failure?) {
    let peer = try peer(server)
    var said: [AnswerFrame] = []
    do throws(Failure) {
      try await peer.goOn(with: "a/b", ChatContinuation(prompt: "And?")) { said.append($0) }
      return (said, nil)
    } catch {
      return (said, error)
    }
  }

  // MARK: Questions

  @Test func `names are percent-encoded in paths`() async throws {
    let server = try LoopbackServer { _ in Self.json("200 OK", #"{"chats":[]}"#) }
    #expect(try await peer(server).chats(in: "a/b ?c").isEmpty)
    let line = server.requests.first?.split(whereSeparator: \.isNewline).first
    #expect(line == "GET /companion/projects/a%2Fb%20%3Fc/chats HTTP/1.1")
  }

  @Test(arguments: [
    ("401 Unauthorized", "{}", FailureCode.authExpired),
    ("409 Conflict", "{}", .conflict),
    ("410 Gone", "{}", .pairingCodeExpired),
    ("400 Bad Request", #"{"code":"RateLimited"}"#, .rateLimited),
    // Nobody but the user of this tool interrupts it.
    ("500 Internal Server Error", #"{"code":"Interrupted"}"#, .streamInterrupted),
    ("200 OK", #"{"ok":false,"error":"no"}"#, .serverError),
    ("200 OK", #"{"ok":false}"#, .protocolMismatch),
    ("200 OK", "[]", .protocolMismatch), ("200 OK", "{}", .protocolMismatch),
  ])
  func `an answer without success is the failure that it names`(
    status: String, body: String, code: FailureCode
  ) async throws {
    let server = try LoopbackServer { _ in Self.json(status, body) }
    let peer = try peer(server)
    let failure = await #expect(throws: Failure.self) { try await peer.devices() }
    #expect(failure?.code == code)
  }

  @Test func `a host of the first version refuses a code without naming the failure`() async throws
  {
    let server = try LoopbackServer { _ in
      Self.json("401 Unauthorized", #"{"ok":false,"error":"wr\u001bong"}"#)
    }
    let peer = try peer(server)
    let failure = await #expect(throws: Failure.self) {
      try await peer.complete(
        .init(pairingCode: "123456", pairingToken: nil, deviceName: "a", devicePublicKey: "b"))
    }
    #expect(failure?.code == .pairingCodeInvalid)
    #expect(failure?.explanation.contains("\u{1B}") == false)
  }

  // MARK: Places

  /// The authorities that a server was asked by.
  private static func hosts(_ server: LoopbackServer) -> [Substring] {
    server.requests.flatMap { $0.split(whereSeparator: \.isNewline) }
      .filter { $0.hasPrefix("Host: ") }.map { $0.dropFirst(6) }
  }

  @Test func `localhost is asked as one address, which is what is signed`() async throws {
    let server = try LoopbackServer { _ in Self.json("200 OK", #"{"chats":[]}"#) }
    let peer = try CompanionPeer("http://LocalHost:\(server.port)/base", allowsHTTP: false)
    #expect(try await peer.chats(in: "a").isEmpty)
    #expect(Self.hosts(server) == ["127.0.0.1:\(server.port)"])
    #expect(server.requests.first?.hasPrefix("GET /base/companion/projects/a/chats ") == true)
    #expect(peer.url == "http://LocalHost:\(server.port)/base")
  }

  @Test func `the other address of localhost is asked where nothing listens at the first one`()
    async throws
  {
    let place = HostPlace("http://localhost:7878")
    #expect(place.base == "http://127.0.0.1:7878")
    #expect(place.place(beside: place.base) == "http://[::1]:7878")
    #expect(place.place(beside: "http://[::1]:7878") == place.base)
    for url in ["https://localhost:7878", "http://localhost.example", "http://127.0.0.1:1"] {
      #expect(HostPlace(url).base == url)
      #expect(HostPlace(url).place(beside: url) == nil)
    }
    let peer = try CompanionPeer("http://localhost:1", allowsHTTP: false)
    let failure = await #expect(throws: Failure.self) { try await peer.devices() }
    #expect(failure?.url?.hasPrefix("http://127.0.0.1:1/") == true)
  }

  // MARK: Going on with a chat

  private static let message =
    #"{"type":"message","id":"m","role":"assistant","text":"All.","createdAt":"2026-01-01T00:00:00Z"}"#

  @Test func `pieces of an answer come in order, unknown frames are skipped`() async throws {
    let server = try LoopbackServer { _ in
      Self.events([
        #"{"type":"delta","text":"A","id":"m"}"#, #"{"type":"restart"}"#, #"{"type":"newer"}"#,
        #"{"type":"delta"}"#, Self.message, "[DONE]", "after the end",
      ])
    }
    let (said, failure) = try await goOn(server)
    #expect(failure == nil)
    let message = CompanionMessage(
      id: "m", role: "assistant", text: "All.", createdAt: "2026-01-01T00:00:00Z")
    #expect(
      said == [
        .delta(id: "m", text: "A"), .restart(id: nil), .delta(id: nil, text: ""), .message(message),
      ])
    #expect(server.requests.first?.hasPrefix("POST /companion/chats/a%2Fb/continue ") == true)
  }

  @Test(arguments: [
    (["{"], FailureCode.protocolMismatch), ([#"{"type":"message"}"#], .protocolMismatch),
    ([#"{"type":"error","code":"RateLimited","error":"slow"}"#], .rateLimited),
    ([#"{"type":"error","code":"NoSuchCode"}"#], .serverError),
    ([#"{"type":"delta","text":"A"}"#], .streamInterrupted), ([], .streamInterrupted),
  ])
  func `an answer that ends otherwise is a failure, and is asked for once`(
    frames: [String], code: FailureCode
  ) async throws {
    let server = try LoopbackServer { _ in Self.events(frames) }
    let (said, failure) = try await goOn(server)
    #expect(failure?.code == code && said.count <= 1)
    #expect(server.requests.count == 1)
  }

  /// Goes on with a chat: the pieces that are handed on, and the record of the answer.
  private func answer(_ frames: [String]) async throws -> (pieces: [Delta], answer: Message) {
    let server = try LoopbackServer { _ in Self.events(frames) }
    var host = PairedHost(name: "mac", url: server.url(""))
    host.signs = true
    var pieces: [Delta] = []
    let answer = await HostChats(try peer(server)).answer(
      in: "c", of: host, to: "And?", model: "m"
    ) { pieces.append($0) }
    return (pieces, answer)
  }

  @Test func `an answer becomes one record, and a restart makes void what came before`()
    async throws
  {
    let (pieces, answer) = try await answer([
      #"{"type":"delta","text":"A","id":"m"}"#, #"{"type":"restart"}"#,
      #"{"type":"delta","text":"All."}"#, Self.message, "[DONE]",
    ])
    #expect(pieces.map(\.text) == ["A", "", "All."])
    #expect(pieces.map(\.restart) == [nil, true, nil])
    #expect(answer.id == "m" && answer.chatId == "c" && answer.model == "m")
    #expect(answer.text == "All." && answer.complete == true && answer.error == nil)
    #expect(answer.createdAt?.iso8601 == "2026-01-01T00:00:00.000Z")
  }

  @Test func `an answer that is cut keeps its words and has the failure`() async throws {
    let (_, cut) = try await answer([#"{"type":"delta","text":"A","id":"m"}"#])
    #expect(cut.text == "A" && cut.complete == false && cut.error?.code == .streamInterrupted)
    let (_, empty) = try await answer(["[DONE]"])
    #expect(empty.complete == false && empty.error?.code == .streamInterrupted)
  }

  @Test(arguments: [
    ("200 OK", "application/json", FailureCode.protocolMismatch),
    ("204 No Content", "text/event-stream", .protocolMismatch),
    ("404 Not Found", "application/json", .notFound),
  ])
  func `what is no stream of events is a failure`(
    status: String, type: String, code: FailureCode
  ) async throws {
    let server = try LoopbackServer { _ in Self.reply(status, [], type: type) }
    #expect(try await goOn(server).failure?.code == code)
  }

  @Test func `random bytes for an answer end in a failure`() async throws {
    var random = SeededRandom(seed: 4)
    for round in 0..<30 {
      let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let body = Array("data: ".utf8) + bytes + Array("\n\n".utf8)
      let server = try LoopbackServer { _ in
        Self.reply("200 OK", body, type: "text/event-stream")
      }
      let (said, failure) = try await goOn(server)
      #expect(failure != nil && said.isEmpty, "round \(round)")
    }
  }
}
