import Core
import Foundation
import HTTP
import HubWords
import Keys
import Synchronization
import TestSupport
import Testing
import Tokens

@testable import HubClient

/// What a client does with its tokens, and with what a hub answers.
struct HubPeerTests {
  private let home: Home
  private let keys: KeyStore

  init() throws {
    home = try Home()
    keys = KeyStore(directories: home.directories, environment: [:], command: nil)
  }

  /// A hub that knows one access token, and what gets the next.
  private final class FakeHub: Sendable {
    let access = Mutex(AccessToken.access.make())
    let refresh = Mutex(AccessToken.refresh.make())

    var grant: TokenGrant {
      TokenGrant(
        deviceId: "d-1", accessToken: access.withLock { $0 }, expiresIn: 3600,
        refreshToken: refresh.withLock { $0 })
    }

    /// The access token is taken no more.
    func expire() { access.withLock { $0 = AccessToken.access.make() } }

    func answer(_ request: String) -> Reply {
      if request.hasPrefix("POST /v1/auth/token/refresh ") {
        guard request.contains(refresh.withLock { $0 }) else { return Self.refusal }
        refresh.withLock { $0 = AccessToken.refresh.make() }
        expire()
        return Self.json(grant)
      }
      if request.hasPrefix("POST /v1/auth/device/register ") { return Self.json(grant) }
      let token = access.withLock { $0 }
      guard request.contains("authorization: Bearer \(token)\r\n") else { return Self.refusal }
      return HubPeerTests.reply("200 OK", #"{"path":"ok"}"#)
    }

    private static func json(_ value: some Encodable) -> Reply {
      HubPeerTests.reply(
        "200 OK", String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self))
    }

    private static var refusal: Reply {
      HubPeerTests.reply(
        "401 Unauthorized",
        #"{"action":"x","category":"authentication","code":"AuthExpired","explanation":"no","retryable":false,"status":401,"suggestedAction":"reauth","title":"x","type":"error"}"#
      )
    }
  }

  private static func reply(_ status: String, _ body: String, _ fields: String = "") -> Reply {
    Reply(
      "HTTP/1.1 \(status)\nContent-Type: application/json\n\(fields)Content-Length: \(body.utf8.count)\nConnection: close\n\n",
      body: Array(body.utf8))
  }

  /// The server as the hub that serves from the folders of the test.
  private func peer(_ server: LoopbackServer) throws -> HubPeer {
    try Directories.make(home.directories.data)
    try OwnHub(listening: server.url(""), tlsKey: nil).write(in: home.directories)
    return HubPeer(try HubChoice(url: server.url("")), keys: keys, directories: home.directories)
  }

  private func place(_ server: LoopbackServer) throws -> HubTokenPlace {
    HubTokenPlace(try HubChoice(url: server.url("")), keys: keys, directories: home.directories)
  }

  @Test func `registering keeps the tokens and the key of the device`() async throws {
    let hub = FakeHub()
    let server = try LoopbackServer { hub.answer($0) }
    let peer = try peer(server)
    #expect(try await peer.register(code: "K7M4Q-2XWPT", name: "laptop") == "d-1")
    let sent = try #require(server.requests.first)
    let body = try #require(sent.split(separator: "\r\n\r\n").last)
    let request = try JSONDecoder().decode(DeviceRegistration.self, from: Data(body.utf8))
    #expect(request.code == "K7M4Q-2XWPT" && request.deviceName == "laptop")
    #expect(Data(base64Encoded: request.devicePublicKey)?.count == 32)
    #expect(request.devicePublicKey == (try place(server).devicePublicKey()), "the key stays")
    #expect(!sent.lowercased().contains("authorization:"))
    #expect(try await peer.get("/v1/overview") == Array(#"{"path":"ok"}"#.utf8))
    let tokens = try #require(try place(server).tokens())
    #expect(tokens.deviceId == "d-1" && tokens.refresh == hub.grant.refreshToken)
    for token in [hub.grant.accessToken, hub.grant.refreshToken] {
      #expect(!Secrets.redacted("x \(token) x").contains(token.suffix(20)))
    }
  }

  @Test func `sixteen that are refused at once spend one refresh token`() async throws {
    let hub = FakeHub()
    let server = try LoopbackServer { hub.answer($0) }
    try place(server).store(HubTokens(hub.grant, at: .now))
    hub.expire()
    // Each has a client and a lock of its own, as processes have.
    let peers = try (0..<16).map { _ in try peer(server) }
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for peer in peers { group.addTask { try await peer.get("/v1/overview") } }
      for try await body in group { #expect(body == Array(#"{"path":"ok"}"#.utf8)) }
    }
    #expect(server.requests.count { $0.hasPrefix("POST /v1/auth/token/refresh ") } == 1)
  }

