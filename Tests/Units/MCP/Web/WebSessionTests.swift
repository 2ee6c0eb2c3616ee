import Core
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import MCP

/// The sessions and the streams of the older revisions.
struct WebSessionTests {
  private let old = MCPRevision(rawValue: "2025-11-25")

  @Test func `a session is named in all later requests, and ended at the close`() async throws {
    let peer = try WebPeer { WebPeer.handshake($0) ?? WebPeer.result($0) }
    try await peer.begin()
    _ = try await peer.call(old, mirrored: [("Region", "x")])
    await peer.channel.close()
    await peer.channel.close()
    let requests = peer.requests
    #expect(
      requests.map { String($0.start.prefix(4)) + $0.method } == [
        "POSTinitialize", "POSTnotifications/initialized", "POSTtools/call", "DELE",
      ])
    #expect(requests.map { $0.fields["mcp-session-id"] } == [nil, "s-1", "s-1", "s-1"])
    let version = requests.map { $0.fields["mcp-protocol-version"] }
    #expect(version == [nil, "2025-11-25", "2025-11-25", "2025-11-25"])
    #expect(requests.allSatisfy { $0.fields["mcp-method"] == nil })
    #expect(requests.allSatisfy { $0.fields["mcp-param-region"] == nil })
  }

  @Test func `a session id masks no word of others`() async throws {
    let peer = try WebPeer { WebPeer.handshake($0, session: "unremarkable") ?? WebPeer.result($0) }
    try await peer.begin()
    _ = try await peer.call(old)
    #expect(peer.requests.last?.fields["mcp-session-id"] == "unremarkable")
    #expect(Secrets.redacted("an unremarkable word") == "an unremarkable word")
  }

  @Test(arguments: ["a b", "é", String(repeating: "x", count: 5000)])
  func `a malformed session id is not used`(id: String) async throws {
    let peer = try WebPeer { WebPeer.handshake($0, session: id) ?? WebPeer.result($0) }
    try await peer.begin()
    _ = try await peer.call(old)
    #expect(peer.requests.allSatisfy { $0.fields["mcp-session-id"] == nil })
  }

  @Test func `a session that is gone is reported, and a new one begins`() async throws {
    let alive = Mutex("s-1")
    let peer = try WebPeer { request in
      if let reply = WebPeer.handshake(request, session: alive.withLock { $0 }) { return reply }
      return request.fields["mcp-session-id"] == alive.withLock { $0 }
        ? WebPeer.result(request)
        : WebPeer.status("404 No", body: WebPeer.error(#""server-error""#, -32600))
    }
    try await peer.begin()
    alive.withLock { $0 = "s-2" }
    let failure = await failure { () async throws(Failure) in try await peer.call(old) }
    #expect(failure?.code == .notFound)
    #expect(failure?.kind == .sessionGone)
    try await peer.begin()
    #expect(try await peer.call(old).result != nil)
    let sessions = peer.requests.map { $0.fields["mcp-session-id"] }
    #expect(sessions == [nil, "s-1", "s-1", nil, "s-2", "s-2"])
  }

  @Test func `a request of the server is answered in the session`() async throws {
    let ping = #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#
    let sample = #"{"jsonrpc":"2.0","id":4,"method":"sampling/createMessage","params":{"a":1}}"#
    let peer = try WebPeer { request in
      if let reply = WebPeer.handshake(request) { return reply }
      guard request.method == "tools/call" else { return WebPeer.status("202 Accepted") }
      return WebPeer.events(
        [ping, sample, WebPeer.body(request)].map(WebPeer.event).joined())
    }
    try await peer.begin()
    let reply = try await peer.call(old) { incoming in
      if case .request("ping", _) = incoming { return .result([:]) }
      return nil
    }
    #expect(reply.result != nil)
    let replies = peer.requests.suffix(2)
    #expect(replies.map(\.id) == [#""p""#, "4"])
    #expect(replies.map { $0.body.members?["result"] } == [.object([:]), nil])
    #expect(replies.last?.body.members?["error"]?.members?["code"] == .int(-32601))
    #expect(replies.allSatisfy { $0.fields["mcp-session-id"] == "s-1" })
    #expect(replies.allSatisfy { $0.fields["mcp-protocol-version"] == "2025-11-25" })
  }

  @Test func `a stream that breaks off after an event is resumed after its last one`()
    async throws
  {
    let id = Mutex("")
    let peer = try WebPeer { request in
      if let reply = WebPeer.handshake(request) { return reply }
      let prime = "retry: 100\n"
      switch request.fields["last-event-id"] {
      case nil:
        id.withLock { $0 = request.id }
        return WebPeer.events(prime + "id: e-1\ndata:\n\n")
      case "e-1": return WebPeer.events(prime + "id: e-2\ndata: {\"jsonrpc\":\"2.0\",")
      case "e-2": return WebPeer.events("id: no")
      default: return WebPeer.status("404 No")
      }
    }
    // The event e-2 is incomplete, so that the third stream begins after e-1 too.
    try await peer.begin()
    let failure = await failure { () async throws(Failure) in try await peer.call(old) }
    #expect(failure?.kind == .unknownOutcome)
    let resumptions = peer.requests.filter { $0.start.hasPrefix("GET") }
    #expect(resumptions.map { $0.fields["last-event-id"] } == Array(repeating: "e-1", count: 5))
    #expect(resumptions.allSatisfy { $0.fields["mcp-session-id"] == "s-1" })
    #expect(resumptions.allSatisfy { $0.fields["accept"] == "text/event-stream" })
  }

  @Test func `a resumed stream brings the answer, and the call is sent once`() async throws {
    let call = Mutex<Received?>(nil)
    let peer = try WebPeer { request in
      if let reply = WebPeer.handshake(request) { return reply }
      guard let last = request.fields["last-event-id"] else {
        call.withLock { $0 = request }
        return WebPeer.events("id: 0\nretry: 100\ndata:\n\n")
      }
      guard last == "7", let call = call.withLock({ $0 }) else {
        return WebPeer.events("id: \((Int(last) ?? 0) + 1)\ndata:\n\n")
      }
      return WebPeer.events("id: end\n" + WebPeer.event(WebPeer.body(call)))
    }
    try await peer.begin()
    #expect(try await peer.call(old).result != nil)
    #expect(peer.requests.count { $0.method == "tools/call" } == 1)
    #expect(
      peer.requests.compactMap { $0.fields["last-event-id"] } == (0...7).map(String.init))
  }

  @Test func `a server that cannot resume has lost the answer`() async throws {
    let peer = try WebPeer { request in
      WebPeer.handshake(request)
        ?? (request.start.hasPrefix("GET")
          ? WebPeer.status("405 No") : WebPeer.events("id: 0\nretry: 100\ndata:\n\n"))
    }
    try await peer.begin()
    let failure = await failure { () async throws(Failure) in try await peer.call(old) }
    #expect(failure?.kind == .unknownOutcome)
    #expect(peer.requests.count { $0.start.hasPrefix("GET") } == 1)
  }

  @Test func `a time limit and an interruption cancel the request`() async throws {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let peer = try WebPeer { request in
      if let reply = WebPeer.handshake(request) { return reply }
      continuation.yield()
      return WebPeer.events(": wait\n\n", then: .hold)
    }
    try await peer.begin()
    let late = await failure { () async throws(Failure) in
      try await peer.call(old, timeout: .seconds(10))
    }
    #expect(late?.code == .timeout)
    let task = Task { await failure { () async throws(Failure) in try await peer.call(old) } }
    var count = 0
    for await _ in started {
      count += 1
      if count == 2 { break }
    }
    task.cancel()
    #expect(await task.value?.code == .interrupted)
    let calls = peer.requests.filter { $0.method == "tools/call" }.map(\.id)
    let cancelled = peer.requests.filter { $0.method == "notifications/cancelled" }
    #expect(
      cancelled.map { $0.body.members?["params"]?.members?["requestId"] }
        == calls.map {
          Int($0).map(JSONValue.int)
        })
    #expect(cancelled.allSatisfy { $0.fields["mcp-session-id"] == "s-1" })
  }

  @Test func `the time that a person takes to answer does not count`() async throws {
    let ask = #"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}"#
    let (answered, continuation) = AsyncStream.makeStream(of: Void.self)
    let peer = try WebPeer { request in
      if let reply = WebPeer.handshake(request) { return reply }
      guard request.method == "tools/call" else { return WebPeer.status("202 Accepted") }
      return WebPeer.events(
        [ask, WebPeer.body(request)].map(WebPeer.event).joined())
    }
    try await peer.begin()
    let task = Task {
      try await peer.call(old, timeout: .seconds(10)) { _ in
        for await _ in answered { break }
        return .result(["action": .string("decline")])
      }
    }
    // A second request whose time runs out shows that the time of the first one is over.
    let silent = try WebPeer { _ in WebPeer.events("", then: .hold) }
    _ = await failure { () async throws(Failure) in
      try await silent.call(timeout: .seconds(11))
    }
    continuation.yield()
    #expect(try await task.value.result != nil)
  }

  @Test func `an array of messages is read as they are`() async throws {
    let peer = try WebPeer { request in
      let note = #"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#
      return WebPeer.handshake(request)
        ?? WebPeer.status("200 OK", body: "[7,\(note),\(WebPeer.body(request))]")
    }
    try await peer.begin()
    #expect(try await peer.call(old).result != nil)
  }
}
