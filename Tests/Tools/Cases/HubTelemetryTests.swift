import Foundation
import TestSupport
import Testing

/// A hub that receives the telemetry of coding agents, from the exporters of OpenTelemetry's SDK.
@Suite(
  "hub-serve --otlp-listen",
  .enabled(
    if: Scratch.peer("venv-otlp-grpc", "python") != nil, ".build/venv-otlp-grpc is missing"))
struct HubTelemetryTests {
  /// Runs a test with a hub that receives calls at `CALLS`; `SEND` is the sender.
  private static func withHub(
    _ settings: String = "", _ body: (Scratch, Running) async throws -> Void
  ) async throws {
    try await Scratch.withHub { scratch in
      try scratch.write(
        "home/config/config.toml", "[serve]\notlp_listen = \"127.0.0.1:0\"\n\(settings)")
    } _: { scratch, hub in
      let address = hub.errors.firstMatch(of: /over gRPC on (\S+)/)?.output.1
      scratch.set("CALLS", String(address ?? ""))
      let python = Scratch.peer("venv-otlp-grpc", "python") ?? ""
      scratch.set("SEND", "\(python) \(Places.tests)/Support/Servers/telemetry_sender.py")
      scratch.set("OTEL_EXPORTER_OTLP_TIMEOUT", "300")
      scratch.set(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "authorization=Bearer%20\(scratch.environment["TOKEN"] ?? "")")
      try await body(scratch, hub)
    }
  }

  // MARK: Bodies

  private static func attributes(_ members: KeyValuePairs<String, any Sendable>) -> String {
    let parts = members.map { name, value in
      let json =
        switch value {
        case let number as Int: #"{"intValue":"\#(number)"}"#
        case let number as Double: #"{"doubleValue":\#(number)}"#
        default: #"{"stringValue":"\#(value)"}"#
        }
      return #"{"key":"\#(name)","value":\#(json)}"#
    }
    return #""attributes":[\#(parts.joined(separator: ","))]"#
  }

  private static func resource(_ service: String) -> String {
    #""resource":{\#(attributes(["service.name": service]))}"#
  }

  private static func logs(
    _ service: String, _ records: [KeyValuePairs<String, any Sendable>]
  ) -> String {
    let records = records.enumerated().map { index, members in
      #"{"timeUnixNano":"17950000000000000\#(index + 10)",\#(attributes(members))}"#
    }
    return
      #"{"resourceLogs":[{\#(resource(service)),"scopeLogs":[{"logRecords":[\#(records.joined(separator: ","))]}]}]}"#
  }

  /// A counter of one session, whose points are of the given types.
  private static func counter(
    _ service: String, _ name: String, isDelta: Bool, session: String, at second: Int = 0,
    _ points: KeyValuePairs<String, Int>
  ) -> String {
    let points = points.map { type, value in
      let members = attributes(["session.id": session, "model": "m", "type": type])
      return
        #"{"startTimeUnixNano":"1795000000000000000","timeUnixNano":"179500000\#(second)000000000","asInt":"\#(value)",\#(members)}"#
    }
    let sum =
      #"{"aggregationTemporality":\#(isDelta ? 1 : 2),"dataPoints":[\#(points.joined(separator: ","))]}"#
    return
      #"{"resourceMetrics":[{\#(resource(service)),"scopeMetrics":[{"metrics":[{"name":"\#(name)","sum":\#(sum)}]}]}]}"#
  }

  private static let claude = logs(
    "claude-code",
    [
      [
        "session.id": "one", "event.name": "user_prompt", "prompt_length": 6,
        "prompt": "secret", "user.email": "ann@example.org",
      ],
      [
        "session.id": "one", "event.name": "api_request", "model": "m", "request_id": "r1",
        "input_tokens": 10, "output_tokens": "57", "cache_read_tokens": 0,
        "cache_creation_tokens": 100, "cost_usd": 0.0021,
      ],
      [
        "session.id": "one", "event.name": "api_request", "model": "m", "request_id": "r2",
        "input_tokens": "5", "output_tokens": 3, "cache_read_tokens": 110,
        "cache_creation_tokens": 0, "cost_usd": "0.0009", "query_source": "subagent",
      ],
      [
        "session.id": "one", "event.name": "tool_decision", "tool_name": "Bash",
        "decision": "reject", "source": "user",
      ],
    ])

