import Core
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import MCP

/// The client scenarios that are scored for 2026-07-28, but those of OAuth.
struct WebScenarioTests {
  private static let ok =
    #"{"resultType":"complete","content":[{"type":"text","text":"ok"}]}"#

  /// A server without a handshake, with the given tools.
  private func peer(
    _ tools: String, call: @escaping @Sendable (Received) -> Reply = { WebPeer.result($0, ok) }
  ) throws -> WebPeer {
    try WebPeer { request in
      let head = #""resultType":"complete","ttlMs":0,"cacheScope":"private""#
      switch request.method {
      case "server/discover":
        let known = #""supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}"#
        return WebPeer.result(request, "{\(head),\(known)}")
      case "tools/list": return WebPeer.result(request, "{\(head),\"tools\":\(tools)}")
      default: return call(request)
      }
    }
  }

  private func arguments(_ json: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
  }

  @Test func `tools_call and http-standard-headers: each request names what it is`() async throws {
    let peer = try peer(#"[{"name":"add_numbers","inputSchema":{"type":"object"}}]"#)
    let client = client(of: peer.server.url("/mcp"))
    let listing = try await client.tools()
    #expect(listing.revision == .modern)
    #expect(listing.ttlMs == 0)
    let result = try await client.call(
      listing.tool("add_numbers"), arguments: arguments(#"{"a":5,"b":3}"#))
    #expect(result.texts == ["ok"])
    #expect(
      peer.requests.map { $0.fields["mcp-method"] } == [
        "server/discover", "tools/list", "tools/call",
      ])
    #expect(peer.requests.map { $0.fields["mcp-name"] } == [nil, nil, "add_numbers"])
    try expectValid(peer, .modern)
  }

  @Test func `request-metadata: a refused version is negotiated, and fields repeat the metadata`()
    async throws
  {
    let refusals = Mutex(1)
    let peer = try WebPeer { request in
      let refuses = refusals.withLock { refusals in
        defer { refusals = 0 }
        return refusals > 0
      }
      guard !refuses else {
        return WebPeer.status(
          "400 No",
          body: #"{"jsonrpc":"2.0","id":\#(request.id),"error":{"code":-32022,"message":"no","#
            + #""data":{"supported":["2026-07-28"],"requested":"x"}}}"#)
      }
      return WebPeer.result(
        request, request.method == "tools/list" ? #"{"tools":[]}"# : #"{"content":[]}"#)
    }
    let client = client(of: peer.server.url("/mcp"), person: WillingPerson())
    #expect(try await client.tools().revision == .modern)
    for request in peer.requests {
      let meta = request.body.members?["params"]?.members?["_meta"]?.members
      let version = meta?["io.modelcontextprotocol/protocolVersion"]
      #expect(version == request.fields["mcp-protocol-version"].map(JSONValue.string))
      #expect(meta?["io.modelcontextprotocol/clientInfo"] != nil)
      let capabilities = meta?["io.modelcontextprotocol/clientCapabilities"]?.members
      #expect(capabilities?["elicitation"]?.members != nil)
    }
    #expect(peer.requests.count == 2)
    try expectValid(peer, .modern)
  }

  @Test func `http-custom-headers: annotated arguments are mirrored and encoded`() async throws {
    let names: [(String, String, String)] = [
      ("region", "string", "Region"), ("priority", "integer", "Priority"),
      ("verbose", "boolean", "Verbose"), ("debug", "boolean", "Debug"),
      ("empty_val", "string", "EmptyVal"), ("method_val", "string", "Method"),
      ("non_ascii_val", "string", "NonAscii"), ("leading_space_val", "string", "LeadingSpace"),
      ("internal_space_val", "string", "InternalSpace"), ("crlf_val", "string", "CrLf"),
      ("tab_val", "string", "Tab"), ("nothing", "boolean", "Nothing"),
    ]
    let properties = names.map { #""\#($0)":{"type":"\#($1)","x-mcp-header":"\#($2)"}"# }
    let peer = try peer(
      #"[{"name":"t","inputSchema":{"type":"object","properties":{"float_val":{"type":"number"},"#
        + properties.joined(separator: ",") + "}}}]")
    let client = client(of: peer.server.url("/mcp"))
    let tool = try await client.tools().tool("t")
    _ = try await client.call(
      tool,
      arguments: arguments(
        #"{"region":"us-west1","priority":42,"verbose":false,"debug":true,"empty_val":"","#
          + #""method_val":"test-method","float_val":3.14159,"non_ascii_val":"Hello, 世界","#
          + #""leading_space_val":" us-west1","internal_space_val":"us west 1","#
          + #""crlf_val":"line1\r\nline2","tab_val":"\tindented","nothing":null}"#))
    let call = try #require(peer.requests.last)
    let mirrored = call.fields.filter { $0.key.hasPrefix("mcp-param-") }
    #expect(
      mirrored == [
        "mcp-param-region": "us-west1", "mcp-param-priority": "42",
        "mcp-param-verbose": "false", "mcp-param-debug": "true", "mcp-param-emptyval": "",
        "mcp-param-method": "test-method",
        "mcp-param-nonascii": "=?base64?SGVsbG8sIOS4lueVjA==?=",
        "mcp-param-leadingspace": "=?base64?IHVzLXdlc3Qx?=",
        "mcp-param-internalspace": "us west 1",
        "mcp-param-crlf": "=?base64?bGluZTENCmxpbmUy?=",
        "mcp-param-tab": "=?base64?CWluZGVudGVk?=",
      ])
    #expect(call.fields["mcp-method"] == "tools/call")
    try expectValid(peer, .modern)
  }

  @Test func `http-invalid-tool-headers: a tool with a broken mark is left out and reported`()
    async throws
  {
    let broken = [
      #"{"value":{"type":"string","x-mcp-header":""}}"#,
      #"{"data":{"type":"object","x-mcp-header":"Data"}}"#,
      #"{"a":{"type":"string","x-mcp-header":"My"},"b":{"type":"string","x-mcp-header":"my"}}"#,
      #"{"value":{"type":"string","x-mcp-header":"Region:Primary"}}"#,
    ]
    let entries = broken.enumerated().map {
      #"{"name":"bad\#($0)","inputSchema":{"type":"object","properties":\#($1)}}"#
    }
    let good =
      #"{"name":"valid_tool","inputSchema":{"type":"object","properties":"#
      + #"{"region":{"type":"string","x-mcp-header":"Region"}}}}"#
    let peer = try peer("[" + (entries + [good]).joined(separator: ",") + "]")
    let client = client(of: peer.server.url("/mcp"))
    let listing = try await client.tools()
    #expect(listing.names == ["valid_tool"])
    #expect(listing.faults.count == 4)
    #expect(listing.faults.allSatisfy { $0.contains("bad") })
    _ = try await client.call(
      listing.tool("valid_tool"), arguments: arguments(#"{"region":"x"}"#))
    #expect(peer.requests.last?.fields["mcp-param-region"] == "x")
  }

  @Test func `json-schema-ref-no-deref: a reference to another document is not fetched`()
    async throws
  {
    let peer = try peer(
      ##"[{"name":"lookup_user","inputSchema":{"type":"object","$defs":{"id":{"type":"string"}},"##
        + ##""properties":{"id":{"$ref":"#/$defs/id"},"profile":{"$ref":"/canary.json"}}}}]"##)
    let client = client(of: peer.server.url("/mcp"))
    let tool = try await client.tools().tool("lookup_user")
    _ = try await client.call(tool, arguments: arguments(#"{"id":"a"}"#))
    #expect(peer.requests.allSatisfy { $0.start == "POST /mcp" })
  }

  @Test func `sep-2322-client-request-state: a question is answered under a new id`()
    async throws
  {
    let peer = try peer(
      #"[{"name":"state","inputSchema":{"type":"object"}},"#
        + #"{"name":"none","inputSchema":{"type":"object"}}]"#
    ) { request in
      let params = request.body.members?["params"]?.members
      guard params?["inputResponses"] == nil else { return WebPeer.result(request, Self.ok) }
      let state = params?["name"] == .string("state") ? #","requestState":"{\"n\": 1}""# : ""
      return WebPeer.result(
        request,
        #"{"resultType":"input_required","inputRequests":{"confirm":{"method":"#
          + #""elicitation/create","params":{"mode":"form","message":"Please","requestedSchema":"#
          + #"{"type":"object","properties":{"confirmed":{"type":"boolean","default":true}}}}}}"#
          + state + "}")
    }
    let client = client(of: peer.server.url("/mcp"), person: WillingPerson())
    let listing = try await client.tools()
    for name in ["state", "none"] {
      let result = try await client.call(listing.tool(name), arguments: .object([:]))
      #expect(result.texts == ["ok"])
    }
    let calls = peer.requests.filter { $0.method == "tools/call" }
    let params = calls.map { $0.body.members?["params"]?.members ?? [:] }
    #expect(Set(calls.map(\.id)).count == 4)
    #expect(
      params.map { $0["requestState"] } == [nil, .string(#"{"n": 1}"#), nil, nil])
    let answer: JSONValue = .object([
      "confirm": .object([
        "action": .string("accept"), "content": .object(["confirmed": .bool(true)]),
      ])
    ])
    #expect(params.map { $0["inputResponses"] } == [nil, answer, nil, answer])
    try expectValid(peer, .modern)
  }

  @Test func `a mismatch of fields makes the client read the list again, once`() async throws {
    let peer = try peer(
      #"[{"name":"where","inputSchema":{"type":"object","properties":"#
        + #"{"region":{"type":"string","x-mcp-header":"Region"}}}}]"#
    ) { request in
      request.fields["mcp-param-region"] == "x"
        ? WebPeer.result(request, Self.ok)
        : WebPeer.status("400 No", body: WebPeer.error(request.id, -32020))
    }
    let client = client(of: peer.server.url("/mcp"))
    let stale = MCPTool(name: "where", inputSchema: .object(["type": .string("object")]))
    let result = try await client.call(stale, arguments: arguments(#"{"region":"x"}"#))
    #expect(result.texts == ["ok"])
    let failure = await #expect(throws: Failure.self) {
      try await client.call(stale, arguments: arguments(#"{"region":"y"}"#))
    }
    #expect(failure?.kind == .headerMismatch)
    #expect(peer.requests.count { $0.method == "tools/call" } == 4)
    #expect(peer.requests.count { $0.method == "tools/list" } == 2)
  }
}
