import Core
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import Tools

/// The session that processes and chats share.
@Suite struct ComposioSessionTests {
  @Test func `many processes create one session`() async throws {
    let server = try ComposioServer()
    let ids = await withTaskGroup { group in
      // A source of its own, as each process has, excludes others by the lock alone.
      for _ in 0..<16 {
        group.addTask { try? await server.source().continueSession(nil) }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids == ["trs_1"])
    #expect(server.calls == ["create"])
  }

  @Test func `another user, set of toolkits or key has a session of its own`() async throws {
    let server = try ComposioServer()
    let ids = [
      try await server.source().continueSession(nil),
      try await server.source(user: "ana").continueSession(nil),
      try await server.source(toolkits: ["gmail", "slack"]).continueSession(nil),
      try await server.source(toolkits: ["slack", "gmail", "gmail"]).continueSession(nil),
    ]
    #expect(ids == ["trs_1", "trs_2", "trs_3", "trs_3"])
    await #expect(throws: Failure.self) {
      _ = try await server.source(server.router(key: "another-key")).continueSession(nil)
    }
    #expect(server.count("create") == 4)
  }

  @Test(arguments: [(-60.0, 1), (-3601, 2), (86_400, 2)])
  func `a session is used for an hour`(age: Double, created: Int) async throws {
    let server = try ComposioServer()
    _ = try await server.source().continueSession(nil)
    let path = try stored(server)
    let at = Timestamp.now.adding(seconds: age).iso8601
    try PrivateFile.write(Array(#"{"createdAt":"\#(at)","id":"trs_1"}"#.utf8), to: path)
    #expect(try await server.source().continueSession(nil) == "trs_\(created)")
    #expect(server.count("create") == created)
  }

  @Test func `a stored file that is not ours is replaced`() async throws {
    let server = try ComposioServer()
    _ = try await server.source().continueSession(nil)
    let path = try stored(server)
    for text in ["", "{", #"{"id":"../x","createdAt":"2026-11-24T00:00:00Z"}"#] {
      try PrivateFile.write(Array(text.utf8), to: path)
      _ = try await server.source().continueSession(nil)
    }
    #expect(server.count("create") == 4)
    #expect(try server.home.mode(path) == 0o600)
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(ComposioServer.key))
  }

  @Test func `a session that the server forgot is created again, once`() async throws {
    let server = try ComposioServer(#"{"execute":[null,{"forget":true}]}"#)
    let source = server.source()
    _ = try await server.call(source)
    _ = try await server.call(source)
    #expect(server.calls == ["create", "execute", "execute", "create", "execute"])
    #expect(try await server.source().continueSession(nil) == "trs_2")

    let hopeless = try ComposioServer(#"{"execute":[{"forget":true},{"forget":true}]}"#)
    #expect(await hopeless.failure()?.code == .notFound)
    #expect(hopeless.calls == ["create", "execute", "create", "execute"])
  }

  @Test func `a chat goes on with its session if it belongs to the user`() async throws {
    let server = try ComposioServer()
    let own = try await server.router().createSession("default", [])
    let foreign = try await server.router().createSession("eve", [])
    let source = server.source()
    #expect(try await source.continueSession(own) == own)
    _ = try await server.call(source)
    #expect(server.calls == ["create", "create", "get", "execute"])
    for id in [foreign, "trs_99", "../../x", ""] {
      #expect(try await server.source().continueSession(id) == "trs_3")
    }
    #expect(server.count("create") == 3)
  }

  @Test func `random answers neither crash a source nor pass for a result`() async throws {
    let home = try Home()
    let reply = Mutex(Reply(bytes: []))
    let server = try LoopbackServer { _ in reply.withLock { $0 } }
    let router = ComposioRouter(
      base: server.url(""), key: "k", client: HTTPClient(), pause: { _ in })
    let valid = [
      #"{"session_id":"trs_1","config":{"user_id":"default"}}"#,
      #"{"items":[{"slug":"A_B","input_parameters":{},"tags":["x"],"toolkit":{"slug":"a"}}]}"#,
      #"{"data":{"a":1},"error":null,"log_id":"l"}"#,
      #"{"error":{"message":"no","slug":"s","code":4302,"status":400}}"#,
      #"{"results":[{"primary_tool_slugs":["A_B"]}],"tool_schemas":{"A_B":{"input_schema":{}}}}"#,
      #"{"redirect_url":"https://a.example/l"}"#,
    ]
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var bytes = Array(random.one(of: valid, else: "").utf8)
      for _ in 0..<Int.random(in: 0...8, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if random.chance(3) { bytes = Array(bytes.prefix(Int.random(in: 0...20, using: &random))) }
      let status = random.one(of: [200, 201, 204, 302, 400, 404, 410, 500], else: 200)
      let answer = Reply(
        "HTTP/1.1 \(status) x\ncontent-length: \(bytes.count)\n\n", body: bytes)
      reply.withLock { $0 = answer }
      let before = server.requests.count
      let source = ComposioSource(
        router, Settings.ComposioSettings(), home.directories, connect: nil, report: { _ in })
      let tool = ToolRecord(name: "A_B", source: "composio", inputSchema: .object([:]))
      _ = try? await source.tools(fresh: true)
      _ = try? await source.search("x")
      _ = try? await source.link("a")
      if let result = try? await source.call(tool, .object([:])) {
        #expect(!result.content.isEmpty)
      }
      // Four tasks, each with a new session at most once.
      #expect(server.requests.count - before <= 24, "seed \(seed)")
    }
  }

  private func stored(_ server: ComposioServer) throws -> String {
    let folder = server.home.directories.cache + "/composio"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return folder + "/" + (try #require(names.first))
  }
}