  private static let codex = logs(
    "codex_cli_rs",
    [
      [
        "conversation.id": "two", "event.name": "codex.sse_event",
        "event.kind": "response.completed", "model": "g", "input_token_count": "1000",
        "output_token_count": "50", "cached_token_count": 200, "reasoning_token_count": 10,
      ],
      [
        "conversation.id": "two", "event.name": "codex.tool_result", "tool_name": "exec",
        "call_id": "c1", "success": "true", "arguments": "secret", "output": "secret",
      ],
    ])

  /// Writes the telemetry of three agents, and returns the names of the files in order.
  private static func write(_ scratch: Scratch) throws -> String {
    let usage = "claude_code.token.usage"
    let files: KeyValuePairs = [
      "claude-metrics": counter(
        "claude-code", usage, isDelta: true, session: "one",
        ["input": 15, "output": 60, "cacheRead": 110, "cacheCreation": 100]),
      "claude-logs": claude,
      "codex-logs": codex,
      "gemini-early": counter(
        "gemini-cli", "gemini_cli.token.usage", isDelta: false, session: "three",
        ["input": 100, "output": 20, "cache": 30, "thought": 5]),
      "gemini-late": counter(
        "gemini-cli", "gemini_cli.token.usage", isDelta: false, session: "three", at: 9,
        ["input": 150, "output": 21, "cache": 30, "thought": 6]),
      "other-metrics": counter(
        "claude-code", usage, isDelta: true, session: "four", ["input": 2, "output": 1]),
    ]
    for (name, body) in files { try scratch.write("work/\(name).json", body) }
    return files.map { "\($0.key).json" }.joined(separator: " ")
  }

  // MARK: Tests