  @Test func `a token that is known to be over is renewed before it is shown`() async throws {
    let hub = FakeHub()
    let server = try LoopbackServer { hub.answer($0) }
    try place(server).store(HubTokens(hub.grant, at: Timestamp.now.adding(seconds: -3601)))
    _ = try await peer(server).get("/v1/overview")
    #expect(
      server.requests.map { $0.prefix { $0 != " " } } == ["POST", "GET"])
  }

  @Test func `a token that stays refused is refused once`() async throws {
    let server = try LoopbackServer { request in
      guard request.hasPrefix("POST") else { return Self.reply("401 Unauthorized", "{}") }
      let grant = TokenGrant(
        deviceId: "d", accessToken: AccessToken.access.make(), expiresIn: 1,
        refreshToken: AccessToken.refresh.make())
      return Self.reply(
        "200 OK", String(decoding: (try? JSONEncoder().encode(grant)) ?? Data(), as: UTF8.self))
    }
    let grant = TokenGrant(
      deviceId: "d", accessToken: AccessToken.access.make(), expiresIn: 3600,
      refreshToken: AccessToken.refresh.make())
    try place(server).store(HubTokens(grant, at: .now))
    let failure = await #expect(throws: Failure.self) { try await peer(server).get("/v1/overview") }
    #expect(failure?.code == .authExpired)
    #expect(server.requests.count == 3)
  }

  @Test func `without a token nothing is sent`() async throws {
    let server = try LoopbackServer { _ in Self.reply("200 OK", "{}") }
    let failure = await #expect(throws: Failure.self) { try await peer(server).get("/v1/overview") }
    #expect(failure?.code == .authExpired)
    #expect(server.requests.isEmpty)
  }

  @Test func `at a hub of this machine the operator's own token does`() async throws {
    let server = try LoopbackServer { _ in Self.reply("200 OK", "{}") }
    let token = try OwnerToken.made(in: home.directories)
    _ = try await peer(server).get("/v1/events", query: [("after", "a b&c"), ("limit", "5")])
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("GET /v1/events?after=a%20b%26c&limit=5 HTTP/1.1\r\n"))
    #expect(request.contains("authorization: Bearer \(token)\r\n"))
    let elsewhere = HubTokenPlace(
      try HubChoice(url: "http://build:7878"), keys: keys, directories: home.directories)
    #expect(try elsewhere.tokens() == nil)
  }

  @Test func `what listens on another port of this machine gets no token`() async throws {
    let server = try LoopbackServer { _ in Self.reply("200 OK", "{}") }
    _ = try OwnerToken.made(in: home.directories)
    for own in [nil, "http://127.0.0.1:1"] {
      try own.map { try OwnHub(listening: $0, tlsKey: nil).write(in: home.directories) }
      #expect(try place(server).tokens() == nil)
    }
    try OwnHub(listening: server.url(""), tlsKey: nil).write(in: home.directories)
    #expect(try place(server).tokens() != nil)
  }

  @Test func `a token of the environment does, and is not renewed`() async throws {
    let server = try LoopbackServer { _ in Self.reply("401 Unauthorized", "{}") }
    let hub = try HubChoice(url: server.url(""))
    let keys = KeyStore(
      directories: home.directories,
      environment: [KeyStore.variable(hub.keyName): AccessToken.access.make()], command: nil)
    let peer = HubPeer(hub, keys: keys, directories: home.directories)
    let failure = await #expect(throws: Failure.self) { try await peer.get("/v1/overview") }
    #expect(failure?.code == .authExpired)
    #expect(server.requests.count == 1)
  }

  @Test func `what a hub tells of a failure is the failure`() async throws {
    let server = try LoopbackServer { _ in
      Self.reply(
        "409 Conflict",
        #"{"code":"Conflict","explanation":"decided already","input":"g-1","kind":"decided","type":"error","more":1}"#
      )
    }
    _ = try OwnerToken.made(in: home.directories)
    let failure = await #expect(throws: Failure.self) {
      try await peer(server).get("/v1/x?secret=1")
    }
    #expect(
      failure
        == Failure(
          .conflict, "decided already", kind: .init(rawValue: "decided"), status: 409,
          url: server.url("/v1/x"), input: "g-1"))
  }

  @Test(arguments: [
    (400, FailureCode.badInput), (401, .authExpired), (403, .permissionDenied), (404, .notFound),
    (409, .conflict), (410, .notFound), (413, .badInput), (421, .badInput), (422, .badInput),
    (426, .protocolMismatch), (429, .rateLimited),
    (500, .serverError), (503, .overloaded), (504, .timeout),
  ])
  func `without a record the status tells`(status: Int, code: FailureCode) async throws {
    let server = try LoopbackServer { _ in
      Self.reply("\(status) X", #"{"type":"error","code":"Unheard"}"#, "Retry-After: 3\n")
    }
    _ = try OwnerToken.made(in: home.directories)
    let failure = await #expect(throws: Failure.self) { try await peer(server).get("/v1/x") }
    #expect(failure?.code == code)
    #expect(failure?.status == status)
  }
}
