import Core
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import MCP

/// The client scenarios that are scored for 2025-11-25, but those of OAuth, and the way to that
/// era and back.
struct WebHandshakeTests {
  private static let old = MCPRevision(rawValue: "2025-11-25")
  private static let tools = #"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#

  /// The id of the session that a server has.
  private final class Session: Sendable {
    let id = Mutex("s-1")
  }

  /// A server with a handshake, which knows no other request without a session.
  private func peer(
    session: Session = Session(),
    call: @escaping @Sendable (Received) -> Reply = { WebPeer.result($0) }
  ) throws -> WebPeer {
    try WebPeer { request in
      let session = session.id.withLock { $0 }
      if let reply = WebPeer.handshake(request, session: session) { return reply }
      let refusal = WebPeer.error(#""server-error""#, -32600)
      guard let own = request.fields["mcp-session-id"] else {
        return WebPeer.status("400 No", body: refusal)
      }
      guard own == session else { return WebPeer.status("404 No", body: refusal) }
      return request.method == "tools/list" ? WebPeer.result(request, Self.tools) : call(request)
    }
  }

  @Test func `initialize and tools_call: an older server is found, and begins a session`()
    async throws
  {
    let peer = try peer()
    let client = client(of: peer.server.url("/mcp"))
    let listing = try await client.tools()
    #expect(listing.revision == Self.old)
    #expect(await client.revision == Self.old)
    _ = try await client.call(listing.tool("t"), arguments: .object([:]))
    await client.close()
    #expect(
      peer.requests.map { String($0.start.prefix(4)) + $0.method } == [
        "POSTserver/discover", "POSTinitialize", "POSTnotifications/initialized",
        "POSTtools/list", "POSTtools/call", "DELE",
      ])
    #expect(
      peer.requests.dropFirst(2).allSatisfy {
        $0.fields["mcp-session-id"] == "s-1" && $0.fields["mcp-protocol-version"] == "2025-11-25"
      })
    guard let schema = try ProtocolSchema(Self.old) else { return }
    #expect(try schema.faults(of: Array(peer.requests.dropFirst())).isEmpty)
  }

  @Test func `a remembered older revision needs no probe`() async throws {
    let peer = try peer()
    let client = client(of: peer.server.url("/mcp"), remembered: Self.old)
    _ = try await client.tools()
    #expect(
      peer.requests.map(\.method) == ["initialize", "notifications/initialized", "tools/list"])
    try expectValid(peer, Self.old)
  }

  @Test func `a remembered revision that has ceased to work is found anew`() async throws {
    let peer = try peer()
    let client = client(of: peer.server.url("/mcp"), remembered: .modern)
    #expect(try await client.tools().revision == Self.old)
    #expect(
      peer.requests.map(\.method) == [
        "tools/list", "server/discover", "initialize", "notifications/initialized", "tools/list",
      ])
  }

  @Test func `a call in a session that is gone runs once, in a new session`() async throws {
    let session = Session()
    let peer = try peer(session: session)
    let client = client(of: peer.server.url("/mcp"))
    let tool = try await client.tools().tool("t")
    session.id.withLock { $0 = "s-2" }
    _ = try await client.call(tool, arguments: .object([:]))
    await client.close()
    let calls = peer.requests.filter { $0.method == "tools/call" }
    #expect(calls.map { $0.fields["mcp-session-id"] } == ["s-1", "s-2"])
    let ends = peer.requests.filter { $0.start.hasPrefix("DELETE") }
    #expect(ends.map { $0.fields["mcp-session-id"] } == ["s-2"])
  }

  @Test func `elicitation-sep1034-client-defaults: a form is accepted with its defaults`()
    async throws
  {
    let ask =
      #"{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"message":"Please","#
      + #""requestedSchema":{"type":"object","required":[],"properties":{"#
      + #""name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"#
      + #""score":{"type":"number","default":95.5},"#
      + #""status":{"type":"string","enum":["active","inactive"],"default":"active"},"#
      + #""verified":{"type":"boolean","default":true}}}}}"#
    let peer = try peer { request in
      request.method == "tools/call"
        ? WebPeer.events([ask, WebPeer.body(request)].map(WebPeer.event).joined())
        : WebPeer.status("202 Accepted")
    }
    let client = client(of: peer.server.url("/mcp"), remembered: Self.old, person: WillingPerson())
    _ = try await client.call(client.tools().tool("t"), arguments: .object([:]))
    let reply = try #require(peer.requests.last)
    #expect(reply.id == "0")
    #expect(
      reply.body.members?["result"]
        == .object([
          "action": .string("accept"),
          "content": .object([
            "name": .string("John Doe"), "age": .int(30), "score": .double(95.5),
            "status": .string("active"), "verified": .bool(true),
          ]),
        ]))
    try expectValid(peer, Self.old)
  }

  @Test func `sse-retry: a closed stream is resumed after its last event`() async throws {
    let call = Mutex<Received?>(nil)
    let peer = try peer { request in
      guard request.start.hasPrefix("GET") else {
        call.withLock { $0 = request }
        return WebPeer.events("id: event-1\nretry: 500\ndata: \n\n")
      }
      guard let call = call.withLock({ $0 }) else { return WebPeer.status("400 No") }
      return WebPeer.events(
        "id: event-2\nretry: 500\ndata: \n\nid: event-3\n" + WebPeer.event(WebPeer.body(call)),
        then: .hold)
    }
    let client = client(of: peer.server.url("/mcp"), remembered: Self.old)
    let tool = try await client.tools().tool("t")
    let clock = ContinuousClock()
    let begin = clock.now
    _ = try await client.call(tool, arguments: .object([:]))
    // The server's wait is a lower bound, which a slow machine does not break.
    #expect(clock.now - begin >= .milliseconds(500))
    let resumption = try #require(peer.requests.last)
    #expect(resumption.start == "GET /mcp")
    #expect(resumption.fields["last-event-id"] == "event-1")
    #expect(peer.requests.count { $0.method == "tools/call" } == 1)
  }

  @Test func `an address that is no server of the protocol is not found`() async throws {
    for status in ["404 No", "405 No"] {
      let peer = try WebPeer { _ in WebPeer.status(status, "text/html", "<p>no</p>") }
      let failure = await #expect(throws: Failure.self) {
        try await client(of: peer.server.url("/mcp")).tools()
      }
      #expect(failure?.code == .notFound)
      #expect(peer.requests.map(\.method) == ["server/discover", "initialize"])
    }
    let page = try WebPeer { _ in WebPeer.status("200 OK", "text/html", "<p>no</p>") }
    let failure = await #expect(throws: Failure.self) {
      try await client(of: page.server.url("/mcp")).tools()
    }
    #expect(failure?.code == .invalidResponse)
  }
}
