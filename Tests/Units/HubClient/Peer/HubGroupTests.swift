import Core
import Events
import Foundation
import HTTP
import HubWords
import Keys
import Synchronization
import TestSupport
import Testing
import Tokens

@testable import HubClient

/// Hubs that share their records, of which some are unavailable.
struct HubGroupTests {
  private let home: Home
  private let keys: KeyStore
  private let tokens: HubTokens

  init() throws {
    home = try Home()
    keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    tokens = HubTokens(
      TokenGrant(
        deviceId: "d-1", accessToken: AccessToken.access.make(), expiresIn: 3600,
        refreshToken: AccessToken.refresh.make()), at: .now)
  }

  private static func reply(_ status: String, _ body: String = "{}") -> Reply {
    Reply(
      "HTTP/1.1 \(status)\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n"
        + "Connection: close\n\n", body: Array(body.utf8))
  }

  /// The connection ends without an answer.
  private static let lost = Reply(bytes: [])

  /// The hubs with the given URLs, of which the last has tokens.
  private func group(_ urls: String...) throws -> HubGroup {
    let hubs = try urls.map { try HubChoice(url: $0) }
    try HubTokenPlace(hubs[hubs.count - 1], keys: keys, directories: home.directories)
      .store(tokens)
    return HubGroup(
      hubs[0], Array(hubs.dropFirst()), keys: keys, directories: home.directories)
  }

