import CodingAgents
import Core
import Events
import Foundation
import Testing

@testable import Agents

/// Lines of Gemini CLI and OpenCode, and what all four agents report about a run.
@Suite("lines of other coding agents, and what a run reports")
struct OtherAgentTests {
  private static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"].map {
    $0 + "/sessions/made/streams/"
  }

  @Test func `gemini's lines become calls of tools and models, and hold nothing that was said`() {
    let events = EventTexts.of(Fixtures.gemini).texts
    #expect(
      events.map(\.sortedWords)
        == [
          "info session begins with gemini-3-pro",
          "info user message, 7 characters",
          "info assistant message, 12 characters",
          "execute_tool start call.id=r-1 tool.name=read_file",
          "info tool call read_file",
          "execute_tool end call.id=r-1 error.type=file_not_found tool.name=read_file",
          "warn tool result read_file, failed",
          "execute_tool start call.id=s-1 tool.name=run_shell_command",
          "info tool call run_shell_command",
          "execute_tool end call.id=s-1 error.type=policy_violation tool.name=run_shell_command",
          "warn tool result run_shell_command, denied",
          "warn error: loop detected",
          "debug novel",
          "info assistant message, 5 characters",
          "chat agentpipes.tool=agent-run session.id=g1 usage.scope=turn response.model=gemini-3-flash cache_read.input_tokens=0 cache_write.input_tokens=0 usage.input_tokens=10 usage.output_tokens=2",
          "chat agentpipes.tool=agent-run session.id=g1 usage.scope=turn response.model=gemini-3-pro cache_read.input_tokens=30 cache_write.input_tokens=0 usage.input_tokens=100 usage.output_tokens=25",
          "info result success",
          "cache_read.input_tokens=30 cache_write.input_tokens=0 usage.input_tokens=110 usage.output_tokens=27",
        ].map(\.sortedWords), "\(events.joined(separator: "\n"))")
    #expect(!events.joined().contains("SECRET"))
  }

  @Test func `opencode's lines become calls of tools and steps, each step once`() {
    let events = EventTexts.of(Fixtures.openCode).texts
    #expect(
      events.map(\.sortedWords)
        == [
          "info session begins",
          "debug assistant step_start",
          "execute_tool start call.id=call_1 tool.name=bash",
          "info tool call bash",
          "execute_tool end call.id=call_1 error.type=tool_error tool.name=bash",
          "warn tool result bash, failed",
          "info ! permission requested: external_directory (/tmp/*); auto-rejecting",
          "execute_tool start call.id=call_2 tool.name=read",
          "info tool call read",
          "execute_tool end call.id=call_2 error.type=denied tool.name=read",
          "warn tool result read, denied",
          "chat agentpipes.cost_usd=0.05 agentpipes.tool=agent-run session.id=ses_1 cache_read.input_tokens=12 cache_write.input_tokens=24 usage.input_tokens=156 usage.output_tokens=65",
          "info assistant message, 11 characters",
          "chat agentpipes.cost_usd=0.25 agentpipes.tool=agent-run session.id=ses_1 cache_read.input_tokens=130 cache_write.input_tokens=0 usage.input_tokens=140 usage.output_tokens=6",
          "info session ends",
          "agentpipes.cost_usd=0.3 cache_read.input_tokens=142 cache_write.input_tokens=24 usage.input_tokens=296 usage.output_tokens=71",
        ].map(\.sortedWords), "\(events.joined(separator: "\n"))")
    #expect(!events.joined().contains("SECRET"))
  }

  @Test func `refused and failed calls are counted apart, each once`() {
    func faults(_ lines: [String]) -> [Int] {
      let report = EventTexts.of(lines).report
      return [report.denials, report.toolErrors]
    }
    #expect(faults(Fixtures.claude) == [0, 1])
    #expect(faults(Fixtures.codex) == [0, 1])
    #expect(faults(Fixtures.gemini) == [1, 1])
    #expect(faults(Fixtures.openCode) == [1, 1])
    // Without the line about the call, the plain line and the last one are the same refusal.
    #expect(faults(Fixtures.openCode.filter { !$0.contains("call_2") }) == [1, 1])
    let denied = Fixtures.claude.map {
      $0.replacing(
        #""permission_denials":[]"#,
        with: #""permission_denials":[{"tool_name":"Bash","tool_use_id":"toolu_1"}]"#)
    }
    #expect(faults(denied) == [1, 0])
    #expect(faults(denied + denied) == [1, 0])
    let early = #"{"type":"system","subtype":"permission_denied","tool_use_id":"toolu_1","#
    #expect(faults(denied + [early + #""session_id":"c1"}"#]) == [1, 0])
    let declined = Fixtures.codex.map {
      $0.replacing(
        #""exit_code":2,"status":"failed""#, with: #""exit_code":null,"status":"declined""#)
    }
    #expect(faults(declined) == [1, 0])
    let cancelled = Fixtures.codex.map {
      $0.replacing(
        #""error":null,"status":"completed""#,
        with: #""error":{"message":"user cancelled MCP tool call"},"status":"failed""#)
    }
    #expect(faults(cancelled) == [1, 1])
  }

  @Test func `a limit holds until the agent goes on`() {
    let now = Timestamp(milliseconds: 1_795_172_400_000)
    func reset(_ lines: [String]) -> Int64? {
      EventTexts.of(lines, at: now).report.limitReset?.milliseconds
    }
    let rejected =
      #"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795176000,"rateLimitType":"five_hour"},"session_id":"c1"}"#
    let failed =
      #"{"type":"result","subtype":"success","is_error":true,"duration_ms":9,"result":"limit reached|1795177000","session_id":"c1"}"#
    let begin = Array(Fixtures.claude.prefix(1))
    #expect(reset(begin + [rejected]) == 1_795_176_000_000)
    #expect(reset(begin + [rejected, failed]) == 1_795_176_000_000)
    #expect(reset(begin + [failed]) == 1_795_177_000_000)
    #expect(reset(begin + [rejected] + Array(Fixtures.claude.suffix(1))) == nil)
    #expect(
      reset(
        begin + [rejected.replacing("five_hour\"", with: "five_hour\",\"isUsingOverage\":true")])
        == nil)
    #expect(reset(begin + [rejected.replacing("1795176000", with: "1e300")]) == nil)
    let turn =
      #"{"type":"turn.failed","error":{"message":"You've hit your usage limit. Try again in 1 hour 30 minutes."}}"#
    #expect(reset(Fixtures.codex.prefix(2) + [turn]) == now.milliseconds + 5_400_000)
    #expect(reset(Fixtures.codex.prefix(2) + [turn] + Fixtures.codex.dropFirst(2)) == nil)
    let exhausted =
      #"{"type":"result","timestamp":"2026-11-20T12:00:03.000Z","status":"error","error":{"type":"Error","message":"You have exhausted your capacity on this model. Your quota will reset after 1m5s."}}"#
    #expect(reset(Fixtures.gemini.prefix(2) + [exhausted]) == now.milliseconds + 65_000)
    let many =
      #"{"type":"error","timestamp":1795172400000,"sessionID":"ses_1","error":{"name":"APIError","data":{"message":"Too many","statusCode":429,"responseHeaders":{"retry-after":"90"}}}}"#
    #expect(reset(Fixtures.openCode.prefix(1) + [many]) == now.milliseconds + 90_000)
    #expect(reset(Fixtures.openCode.prefix(1) + [many] + Fixtures.openCode.suffix(2)) == nil)
  }

  @Test func `the output names the sessions of the command`() {
    func sessions(_ lines: [String]) -> Set<SessionKey> { EventTexts.of(lines).report.sessions }
    #expect(sessions(Fixtures.claude) == [SessionKey(.claude, "c1")])
    #expect(
      sessions(Fixtures.codex) == [SessionKey(.codex, "0199a213-81c0-7800-8aa1-bbab2a035a53")])
    #expect(sessions(Fixtures.gemini) == [SessionKey(.gemini, "g1")])
    #expect(sessions(Fixtures.openCode) == [SessionKey(.opencode, "ses_1")])
    #expect(sessions([#"{"type":"result","session_id":"x"}"#]).isEmpty)
    let long = String(repeating: "x", count: 201)
    #expect(sessions([#"{"type":"thread.started","thread_id":"\#(long)"}"#]).isEmpty)
  }

  @Test func `a command that runs again keeps its sums and loses its faults`() {
    var reader = OutputLines(EventTexts.agent)
    func print(_ lines: [String]) {
      for line in lines {
        let bytes = Array(line.utf8)
        _ = reader.events(
          of: LineCutter.Line(bytes: bytes, length: bytes.count), from: .output, at: .now)
      }
    }
    print(Fixtures.codex)
    #expect(reader.restart(at: .now).count == 1, "the open tool ends")
    #expect(reader.report.denials == 0 && reader.report.toolErrors == 0)
    #expect(reader.usage[.inputTokens] == .int(2000))
    // The thread was resumed: its total includes what was counted before.
    print(Fixtures.codex.prefix(2) + [Fixtures.codex[12]])
    #expect(reader.usage[.inputTokens] == .int(2000))
    print(Fixtures.gemini)
    #expect(reader.usage[.inputTokens] == .int(2110))
  }

  @Test func `a session that runs again adds its cost, and each report names the sum`() {
    var reader = OutputLines(EventTexts.agent)
    var costs: [JSONValue] = []
    for cost in [0.5, 0.75] {
      let bytes = Array(
        #"{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"session_id":"c","total_cost_usd":\#(cost)}"#
          .utf8)
      let line = LineCutter.Line(bytes: bytes, length: bytes.count)
      costs += reader.events(of: line, from: .output, at: .now)
        .compactMap { ($0 as? TraceEvent)?.attrs[EventAttribute.costUSD.rawValue] }
      _ = reader.restart(at: .now)
    }
    #expect(costs == [.double(0.5), .double(1.25)])
    #expect(reader.usage[.costUSD] == .double(1.25))
  }

  @Test func `lines that look like another agent's are nobody's`() {
    let lines = [
      #"{"type":"init","session_id":"x","model":"m"}"#,
      #"{"type":"step_start","sessionID":"s"}"#,
      #"{"type":"tool_use","timestamp":"2026-11-20T12:00:00Z","tool_name":"x"}"#,
      #"{"type":"done","timestamp":1}"#, #"{"type":"result","timestamp":"t","status":"success"}"#,
      "! permission requested: x; auto-rejecting",
    ]
    #expect(EventTexts.of(lines).texts == lines.map { "info " + $0 })
    #expect(EventTexts.of(lines).report.denials == 0)
  }

  @Test(.enabled(if: folder != nil, "AGENTPIPES_EVAL names no streams"))
  func `recorded streams have the tokens and the cost that they report`() throws {
    func sums(_ name: String) throws -> [JSONValue?] {
      let text = try String(contentsOfFile: (Self.folder ?? "") + name, encoding: .utf8)
      let report = EventTexts.of(text.split(separator: "\n").map(String.init)).report
      let used = report.totals.attributes
      return [
        used[.inputTokens], used[.cacheReadTokens], used[.cacheWriteTokens], used[.outputTokens],
        used[.costUSD], .int(report.denials),
        .int(report.toolErrors),
      ]
    }
    #expect(
      try sums("claude-stream-json.jsonl")
        == [.int(423), .int(110), .int(100), .int(86), .double(0.0123), .int(0), .int(0)])
    #expect(
      try sums("codex-exec.jsonl")
        == [.int(2200), .int(900), .int(100), .int(130), nil, .int(0), .int(0)])
    #expect(
      try sums("gemini-stream-json.jsonl")
        == [.int(100), .int(30), .int(0), .int(25), nil, .int(0), .int(1)])
    #expect(
      try sums("opencode-run.jsonl")
        == [.int(296), .int(142), .int(24), .int(71), .double(0.06), .int(0), .int(0)])
  }
}
