import Foundation
import TestSupport
import Testing

/// Tools whose schemas providers refuse, although servers may list them.
@Suite("schemas of tools and models")
struct ToolSchemaTests {
  private static let tools = #"""
    [{"name":"echo_plain","inputSchema":{"type":"object"}},
     {"name":"echo_any","inputSchema":{"anyOf":[
       {"type":"object","properties":{"room":{"type":"integer"}},"required":["room"]},
       {"type":"object","properties":{"everyone":{"const":true}},"required":["everyone"]}]}},
     {"name":"echo_if","inputSchema":{"type":"object","properties":{"way":{"type":"string"}},
       "allOf":[{"if":{"properties":{"way":{"const":"card"}}},"then":{"required":["pin"]}}]}},
     {"name":"echo_ref","inputSchema":{"$ref":"#/$defs/A","$defs":{"A":{"type":"object",
       "properties":{"x":{"type":"string"},"inner":{"$ref":"#/$defs/A"}},"required":["x"]}}}},
     {"name":"echo_empty","inputSchema":{}},
     {"name":"echo_null","inputSchema":{"type":["object","null"]}},
     {"name":"echo_old","inputSchema":{"type":"object","required":null}},
     {"name":"echo_list","inputSchema":{"type":"array"}},
     {"name":"echo_far","inputSchema":{"$ref":"https://a.example/x.json"}}]
    """#

  private static let calls = #"""
    [{"calls":[
      {"id":"c1","name":"t__echo_any","arguments":"{\"arguments\":{\"room\":7}}"},
      {"id":"c2","name":"t__echo_any","arguments":"{\"arguments\":{\"everyone\":false}}"},
      {"id":"c3","name":"t__echo_any","arguments":"{\"everyone\":true}"},
      {"id":"c4","name":"t__echo_ref","arguments":"{\"arguments\":{\"x\":\"y\"}}"},
      {"id":"c5","name":"t__echo_empty","arguments":"{\"arguments\":{}}"}]},
     {"text":"Done."}]
    """#

  private func serve(_ scratch: Scratch) async throws -> Server {
    scratch.set("TAVILY_API_KEY", nil)
    let server = try await scratch.serveWires(Self.calls)
    scratch.set("LOCAL_API_KEY", scratch.secret)
    try scratch.write(
      "home/config/config.toml",
      scratch.read("home/config/config.toml") + """
        [models.chatter]
        provider = "local"
        endpoint = "\(server.url("/v1"))"

        """)
    try await scratch.addServer("t", tools: Self.tools)
    return server
  }

  @Test(arguments: ChatToolTests.models)
  func `every tool is offered in a form that is accepted, and called as itself`(
    _ model: String
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch)
      let run = try await scratch.shell(
        "chat-send -n Go. --model \(model) --tool 'mcp:t/*' --allow 'mcp:t/*'")
      #expect(run.statuses == [0], "\(run.errors)")
      #expect(run.records.last?["text"] == "Done.")
      #expect(run.errors.contains("'mcp:t/echo_list' is not offered: its schema accepts no object"))
      #expect(run.errors.contains("left out 'mcp:t/echo_far': "))
      // Calls run side by side.
      let called = scratch.read("given/t.log").split(separator: "\n").compactMap { line in
        line.firstMatch(of: /"arguments": (.*), "name"/).map { String($0.1) }
      }
      #expect(
        called.sorted() == [
          #"{"arguments": {}}"#, #"{"everyone": true}"#, #"{"room": 7}"#, #"{"x": "y"}"#,
        ])
      let results = run.records("toolResult").sorted { $0["id"] < $1["id"] }
      #expect(results.map { $0["error.code"] } == ["", "BadInput", "", "", ""])
      #expect(results[1]["error.explanation"].contains("'/everyone'"))
      // The next request has the calls as the schemas require them.
      #expect(server.requests.count == 2)
      let body = try #require(server.requests.last)["body"].replacing("\\", with: "")
      #expect(body.contains(#"{"arguments":{"room":7}}"#), "\(body)")
      #expect(body.contains(##""$ref":"#/$defs/A""##))
      #expect(body.contains(#"The arguments follow this JSON Schema: {"required":null"#))
      let kept = try await scratch.shell(
        "chat-log show $(chat-log list | jq -r .id) | jq -c '.toolCalls // [] | .[0].arguments'")
      #expect(kept.output.contains(#"{"room":7}"#))
    }
  }

  @Test func `arguments of the command line are read by such schemas`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("t", tools: Self.tools)
      let names = try await scratch.shell("tool-call list | jq -r .name")
      #expect(names.output.split(separator: "\n").count == 8)
      for call in [
        "echo_any everyone=true", "echo_any room=7", "echo_ref x=5", "echo_if way=card",
        "echo_if way=cash", "echo_ref y=5", "echo_null", "echo_old a=1", "echo_list",
      ] {
        try await scratch.shell(
          "tool-call mcp:t/\(call) | jq -c '.structuredContent // .error.code'")
      }
      try scratch.expectGolden("tool-call/compositions")
    }
  }
}
