import Foundation
import TestSupport
import Testing

extension Scratch {
  /// The calls that a ledger knows, by tool.
  func calls(in ledger: String) async throws -> [String] {
    try await shell("\(ledger) usage --by tool").records("usage").map {
      let count = Int($0.number("calls") ?? 0)
      return "\($0["key"]) \(count) \($0.value("costUSD") == nil ? "$?" : "exact")"
    }
  }
}

@Suite("ledgers")
struct LedgerTests {
  @Test func `a plan that was cut or killed stands in both ledgers, at an unknown cost`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"cutAfter":"text"},{"stall":true,"times":0}]"#)
      let plan = ["ceo-plan", "Compare", "--model", "claude-sonnet-4-6", "--retries", "0"]
      #expect(try await scratch.shell(plan.joined(separator: " ")).statuses == [69])
      for ledger in ["chat-log", "agent-stat"] {
        #expect(try await scratch.calls(in: ledger) == ["ceo-plan 1 $?"])
      }
      let running = try scratch.starting(plan[0], plan[1], plan[2], plan[3], input: nil)
      try await scratch.until("the second call") { server.requests.count == 2 }
      running.child.signal(SIGKILL)
      _ = await running.ended()
      for ledger in ["chat-log", "agent-stat"] {
        #expect(try await scratch.calls(in: ledger) == ["ceo-plan 2 $?"])
      }
      try await scratch.shell("ceo-plan Compare --model extractive")
      #expect(try await scratch.calls(in: "chat-log") == ["ceo-plan 3 $?"])
      for aspect in ["day", "model", "swarm"] {
        let told = try await scratch.shell("agent-stat usage --by \(aspect)").records("usage")
        #expect(told.compactMap { $0.number("calls") }.reduce(0, +) == 3)
      }
      let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:0", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let url = hub.errors.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http") }
      scratch.set("HUB", String(url ?? ""))
      let told = try await scratch.shell("agent-stat usage --by model --hub $HUB")
      #expect(told.output == (try await scratch.shell("agent-stat usage --by model")).output)
      let project = try await scratch.shell(
        "curl -sH \"Authorization: Bearer $(cat $AGENTPIPES_HOME/data/hub.token)\" \"$HUB/v1/usage?by=project\""
      )
      #expect(project.records.map { $0["code"] } == ["BadInput"], "\(project.output)")
      #expect(project.records.map { $0["input"] } == ["by"])
    }
  }

  @Test func `costs from elsewhere that cannot be are unknown, and no ledger fails over them`()
    async throws
  {
    try await Scratch.with { scratch in
      let answers = [
        #""costUSD":1e308"#, #""costUSD":1e308"#, #""costUSD":-5"#,
        #""costUSD":1,"usage":{"inputTokens":-9,"outputTokens":-9223372036854775808}"#,
      ].enumerated().map { index, members in
        #"{"chatId":"chat-0001","createdAt":"2026-02-2\#(index)T09:00:00.000Z","id":"turn-000\#(index)","#
          + #""role":"assistant","text":"Hi","model":"m","complete":true,\#(members),"type":"message"}"#
      }
      try await scratch.shell("chat-log import >/dev/null", input: answers.joined(separator: "\n"))
      for ledger in ["chat-log", "agent-stat"] {
        let days = try await scratch.shell("\(ledger) usage")
        #expect(days.statuses == [0], "\(days.errors)")
        #expect(days.records("usage").map { $0.number("costUSD") } == [nil, nil, nil, 1])
        #expect(days.records("usage").map { $0.number("inputTokens") } == [0, 0, 0, 0])
        for words in ["--by model", "--text", "--by model --text"] {
          #expect(try await scratch.shell("\(ledger) usage \(words)").statuses == [0])
        }
      }
    }
  }

  @Test func `how much a model's context holds is one number`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      try await scratch.shell("stage-run --yolo --model claude-sonnet-5-5", input: Plan.one)
      let contexts = try await scratch.shell("agent-stat context").records
      let listed = try await scratch.shell("model-list").records.filter {
        $0["name"] == "claude-sonnet-5-5"
      }
      #expect(contexts.map { $0.number("maxTokens") } == [1_000_000])
      #expect(listed.map { $0.number("contextTokens") } == [1_000_000])
    }
  }
}