  @Test(arguments: ["502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout", ""])
  func `a hub that is unavailable is passed over once`(status: String) async throws {
    let first = try LoopbackServer { _ in status.isEmpty ? Self.lost : Self.reply(status) }
    let second = try LoopbackServer { _ in Self.reply("200 OK") }
    let group = try group(first.url(""), second.url(""))
    for _ in 0..<2 { #expect(try await group.get("/v1/overview") == Array("{}".utf8)) }
    #expect(group.hub.url == second.url(""))
    #expect(first.requests.count == 1 && second.requests.count == 2)
    for request in first.requests + second.requests {
      #expect(request.contains("authorization: Bearer \(tokens.access)\r\n"))
    }
  }

  @Test func `a copy of a group stays with the hub that another found`() async throws {
    let first = try LoopbackServer { _ in Self.reply("503 X") }
    let second = try LoopbackServer { _ in Self.reply("200 OK") }
    let group = try group(first.url(""), second.url(""))
    var copy = group
    copy.timeouts.total = 7
    _ = try await group.get("/v1/overview")
    _ = try await copy.get("/v1/overview")
    #expect(first.requests.count == 1)
  }

  @Test(arguments: [400, 403, 404, 409, 413, 422, 429, 500])
  func `a refusal is an answer`(status: Int) async throws {
    let first = try LoopbackServer { _ in Self.reply("\(status) X") }
    let second = try LoopbackServer { _ in Self.reply("200 OK") }
    let group = try group(first.url(""), second.url(""))
    let failure = await #expect(throws: Failure.self) { try await group.get("/v1/x") }
    #expect(failure?.status == status && failure?.url == first.url("/v1/x"))
    #expect(second.requests.isEmpty && group.hub.url == first.url(""))
  }

  @Test(arguments: [true, false])
  func `a request goes on to the next hub as it was`(isLost: Bool) async throws {
    let first = try LoopbackServer { _ in isLost ? Self.lost : Self.reply("503 X") }
    let second = try LoopbackServer { _ in Self.reply("200 OK") }
    let group = try group(first.url(""), second.url(""))
    let body = Array(#"{"gateId":"x"}"#.utf8)
    _ = try await group.outcome("POST", "/v1/x", body: body)
    for requests in [first.requests, second.requests] {
      #expect(requests.count == 1 && requests[0].hasSuffix(#"{"gateId":"x"}"#))
    }
  }

  @Test func `if none answers, the failure names each hub`() async throws {
    // Nobody listens there.
    let group = try group("http://127.0.0.1:1", "http://127.0.0.1:2")
    let failure = await #expect(throws: Failure.self) { try await group.get("/v1/x") }
    #expect(
      failure
        == Failure(
          .networkUnavailable,
          "no hub answers: cannot connect to 'http://127.0.0.1:1/v1/x'; "
            + "cannot connect to 'http://127.0.0.1:2/v1/x'", kind: .connect))
    #expect(group.hub.url == "http://127.0.0.1:1")
  }

  private static func stream(_ text: String, then ending: Reply.Ending = .close) -> Reply {
    Reply(
      "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nContent-Length: 1000000000000\n\n",
      body: Array(text.utf8), then: ending)
  }

  @Test func `a stream that is lost is followed by that of the next hub`() async throws {
    let first = try LoopbackServer { _ in Self.stream("data: 1\n\n") }
    let second = try LoopbackServer { _ in Self.stream("data: 2\n\n", then: .hold) }
    let group = try group(first.url(""), second.url(""))
    let data = Mutex<[String]>([])
    let reading = Task {
      try await group.follow("/v1/controls", query: []) { event in
        guard let event else { return }
        data.withLock { $0.append(event.data) }
        // The reader of this stream has seen enough.
        if event.data == "2" { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    _ = try? await reading.value
    #expect(data.withLock { $0 } == ["1", "2"] && group.hub.url == second.url(""))
    #expect(first.requests.count == 1 && second.requests.count == 1)
  }

  @Test func `a stream ends once requests have moved to another hub`() async throws {
    let first = try LoopbackServer { request in
      request.contains("/v1/controls ")
        ? Self.stream(": on\n\n", then: .repeated(Array(": on\n\n".utf8))) : Self.reply("503 X")
    }
    let second = try LoopbackServer { _ in Self.reply("200 OK") }
    let group = try group(first.url(""), second.url(""))
    let (openings, opened) = AsyncStream<Void>.makeStream()
    let reading = Task {
      try await group.follow("/v1/controls", query: []) { _ in opened.yield() }
    }
    for await _ in openings.prefix(1) {}
    _ = try await group.get("/v1/overview")
    try await reading.value
    #expect(group.hub.url == second.url(""))
  }

  @Test func `after the last hub comes the first`() async throws {
    let first = try LoopbackServer { request in
      Self.reply(request.contains("/v1/early ") ? "503 X" : "200 OK")
    }
    let second = try LoopbackServer { request in
      Self.reply(request.contains("/v1/late ") ? "503 X" : "200 OK")
    }
    let group = try group(first.url(""), second.url(""))
    for (path, hub) in [("early", second), ("late", first), ("other", first)] {
      _ = try await group.get("/v1/" + path)
      #expect(group.hub.url == hub.url(""))
    }
  }

  @Test func `a list of hubs never receives the operator's token`() async throws {
    let server = try LoopbackServer { _ in Self.reply("200 OK") }
    let hub = try HubChoice(url: server.url(""))
    _ = try OwnerToken.made(in: home.directories)
    try OwnHub(listening: server.url(""), tlsKey: nil).write(in: home.directories)
    func group(_ others: [HubChoice]) -> HubGroup {
      HubGroup(hub, others, keys: keys, directories: home.directories)
    }
    let two = group([try HubChoice(url: "http://127.0.0.1:1")])
    let failure = await #expect(throws: Failure.self) { try await two.get("/v1/x") }
    #expect(failure?.code == .authExpired && server.requests.isEmpty)
    #expect(try !two.isOwn())
    _ = try await group([]).get("/v1/x")
    #expect(try group([]).isOwn())
  }

  @Test func `a group is named by its URLs in any order`() throws {
    var settings = Settings()
    settings.hubs = ["b": "http://b:7878"]
    let named = settings
    func group(_ words: String) throws -> HubGroup {
      try HubGroup(named: words, in: named, keys: keys, directories: home.directories)
    }
    let pair = try group("b,ws://A:7878/")
    #expect(pair.hubs.map(\.url) == ["http://b:7878", "http://a:7878"])
    #expect(pair.name == "http://a:7878,http://b:7878")
    #expect(try group(pair.name).name == pair.name)
    for words in ["", "b,", ",b", "b,c", "b http://a:7878"] {
      let failure = #expect(throws: Failure.self) { try group(words) }
      #expect(failure?.code == .badUsage)
    }
  }

  @Test func `a stream connects within the limit of requests, which is short for several hubs`()
    async throws
  {
    let first = "http://127.0.0.1:1"
    for (group, expected) in [
      (try group(first), [5.0]), (try group(first, "http://127.0.0.1:2"), [2, 2]),
    ] {
      let limits = Mutex<[Double]>([])
      let failure = await #expect(throws: Failure.self) {
        try await Blocking("test").run { () throws(Failure) in
          let stream = HubStream(
            group, HubSubscription(EventFilter()), interruption: Interruption(),
            connect: { (call) throws(Failure) in
              limits.withLock { $0.append(call.connect) }
              throw Failure(.networkUnavailable, "no")
            }, lost: { _ in })
          _ = try stream.isReady(within: 0)
        }
      }
      #expect(failure?.code == .networkUnavailable)
      #expect(limits.withLock { $0 } == expected)
      #expect(group.timeouts.connect == expected[0])
    }
  }
}