  @Test(arguments: [("grpc", "none"), ("grpc", "gzip"), ("http", "gzip")])
  func `usage is the sum of what was sent, once`(
    _ exporter: String, _ compression: String
  ) async throws {
    try await Self.withHub { scratch, _ in
      let files = try Self.write(scratch)
      if compression != "none" { scratch.set("OTEL_EXPORTER_OTLP_COMPRESSION", compression) }
      let place = exporter == "grpc" ? "http://$CALLS" : "$HUB"
      // The second time, nothing is new.
      for _ in 0..<2 {
        let sent = try await scratch.shell("$SEND export \(exporter) \(place) \(files)")
        #expect(sent.output.split(separator: "\n").allSatisfy { $0.hasSuffix(" SUCCESS") })
        let usage = try await scratch.shell("agent-stat usage --by session")
        #expect(
          usage.output == """
            {"by":"session","cacheReadTokens":200,"cacheWriteTokens":0,"calls":1,"inputTokens":1000,"key":"two","knownCostUSD":0,"name":"codex-two","outputTokens":50,"type":"usage","unknownCalls":1}
            {"by":"session","cacheReadTokens":110,"cacheWriteTokens":100,"calls":2,"costUSD":0.003,"inputTokens":225,"key":"one","name":"claude-one","outputTokens":60,"type":"usage"}
            {"by":"session","cacheReadTokens":30,"cacheWriteTokens":0,"calls":0,"inputTokens":150,"key":"three","knownCostUSD":0,"name":"gemini-three","outputTokens":27,"type":"usage","unknownCalls":0}
            {"by":"session","cacheReadTokens":0,"cacheWriteTokens":0,"calls":0,"inputTokens":2,"key":"four","knownCostUSD":0,"name":"claude-four","outputTokens":1,"type":"usage","unknownCalls":0}

            """)
      }
      let days = try await scratch.shell(
        "agent-stat usage | jq -c '[.calls, .inputTokens, .outputTokens, .costUSD]'")
      #expect(days.output == "[3,1377,138,null]\n")
      let events = try await scratch.shell("stream-tail -n 1000 --json")
      #expect(events.output.contains(#""agentId":"claude-one""#))
      #expect(!events.output.contains("secret") && !events.output.contains("ann@"))
    }
  }

  /// The folder of recorded telemetry, if any.
  private static let recordings = Places.environment["AGENTPIPES_EVAL"].map {
    $0 + "/sessions/made"
  }

  @Test(.enabled(if: recordings != nil, "AGENTPIPES_EVAL names no recordings"))
  func `recordings have the expected usage`() async throws {
    let folder = try #require(Self.recordings)
    try await Self.withHub { scratch, _ in
      try await scratch.shell("$SEND export grpc http://$CALLS \(folder)/otlp/*.json")
      // Input includes cached tokens, and output includes thoughts.
      let expected = try await scratch.shell(
        """
        jq -c '.otlp | [(.claude | [.input + .cacheRead + .cacheCreation, .output, .cost]), \
        (.codex | [.input, .output, 0.00428]), (.gemini | [.input, .output + .thoughts, null])] \
        | sort' \(folder)/expected.json
        """)
      // The catalogue has a price for the model of Codex, and none for that of Gemini CLI.
      let usage = try await scratch.shell(
        "agent-stat usage --by session | jq -sc 'map([.inputTokens, .outputTokens, .costUSD]) | sort'"
      )
      #expect(usage.output == expected.output && usage.output.count > 30)
    }
  }

  @Test func `content is stored if the configuration says so`() async throws {
    try await Self.withHub("otlp_content = true\n") { scratch, _ in
      try scratch.write("work/claude.json", Self.claude)
      try await scratch.shell("$SEND export grpc http://$CALLS claude.json")
      let events = try await scratch.shell("stream-tail -n 1000 --json")
      #expect(events.output.contains(#""prompt":"secret""#))
    }
  }

  @Test func `calls that fail have gRPC's codes`() async throws {
    try await Self.withHub { scratch, _ in
      let logs = "/opentelemetry.proto.collector.logs.v1.LogsService/Export"
      for call in [
        "\(logs) --token $TOKEN", "\(logs)", "\(logs) --token nonsense", "/a.B/C --token $TOKEN",
        "\(logs) --token $TOKEN --bytes 7", "\(logs) --token $TOKEN --bytes 7 --gzip",
        "\(logs) --token $TOKEN --bytes 20971521", "\(logs) --token $TOKEN --times 500",
        "\(logs) --token $TOKEN --bytes 30000000 --gzip", "\(logs) --bytes 3000000 --times 100",
      ] {
        try await scratch.shell("$SEND call $CALLS \(call)")
      }
      try scratch.expectGolden("hub-serve/calls")
    }
  }

  @Test func `the hub ends while a client is connected`() async throws {
    try await Self.withHub { scratch, hub in
      // A client that knows that the hub speaks HTTP/2 holds a connection without a call.
      let client = try scratch.running(
        "exec python3 -c 'import os,socket,sys; s=socket.create_connection((sys.argv[1].split(\":\")[0], int(sys.argv[1].split(\":\")[1]))); s.send(b\"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n\\0\\0\\0\\4\\0\\0\\0\\0\\0\"); os.write(1,b\"connected\\n\"); [os.write(1,d) for d in iter(lambda: s.recv(4096), b\"\")]' \"$CALLS\"",
        input: nil)
      // The hub's settings and its answer to the client's are 30 bytes.
      try await scratch.until("it is connected") { client.output.utf8.count >= 40 }
      hub.child.signal(SIGTERM)
      let ended = await hub.ended()
      #expect(ended.statuses == [143])
      // The head of a GOAWAY frame with 8 bytes (RFC 9113, section 6.8).
      #expect(await client.ended().output.contains("\0\0\u{8}\u{7}"))
    }
  }
}
