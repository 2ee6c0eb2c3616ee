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

  /// A session of Claude Code with a call of each given model, a few seconds ago.
  private static func session(_ id: String, models: String...) -> String {
    let now = Date.now.timeIntervalSince1970
    return models.enumerated().map { index, model in
      let at = Date(timeIntervalSince1970: now - 60 + Double(index)).ISO8601Format()
      let head = #""sessionId":"\#(id)","cwd":"/w/app","timestamp":"\#(at)""#
      return #"{"type":"user",\#(head),"message":{"role":"user","content":"Ask \#(model)"}}"# + "\n"
        + #"{"type":"assistant",\#(head),"requestId":"r-\#(id)-\#(index)","#
        + #""message":{"id":"m-\#(id)-\#(index)","model":"\#(model)","#
        + #""content":[{"type":"text","text":"Yes."}],"stop_reason":"end_turn","#
        + #""usage":{"input_tokens":1000,"output_tokens":1000}}}"# + "\n"
    }.joined()
  }

  @Test func `an imported session costs in both ledgers what it costs when it is adopted`()
    async throws
  {
    try await Scratch.with { scratch in
      let day = String(Date.now.addingTimeInterval(-60).ISO8601Format().prefix(10))
      scratch.set("CLAUDE_CONFIG_DIR", scratch.path("work/claude"))
      let file = "work/claude/projects/-w-app/\(day).jsonl"
      try scratch.write(file, Self.session("c1", models: "claude-sonnet-4-6"))
      try await scratch.shell("chat-log import --from-claude >/dev/null")
      func sums(_ words: String) async throws -> [String] {
        let jq = "jq -c '[.key, .calls, .costUSD, .knownCostUSD, .unknownCalls]'"
        let run = try await scratch.shell("\(words) | \(jq)")
        #expect(run.statuses == [0, 0] && run.errors.isEmpty, "\(run.errors)")
        return run.output.split(separator: "\n").map(String.init)
      }
      let whole = #"["\#(day)",1,0.018,null,null]"#
      #expect(try await sums("chat-log usage") == [whole])
      #expect(try await sums("agent-stat usage") == [whole])
      let aspects = [
        "session": "c1", "run": "claude-c1", "model": "claude-sonnet-4-6", "tool": "claude",
      ]
      for (aspect, key) in aspects {
        let expected = #"["\#(key)",1,0.018,null,null]"#
        #expect(try await sums("agent-stat usage --by \(aspect)") == [expected])
      }
      try await scratch.shell("agent-adopt >/dev/null")
      #expect(try await sums("chat-log usage") == [whole])
      #expect(try await sums("agent-stat usage") == [whole])
      #expect(
        try await sums("agent-stat usage --by tool") == [#"["agent-adopt",1,0.018,null,null]"#])
      for (aspect, key) in aspects where aspect != "tool" {
        let expected = #"["\#(key)",1,0.018,null,null]"#
        #expect(try await sums("agent-stat usage --by \(aspect)") == [expected])
      }
      // A call of unknown cost leaves the known part of its day.
      try scratch.write(
        "work/claude/projects/-w-app/c2.jsonl", Self.session("c2", models: "a-model"))
      try await scratch.shell("chat-log import --from-claude >/dev/null")
      for ledger in ["chat-log", "agent-stat"] {
        #expect(try await sums("\(ledger) usage") == [#"["\#(day)",2,null,0.018,1]"#])
        let text = try await scratch.shell("\(ledger) usage --text")
        #expect(text.output.contains(" $0.0180 + ? "), "\(text.output)")
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
