import Core
import Foundation
import HubClient
import HubQuestions
import Keys
import Requests
import Synchronization
import TestSupport
import Testing
import Tokens
import Watching

/// What tools are told by hubs that are well, away, or send anything.
struct HubOutlookTests {
  private let home: Home

  init() throws {
    home = try Home()
    _ = try OwnerToken.made(in: home.directories)
  }

  private static func reply(_ status: String, _ body: [UInt8]) -> Reply {
    Reply(
      "HTTP/1.1 \(status)\nContent-Type: application/json\nContent-Length: \(body.count)\n"
        + "Connection: close\n\n", body: body)
  }

  private static func reply(_ status: String, _ body: String) -> Reply {
    reply(status, Array(body.utf8))
  }

  private func hubs(_ server: LoopbackServer) throws -> HubGroup {
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    try OwnHub(listening: server.url(""), tlsKey: nil).write(in: home.directories)
    return HubGroup(try HubChoice(url: server.url("")), keys: keys, directories: home.directories)
  }

  /// Asks for the thresholds.
  private func thresholds(
    _ server: LoopbackServer
  ) async throws -> (records: [Threshold], staleness: Staleness?) {
    let (hubs, directories) = (try hubs(server), home.directories)
    return try await Blocking("test").run { () throws(Failure) in
      let outlook = HubOutlook(HubAnswers(hubs, directories, interruption: Interruption()))
      return (try outlook.thresholds(), outlook.staleness)
    }
  }

  private static let thresholds =
    #"{"thresholds":[{"isDefault":true,"kind":"incident","type":"threshold","unit":"errors","value":5}]}"#

  @Test func `records are read from the answer`() async throws {
    let server = try LoopbackServer { _ in Self.reply("200 OK", Self.thresholds) }
    let answer = try await thresholds(server)
    #expect(answer.records.map(\.kind) == [.incident] && answer.staleness == nil)
    #expect(server.requests.first?.hasPrefix("GET /v1/thresholds ") == true)
  }

  @Test func `a hub that is not well leaves its last answer, marked as stale`() async throws {
    let isWell = Mutex(true)
    let server = try LoopbackServer { _ in
      isWell.withLock { $0 }
        ? Self.reply("200 OK", Self.thresholds) : Self.reply("500 Internal Server Error", "{}")
    }
    _ = try await thresholds(server)
    isWell.withLock { $0 = false }
    let answer = try await thresholds(server)
    #expect(answer.staleness?.hub == server.url(""))
    let line = try #require(answer.records.first).json()
    #expect(line.contains(#""stale":true"#) && line.contains(#""ageSeconds":"#))
  }

  @Test func `an answer of another form is an invalid response`() async throws {
    var random = SeededRandom(seed: 3)
    var bodies = ["", "[]", "{}", #"{"thresholds":{}}"#, #"{"thresholds":[7]}"#].map {
      Array($0.utf8)
    }
    for _ in 0..<20 {
      var bytes = Array(Self.thresholds.utf8)
      bytes.removeSubrange(Int.random(in: 1..<bytes.count, using: &random)...)
      bodies.append(bytes)
      bodies.append(bytes.map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    for body in bodies {
      let server = try LoopbackServer { _ in Self.reply("200 OK", body) }
      let failure = await #expect(throws: Failure.self) { try await thresholds(server) }
      #expect(failure?.code == .invalidResponse)
    }
  }

  // MARK: Steering

  private static func receipt(_ outcome: String) -> String {
    #"{"action":"pause","actor":"me","id":"a/b","outcome":""# + outcome
      + #"","reason":"why","replayed":false,"requestId":"r 1","target":"agent","ts":1,"#
      + #""type":"controlReceipt"}"#
  }

  private func pause(_ server: LoopbackServer) async throws -> ControlReceipt {
    let hubs = try hubs(server)
    let request = ControlRequest(
      requestId: "r 1", target: .agent, id: "a/b", action: .pause, reason: "why")
    return try await Blocking("test").run { () throws(Failure) in
      try HubSteering(hubs, interruption: Interruption()) { _ in }.send(request, waiting: 10)
    }
  }

  @Test func `a control is asked for once, and its effect is waited for`() async throws {
    let server = try LoopbackServer { request in
      Self.reply("200 OK", Self.receipt(request.hasPrefix("POST ") ? "accepted" : "applied"))
    }
    #expect(try await pause(server).outcome == .applied)
    let lines = server.requests.compactMap { $0.split(whereSeparator: \.isNewline).first }
    #expect(
      lines == ["POST /v1/agents/a%2Fb/control HTTP/1.1", "GET /v1/controls/r%201 HTTP/1.1"])
  }

  @Test func `a control whose answer is lost is sent again as the same request`() async throws {
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst ? Reply("") : Self.reply("200 OK", Self.receipt("applied"))
    }
    #expect(try await pause(server).outcome == .applied)
    let bodies = server.requests.compactMap { $0.split(separator: "\r\n\r\n").last }
    #expect(bodies.count == 2 && bodies.first == bodies.last)
    #expect(bodies.first?.contains(#""requestId":"r 1""#) == true)
  }
}
