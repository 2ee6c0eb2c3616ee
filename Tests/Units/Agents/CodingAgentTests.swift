import Core
import Events
import Foundation
import Testing

@testable import Agents

@Suite("lines of coding agents")
struct CodingAgentTests {
  private let agent = EventTexts.agent

  private func told(
    _ lines: [String], ending: Bool = true, contexts: [String: Int] = [:]
  ) -> [String] {
    EventTexts.of(lines, ending: ending, contexts: contexts).texts
  }

  @Test func `claude's lines become calls of tools and models, and hold nothing that was said`() {
    let events = told(Fixtures.claude)
    #expect(
      events.map(\.sortedWords)
        == [
          "info session begins with claude-opus-4-6",
          "info assistant message, 21 characters",
          "execute_tool start call.id=toolu_1 tool.name=Bash",
          "info tool call Bash",
          "execute_tool start call.id=toolu_2 tool.name=Task",
          "info tool call Task",
          "chat agentpipes.tool=agent-run session.id=c1 response.model=claude-opus-4-6 cache_read.input_tokens=15000 cache_write.input_tokens=900 context.max_tokens=200000 usage.input_tokens=15904 usage.output_tokens=60",
          "execute_tool end call.id=toolu_1 error.type=tool_error tool.name=Bash",
          "warn tool result Bash, failed",
          "execute_tool start below call.id=toolu_3 tool.name=Read",
          "info tool call Read",
          "chat agentpipes.tool=agent-run session.id=c1 below response.model=claude-haiku-4-5 cache_read.input_tokens=0 cache_write.input_tokens=0 context.max_tokens=200000 usage.input_tokens=300 usage.output_tokens=9",
          "execute_tool end below call.id=toolu_3 tool.name=Read",
          "info tool result Read, 11 characters",
          "execute_tool end call.id=toolu_2 tool.name=Task",
          "info tool result Task, 17 characters",
          "info rate limit: allowed",
          "info assistant message, 4 characters",
          "chat agentpipes.tool=agent-run session.id=c1 response.model=claude-opus-4-6 cache_read.input_tokens=16000 cache_write.input_tokens=0 context.max_tokens=200000 usage.input_tokens=16002 usage.output_tokens=4",
          "chat agentpipes.cost_usd=0.001 agentpipes.tool=agent-run session.id=c1 usage.scope=increase response.model=claude-haiku-4-5 cache_read.input_tokens=0 cache_write.input_tokens=0 usage.input_tokens=0 usage.output_tokens=0",
          "chat agentpipes.cost_usd=0.0513 agentpipes.tool=agent-run session.id=c1 usage.scope=increase response.model=claude-opus-4-6 cache_read.input_tokens=0 cache_write.input_tokens=0 usage.input_tokens=0 usage.output_tokens=0",
          "invoke_agent progress run agentpipes.cost_usd=0.0523 agentpipes.status=running context.max_tokens=200000",
          "info result success, 3 turns, 0.0523 USD",
          "agentpipes.cost_usd=0.0523 cache_read.input_tokens=31000 cache_write.input_tokens=900 usage.input_tokens=32206 usage.output_tokens=73",
        ].map(\.sortedWords), "\(events.joined(separator: "\n"))")
    #expect(!events.joined().contains("SECRET"))
  }

  @Test func `codex's lines become calls of tools and turns`() {
    let events = told(Fixtures.codex)
    #expect(
      events.map(\.sortedWords)
        == [
          "info session begins", "info turn begins",
          "debug assistant reasoning",
          "execute_tool start call.id=item_1 tool.name=command_execution",
          "info tool call command_execution",
          "execute_tool end call.id=item_1 error.type=exit_2 tool.name=command_execution",
          "warn tool result command_execution, failed",
          "execute_tool start call.id=item_2 tool.name=mcp__docs__search",
          "info tool call mcp__docs__search",
          "execute_tool end call.id=item_2 tool.name=mcp__docs__search",
          "info tool result mcp__docs__search, done",
          "execute_tool start call.id=item_3 tool.name=file_change",
          "info tool call file_change",
          "execute_tool end call.id=item_3 tool.name=file_change",
          "info tool result file_change, done",
          "info assistant message, 12 characters",
          "chat agentpipes.tool=agent-run session.id=0199a213-81c0-7800-8aa1-bbab2a035a53 agentpipes.usage.scope=turn cache_read.input_tokens=200 cache_write.input_tokens=0 usage.input_tokens=1200 usage.output_tokens=345",
          "info turn ends", "info turn begins",
          "execute_tool start call.id=item_5 tool.name=web_search",
          "info tool call web_search",
          "chat agentpipes.tool=agent-run session.id=0199a213-81c0-7800-8aa1-bbab2a035a53 agentpipes.usage.scope=turn cache_read.input_tokens=300 cache_write.input_tokens=0 usage.input_tokens=800 usage.output_tokens=55",
          "info turn ends",
          "error turn.failed: stream disconnected",
          "execute_tool end call.id=item_5 error.type=unfinished tool.name=web_search",
          "cache_read.input_tokens=500 cache_write.input_tokens=0 usage.input_tokens=2000 usage.output_tokens=400",
        ].map {
          $0.replacingOccurrences(of: "agentpipes.usage.scope", with: "usage.scope").sortedWords
        },
      "\(events.joined(separator: "\n"))")
    #expect(!events.joined().contains("SECRET"))
  }

  @Test func `how much a context holds is known before claude says it`() {
    func sizes(_ model: String, _ name: String, _ contexts: [String: Int] = [:]) -> [String] {
      let lines = [
        #"{"type":"system","subtype":"init","session_id":"c","model":"\#(model)"}"#,
        #"{"type":"assistant","session_id":"c","message":{"id":"m","model":"\#(name)","content":[],"#
          + #""usage":{"input_tokens":5,"output_tokens":1}}}"#,
      ]
      return told(lines, contexts: contexts).filter { $0.hasPrefix("chat") }
        .flatMap { $0.matches(of: #/max_tokens=(\d+)/#).map { String($0.1) } }
    }
    #expect(sizes("claude-opus-4-6", "claude-opus-4-6") == ["200000"])
    #expect(sizes("claude-opus-4-6[1m]", "claude-opus-4-6") == ["1000000"])
    #expect(sizes("claude-opus-4-6[1m]", "claude-haiku-4-5") == ["200000"])
    #expect(sizes("strange", "strange") == [])
    #expect(sizes("strange", "strange", ["strange": 8000]) == ["8000"])
  }

  @Test func `of two lines of one message the highest counts stand`() {
    let lines = [(100_000, 5000), (1, 1), (7, 6000)].map { input, output in
      #"{"type":"assistant","session_id":"c","message":{"id":"m","model":"o","content":[],"#
        + #""usage":{"input_tokens":\#(input),"output_tokens":\#(output)}}}"#
    }
    let chats = told(lines).filter { $0.hasPrefix("chat") }
    #expect(chats.count == 1)
    #expect(chats.first?.contains("usage.input_tokens=100000 usage.output_tokens=6000") == true)
  }

  @Test func `objects of other programs are lines like any other`() {
    let lines = [
      #"{"type":"user","name":"bob"}"#, #"{"type":"result","value":3}"#, #"{"type":"error"}"#,
      #"{"type":"turn.completed","usage":{}}"#, #"{"level":"error","msg":"no"}"#, "{", "{}",
    ]
    #expect(told(lines) == lines.map { ($0.contains("level") ? "error " : "info ") + $0 })
  }

  @Test func `an agent's line that cannot be read is not kept`() {
    let lines = Fixtures.claude.prefix(1) + [#"{"type":"assistant","message":{"content":[{"te"#]
    #expect(
      told(Array(lines)) == [
        "info session begins with claude-opus-4-6",
        "warn skipped a line of 46 bytes that cannot be parsed",
      ])
  }

  @Test func `a run without its result has the sum of its calls`() {
    let events = told(Array(Fixtures.claude.prefix(5)))
    #expect(
      events.last?.sortedWords
        == "cache_read.input_tokens=15000 cache_write.input_tokens=900 usage.input_tokens=15904 usage.output_tokens=60"
        .sortedWords)
  }

  @Test func `records speak for the agent, whatever they say`() throws {
    var reader = OutputLines(agent)
    func event(_ line: String) -> (any Event)? {
      let bytes = Array(line.utf8)
      return reader.events(
        of: LineCutter.Line(bytes: bytes, length: bytes.count), from: .output, at: .now
      ).first
    }
    let log = try #require(
      event(
        #"{"type":"log","agentId":"other","swarmId":"x","srcId":"1","id":"9-9","level":"warn","message":"m","extra":[1]}"#
      )
        as? Log)
    #expect(log.agentId == "a" && log.swarmId == "s" && log.sessionId == agent.sessionId)
    #expect(log.id == nil && log.srcId == "\(agent.sessionId):1" && log.level == .warn)
    #expect(try log.json().contains(#""extra":[1]"#))
    let trace = try #require(
      event(#"{"type":"traceEvent","name":"step","phase":"start"}"#) as? TraceEvent)
    #expect(trace.parentSpanId == agent.spanId && trace.traceId == agent.traceId)
    let metric = try #require(event(#"{"type":"metric","name":"n","value":1.5}"#) as? Metric)
    #expect(metric.agentId == "a" && metric.scope == .agent)
    let gate = try #require(
      event(#"{"type":"approvalGate","status":"pending","summary":"Deploy?","stageId":"x"}"#)
        as? ApprovalGate)
    #expect(gate.agentId == "a" && gate.stageId == nil && !gate.gateId.isEmpty)
    for malformed in [
      #"{"type":"log","level":"loud","message":"m"}"#, #"{"type":"metric","name":"n"}"#,
      #"{"type":"approvalGate","status":"approved","summary":"s"}"#,
    ] {
      let plain = try #require(event(malformed) as? Log)
      #expect(plain.message == malformed && plain.level == .info)
    }
  }
}
