import Core
import Foundation
import TestSupport
import Testing

@testable import OTLP

/// What coding agents send, as events.
struct AgentTelemetryTests {
  /// The events of a log record with the given attributes, without their source ids.
  private func events(
    _ service: String, _ attributes: [String], keepsContent: Bool = false
  ) throws -> [String] {
    let json = record(
      #""attributes":[\#(attributes.joined(separator: ","))]"#,
      resource: attribute("service.name", service) + "," + attribute("user.email", "a@b.example"))
    return try Self.lines(.logs, json, keepsContent: keepsContent)
  }

  fileprivate static func lines(
    _ signal: OTLPSignal, _ json: String, keepsContent: Bool = false
  ) throws -> [String] {
    let received = try OTLPRequest(signal, .json, body: Array(json.utf8))
      .received(at: Timestamp(milliseconds: 0), keepingContent: keepsContent)
    #expect(received.rejected == 0)
    return try received.events.map { event in
      var event = event
      event.head.srcId = nil
      return try event.json()
    }
  }

  private func number(_ name: String, _ value: Int) -> String {
    #"{"key":"\#(name)","value":{"intValue":"\#(value)"}}"#
  }

  private static let session = attribute("session.id", "s1")

  @Test func `a call of Claude Code has its cached tokens in its input`() throws {
    let lines = try events(
      "claude-code",
      [
        Self.session, attribute("event.name", "api_request"), attribute("model", "m"),
        attribute("request_id", "req_1"), attribute("input_tokens", "10"),
        number("output_tokens", 57), number("cache_read_tokens", 5),
        attribute("cache_creation_tokens", "100"), attribute("cost_usd", "0.0021"),
        number("duration_ms", 1500), attribute("query_source", "main"),
        attribute("user.email", "ann@example.org"), attribute("organization.id", "o"),
      ])
    #expect(
      lines
        == [
          #"{"agentId":"claude-s1","attrs":{"agentpipes.cost_usd":0.0021,"agentpipes.duration_ms":1500,"agentpipes.tool":"hub-serve","agentpipes.usage.source":"logs","gen_ai.operation.name":"chat","gen_ai.provider.name":"anthropic","gen_ai.response.model":"m","gen_ai.usage.cache_read.input_tokens":5,"gen_ai.usage.cache_write.input_tokens":100,"gen_ai.usage.input_tokens":115,"gen_ai.usage.output_tokens":57,"query_source":"main"},"name":"chat","phase":"end","sessionId":"s1","spanId":"SPAN","ts":1772013600000,"type":"traceEvent"}"#
        ].map { withSpan($0, of: lines) })
  }

  /// The line with the span id that the first of the lines has.
  private func withSpan(_ line: String, of lines: [String]) -> String {
    let id = lines.first?.firstMatch(of: /"spanId":"([0-9a-f]{16})"/)?.output.1 ?? "none"
    return line.replacing("SPAN", with: id)
  }

  @Test func `a call of Codex has its numbers as strings, and no cost`() throws {
    let lines = try events(
      "codex_exec",
      [
        attribute("conversation.id", "t1"), attribute("event.name", "codex.sse_event"),
        attribute("event.kind", "response.completed"), attribute("model", "m"),
        attribute("input_token_count", "1000"), attribute("output_token_count", "50"),
        number("cached_token_count", 200), number("reasoning_token_count", 10),
      ])
    #expect(
      lines
        == [
          #"{"agentId":"codex-t1","attrs":{"agentpipes.tool":"hub-serve","agentpipes.usage.source":"logs","gen_ai.operation.name":"chat","gen_ai.provider.name":"openai","gen_ai.response.model":"m","gen_ai.usage.cache_read.input_tokens":200,"gen_ai.usage.cache_write.input_tokens":0,"gen_ai.usage.input_tokens":1000,"gen_ai.usage.output_tokens":50,"gen_ai.usage.reasoning.output_tokens":10},"name":"chat","phase":"end","sessionId":"t1","spanId":"SPAN","ts":1772013600000,"type":"traceEvent"}"#
        ].map { withSpan($0, of: lines) })
    let other = [
      attribute("conversation.id", "t1"), attribute("event.name", "codex.sse_event"),
      attribute("event.kind", "response.output_item.done"),
    ]
    #expect(try events("codex_exec", other) == [])
  }

  /// A call of Codex with the given attributes.
  private func codex(_ attributes: [String], session: String? = "t1") throws -> [String] {
    let own = [
      session.map { attribute("conversation.id", $0) }, attribute("event.name", "codex.sse_event"),
      attribute("event.kind", "response.completed"), attribute("model", "gpt-5.1"),
    ]
    return try events("codex_exec", own.compactMap(\.self) + attributes)
  }

  @Test func `Codex reports the end of a call twice, and the call has the catalogue's price`()
    throws
  {
    let counts = [
      attribute("input_token_count", "2045"), attribute("output_token_count", "445"),
      attribute("cached_token_count", "1545"), attribute("tool_token_count", "2490"),
    ]
    #expect(try codex([]) == [])
    let call = try codex(counts)
    #expect(call.count == 1)
    #expect(call[0].contains(#""agentpipes.cost_usd":0.005268125"#), "\(call)")
    #expect(call[0].contains(#""gen_ai.usage.input_tokens":2045"#))
  }

  @Test(arguments: ["-5", "x", "150000000000", "1.5"])
  func `a call whose counts cannot be has neither counts nor a cost`(_ count: String) throws {
    let call = try codex([
      attribute("input_token_count", count), attribute("output_token_count", "5"),
    ])
    #expect(call.count == 1 && !call[0].contains("usage.input") && !call[0].contains("cost"))
    let claude = try events(
      "claude-code",
      [
        Self.session, attribute("event.name", "api_request"), attribute("model", "m"),
        attribute("input_tokens", count), attribute("output_tokens", "5"),
        attribute("cost_usd", "3000000"),
      ])
    #expect(!claude[0].contains("usage.input") && !claude[0].contains("cost"))
  }

  @Test func `a record without a conversation makes no agent`() throws {
    let call = try codex(
      [attribute("input_token_count", "5"), attribute("output_token_count", "5")], session: nil)
    let phase = try events("codex_exec", [attribute("event.name", "codex.startup_phase")])
    #expect(call.count == 1 && phase.count == 1)
    #expect(!(call + phase).joined().contains("agentId"))
  }

  @Test func `a call of Gemini CLI has its thoughts in its output`() throws {
    let line = try #require(
      events(
        "gemini-cli",
        [
          Self.session, attribute("event.name", "gemini_cli.api_response"),
          attribute("model", "m"), number("input_token_count", 100),
          number("output_token_count", 20), number("cached_content_token_count", 30),
          number("thoughts_token_count", 5), number("tool_token_count", 7),
          attribute("response_text", "private"),
        ]
      ).first)
    #expect(line.contains(#""gen_ai.usage.input_tokens":107,"gen_ai.usage.output_tokens":25"#))
    #expect(!line.contains("private"))
  }

  @Test(arguments: [
    ("claude-code", "accept", "info", "allowed"), ("claude-code", "reject", "warn", "refused"),
    ("codex_tui", "denied", "warn", "refused"),
    ("codex_tui", "approved_for_session", "info", "allowed"),
  ])
  func `a decision is a log`(
    _ service: String, _ decision: String, _ level: String, _ word: String
  ) throws {
    let prefix = service == "claude-code" ? "claude" : "codex"
    let id = service == "claude-code" ? "tool_use_id" : "call_id"
    let session = service == "claude-code" ? "session.id" : "conversation.id"
    let lines = try events(
      service,
      [
        attribute(session, "s1"), attribute("event.name", "tool_decision"),
        attribute("tool_name", "Bash"), attribute(id, "t1"), attribute("decision", decision),
        attribute("source", "hook"), attribute("arguments", "rm"),
      ])
    #expect(
      lines == [
        #"{"agentId":"\#(prefix)-s1","labels":{"decision":"\#(decision)","gen_ai.tool.call.id":"t1","gen_ai.tool.name":"Bash","source":"hook"},"level":"\#(level)","message":"\#(word): the tool 'Bash' (hook)","sessionId":"s1","skillId":"Bash","ts":1772013600000,"type":"log"}"#
      ])
  }

  @Test func `a tool that was refused did not run`() throws {
    let members = [
      Self.session, attribute("event.name", "gemini_cli.tool_call"),
      attribute("function_name", "run"), attribute("function_args", "rm x"),
    ]
    let refused = try events("gemini-cli", members + [attribute("decision", "reject")])
    #expect(refused.count == 1)
    #expect(refused.first?.contains("refused: the tool 'run'") ?? false)
    let failed = try events(
      "gemini-cli", members + [attribute("decision", "accept"), attribute("success", "false")])
    #expect(failed.count == 2)
    #expect(failed.last?.contains(#""error.type":"_OTHER""#) ?? false)
    #expect(!(refused + failed).joined().contains("rm x"))
  }

  @Test func `a failed call is an error without an address`() throws {
    let lines = try events(
      "claude-code",
      [
        Self.session, attribute("event.name", "api_error"), number("status_code", 529),
        attribute("error", "overloaded for ann@example.org"), number("attempt", 3),
      ])
    #expect(
      lines == [
        #"{"agentId":"claude-s1","labels":{"attempt":"3","status_code":"529"},"level":"error","message":"a call of the model failed: status 529: overloaded for …","sessionId":"s1","ts":1772013600000,"type":"log"}"#
      ])
    let fine = [
      attribute("conversation.id", "t1"), attribute("event.name", "codex.api_request"),
      number("http.response.status_code", 200),
    ]
    #expect(try events("codex_exec", fine) == [])
  }

  @Test func `content is stored only if it is asked for`() throws {
    let members = [
      Self.session, attribute("event.name", "user_prompt"), number("prompt_length", 5),
      attribute("prompt", "hello"), attribute("user.email", "ann@example.org"),
    ]
    #expect(
      try events("claude-code", members) == [
        #"{"agentId":"claude-s1","labels":{"prompt_length":"5"},"level":"info","message":"a prompt of 5 characters","sessionId":"s1","ts":1772013600000,"type":"log"}"#
      ])
    let kept = try events("claude-code", members, keepsContent: true)
    #expect(kept.joined().contains(#""prompt":"hello""#))
  }

  @Test func `a call that is sent twice has one key`() throws {
    let members =
      #""attributes":[\#(Self.session),\#(attribute("event.name", "api_request")),"#
      + #"\#(attribute("request_id", "r"))]"#
    let json = record(members, resource: attribute("service.name", "claude-code"))
    let later = json.replacing("1772013600000000000", with: "1772013600000000001")
    #expect(try received(.logs, json).items.map(\.key) == ["otlp:claude-s1:s1:r"])
    #expect(try received(.logs, later).items.map(\.key) == ["otlp:claude-s1:s1:r"])
  }

  @Test func `a point of tokens has the conventions' names`() throws {
    let point =
      #"{"startTimeUnixNano":"5","timeUnixNano":"6000000","asInt":"7","attributes":["#
      + "\(Self.session),\(attribute("type", "cacheRead")),\(attribute("model", "m")),"
      + "\(attribute("user.id", "u"))]}"
    let json = metric(
      #""name":"claude_code.token.usage","sum":{"aggregationTemporality":1,"dataPoints":[\#(point)]}"#,
      resource: attribute("service.name", "claude-code"))
    let labels =
      #"{"agentpipes.usage.source":"metrics","gen_ai.provider.name":"anthropic","gen_ai.response.model":"m","start_time_unix_nano":"5","temporality":"delta","type":"cacheRead"}"#
    #expect(
      try Self.lines(.metrics, json)
        == ["input_tokens", "cache_read.input_tokens"].map {
          #"{"agentId":"claude-s1","labels":\#(labels),"name":"gen_ai.client.inference.usage.\#($0)","scope":"session","sessionId":"s1","ts":6,"type":"metric","value":7}"#
        })
  }

  @Test func `a metric without a session keeps its name`() throws {
    let point = #"{"timeUnixNano":"6000000","asInt":"7","attributes":[]}"#
    let json = metric(
      #""name":"codex.turn.token_usage","sum":{"dataPoints":[\#(point)]}"#,
      resource: attribute("service.name", "codex_exec"))
    #expect(
      try Self.lines(.metrics, json) == [
        #"{"name":"codex.turn.token_usage","scope":"agent","ts":6,"type":"metric","value":7}"#
      ])
  }

  @Test func `a span has no tokens`() throws {
    let json = span(
      #""attributes":[\#(Self.session),\#(attribute("gen_ai.operation.name", "chat")),"#
        + #"\#(attribute("gen_ai.usage.input_tokens", "5")),\#(attribute("user_prompt", "x"))]"#,
      resource: attribute("service.name", "claude-code"))
    let line = try #require(Self.lines(.traces, json).first)
    #expect(line.contains(#""agentId":"claude-s1""#))
    #expect(!line.contains("gen_ai.") && !line.contains("user_prompt"))
  }

  @Test func `changed bytes never crash`() throws {
    var random = SeededRandom(seed: 33)
    let bodies = ["claude-code", "codex_exec", "gemini-cli"].map { service in
      Array(
        record(
          #""attributes":[\#(Self.session),\#(attribute("conversation.id", "c")),"#
            + #"\#(attribute("event.name", "tool_call")),\#(attribute("decision", "x")),"#
            + #"\#(number("input_tokens", .max)),\#(attribute("cost_usd", "1e999"))]"#,
          resource: attribute("service.name", service)
        ).utf8)
    }
    for _ in 0..<3_000 {
      var body = bodies.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: body.indices, using: &random)
        body[place] = UInt8.random(in: 0x20...0x7E, using: &random)
      }
      _ = try? OTLPRequest(.logs, .json, body: body).received().lines()
    }
  }
}

