import Core
import Foundation
import HTTP
import Synchronization
import Testing

@testable import MCP

/// The SDK of the protocol and fastmcp as servers over HTTP, in both eras.
@Suite(.enabled(if: LiveServer.areThere, "scripts/test installs the servers"))
struct WebLiveTests {
  private static let old = MCPRevision(rawValue: "2025-11-25")

  @Test(arguments: [
    "sdk", "sdk --json", "sdk --events", "fastmcp", "fastmcp --json --stateless", "old",
    "old --json", "old --stateless",
  ])
  func `tools are listed and called`(server words: String) async throws {
    let server = try LiveServer(words)
    let notes = Mutex<[String]>([])
    let client = client(of: server.url) { note in
      if case .progress(let text) = note { notes.withLock { $0.append(text) } }
    }
    let listing = try await client.tools()
    #expect(listing.revision == (words.hasPrefix("old") ? Self.old : .modern))
    #expect(listing.names == ["add", "where", "fail", "count", "book", "leave"])
    #expect(listing.faults == [])
    try await callAll(client, listing)
    #expect(!words.contains("json") == notes.withLock { $0 }.contains { $0.contains("step 1") })
    await client.close()
  }

  @Test(arguments: ["sdk", "fastmcp", "fastmcp --json"])
  func `a server of both eras begins with a handshake if that is asked for`(
    server words: String
  ) async throws {
    let server = try LiveServer(words)
    let client = client(of: server.url, revision: Self.old)
    let listing = try await client.tools()
    #expect(listing.revision == Self.old)
    try await callAll(client, listing)
    await client.close()
  }

  private func callAll(_ client: MCPClient, _ listing: MCPListing) async throws {
    let sum = try await client.call(
      listing.tool("add"), arguments: .object(["a": .int(2), "b": .int(3)]))
    #expect(sum.texts == ["5"])
    #expect(!sum.isError)
    for region in ["us-west1", " päd ", "=?base64?literal?="] {
      let place = try await client.call(
        listing.tool("where"), arguments: .object(["region": .string(region)]))
      #expect(place.texts == [region])
    }
    #expect(try await client.call(listing.tool("fail"), arguments: .object([:])).isError)
    #expect(
      try await client.call(listing.tool("count"), arguments: .object([:])).texts == ["counted"])
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<8 {
        group.addTask {
          let tool = try listing.tool("add")
          let arguments: JSONValue = .object(["a": .int(number), "b": .int(0)])
          return try await client.call(tool, arguments: arguments).texts
        }
      }
      var sums: [String] = []
      for try await texts in group { sums += texts }
      #expect(sums.sorted() == (0..<8).map(String.init))
    }
  }

  @Test func `a stale schema is read again after a mismatch of fields`() async throws {
    let server = try LiveServer("sdk")
    let client = client(of: server.url)
    let stale = MCPTool(name: "where", inputSchema: .object(["type": .string("object")]))
    let result = try await client.call(
      stale, arguments: .object(["region": .string("us-west1")]))
    #expect(result.texts == ["us-west1"])
  }

  @Test(arguments: ["sdk", "fastmcp", "old"])
  func `a server with a handshake asks the person on the stream of the call`(
    server words: String
  ) async throws {
    let server = try LiveServer(words)
    let client = client(
      of: server.url, revision: Self.old, person: WillingPerson(members: ["nights": .int(3)]))
    let result = try await client.call(client.tools().tool("book"), arguments: .object([:]))
    #expect(result.texts == ["accept 3"])
    await client.close()
  }

  @Test(arguments: ["sdk --events", "old --events"])
  func `a stream that the server closes is resumed`(server words: String) async throws {
    let server = try LiveServer(words)
    let client = client(of: server.url, revision: Self.old)
    let result = try await client.call(client.tools().tool("leave"), arguments: .object([:]))
    #expect(result.texts == ["back"])
    await client.close()
  }

  @Test func `a session that its server has ended begins anew`() async throws {
    let server = try LiveServer("old")
    let http = HTTPClient()
    let place = WebPlace(name: "mcp:test", url: server.url)
    let channel = WebChannel(place, client: http)
    let initialize = MCPRequest(
      method: "initialize",
      params: [
        "protocolVersion": .string("2025-11-25"), "capabilities": .object([:]),
        "clientInfo": .object(["name": .string("t"), "version": .string("1")]),
      ], isRepeatable: true)
    _ = try await channel.exchange(initialize, nil, timeout: .seconds(600)) { _ in nil }
    try await channel.notify("notifications/initialized", [:], Self.old)
    let id = channel.session.withLock(\.id)
    let session = try #require(id)
    let end = HTTPRequest(
      url: server.url, method: "DELETE", fields: [HTTPField("MCP-Session-Id", session)])
    #expect(try await http.collect(end).head.status == 200)
    let list = MCPRequest(method: "tools/list", params: [:], isRepeatable: true)
    let gone = await failure { () async throws(Failure) in
      try await channel.exchange(list, Self.old, timeout: .seconds(600)) { _ in nil }
    }
    #expect(gone?.kind == .sessionGone)
  }
}