/// Recorded telemetry, if AGENTPIPES_EVAL names its folder.
@Suite(.enabled(if: RecordedTelemetry.folder != nil, "AGENTPIPES_EVAL names no recordings"))
struct RecordedTelemetryTests {
  @Test(arguments: [
    ("claude-logs", OTLPSignal.logs, 5), ("claude-metrics", .metrics, 8),
    ("claude-traces", .traces, 5), ("codex-logs", .logs, 5), ("gemini-logs", .logs, 3),
    ("gemini-metrics", .metrics, 6),
  ])
  func `every recording is read, without its content`(
    _ name: String, _ signal: OTLPSignal, _ count: Int
  ) throws {
    let folder = try #require(RecordedTelemetry.folder)
    let body = try Data(contentsOf: folder.appending(path: "\(name).json"))
    let lines = try AgentTelemetryTests.lines(signal, String(decoding: body, as: UTF8.self))
    #expect(lines.count == count, "\(lines.joined(separator: "\n"))")
    for secret in ["What is it", "rm x", "make", "user.id", "installation.id"] {
      #expect(!lines.joined().contains(secret))
    }
  }

  /// What the servers counted: calls, input, output and the cost.
  @Test(arguments: [
    ("claude-2.1.332/otlp-json/0-logs.json", 4, 24_974, 1_258, 0.0502936),
    ("claude-2.1.332/otlp-json/1-logs.json", 3, 18_762, 954, 0.0380268),
    ("codex-0.163.0/otlp-json/0-logs.json", 5, 10_235, 2_235, 0.0834175),
  ])
  func `the calls of real agents are those that their servers counted`(
    _ name: String, _ calls: Int, _ input: Int, _ output: Int, _ cost: Double
  ) throws {
    let folder = try #require(RecordedTelemetry.folder).appending(path: "../../real")
    let body = try Data(contentsOf: folder.appending(path: name))
    let lines = try AgentTelemetryTests.lines(.logs, String(decoding: body, as: UTF8.self))
    let chats = lines.compactMap { try? TraceEvent(json: $0) }.filter { $0.name == "chat" }
    func sum(_ name: String) -> Double {
      chats.reduce(0) { sum, chat in
        switch chat.attrs[name] {
        case .int(let number): sum + Double(number)
        case .double(let number): sum + number
        default: sum
        }
      }
    }
    #expect(chats.count == calls)
    #expect(Int(sum("gen_ai.usage.input_tokens")) == input)
    #expect(Int(sum("gen_ai.usage.output_tokens")) == output)
    #expect(abs(sum("agentpipes.cost_usd") - cost) < 1e-12)
  }
}

/// The folder of recorded telemetry.
enum RecordedTelemetry {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"].map {
    URL(filePath: $0).appending(path: "sessions/made/otlp")
  }
}
