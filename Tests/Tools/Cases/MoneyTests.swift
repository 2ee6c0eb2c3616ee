import Foundation
import TestSupport
import Testing

/// Costs as they are worked out here, from the server's log and the published prices alone.
private enum Costs {
  /// US dollars a million tokens of input, output, read from a cache and written to one.
  static let prices = [
    "claude-opus-5-5": (4.0, 20.0, 0.2, 5.0), "claude-sonnet-5-5": (2.0, 10.0, 0.1, 2.5),
  ]

  /// What all answers of a server cost; cut ones too.
  static func sum(_ server: Server) -> Double {
    var sum = 0.0
    for request in server.requests {
      guard let (input, output, read, write) = prices[request["model"]],
        let answer = server.log("answer").first(where: { $0["number"] == request["number"] })
      else { continue }
      func count(_ name: String) -> Double { answer.number("usage.\(name)") ?? 0 }
      sum += count("input_tokens") * input + count("output_tokens") * output
      sum += count("cache_read_input_tokens") * read
      sum += count("cache_creation_input_tokens") * write
    }
    return sum / 1e6
  }
}

@Suite("money")
struct MoneyTests {
  private func expectCost(_ run: ToolRun, _ server: Server) {
    let cost = run.records("pipeline").last?.number("costUSD") ?? -1
    #expect(abs(cost - Costs.sum(server)) < 1e-9)
  }

  @Test func `tokens and cost of planning and all stages add up`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        """
        [{"usage":{"inputTokens":1001,"outputTokens":333}},
         {"usage":{"inputTokens":17,"outputTokens":4095,"cacheReadTokens":70007,"cacheWriteTokens":513}},
         {"usage":{"inputTokens":1,"outputTokens":1,"cacheReadTokens":1,"cacheWriteTokens":1}},
         {"usage":{"inputTokens":123456,"outputTokens":7}}]
        """)
      let run = try await scratch.shell("ceo-plan 'Compare' | stage-run --yolo")
      #expect(run.statuses == [0, 0])
      expectCost(run, server)
      let usage = run.records("pipeline").last
      #expect(usage?.number("usage.inputTokens") == 194_997)
      #expect(usage?.number("usage.outputTokens") == 4436)
      #expect(usage?.number("usage.cacheReadTokens") == 70008)
      #expect(usage?.number("usage.cacheWriteTokens") == 514)
    }
  }

  @Test func `what a cut answer cost is unknown for good, and a refusal by status costs nothing`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"status":429,"headers":{"retry-after-ms":"1"}},{"midError":"api_error"}]"#)
      let first = try await scratch.shell("stage-run --yolo", input: Plan.one)
      #expect(first.statuses == [69])
      expectUnknown(first)
      let second = try await scratch.shell("stage-run --resume")
      #expect(second.statuses == [0])
      expectUnknown(second)
      #expect(server.requests.count == 3)
      let third = try await scratch.shell("stage-run --list")
      #expect(third.records("pipeline").last?.value("costUSD") == nil)
    }
  }

  private func expectUnknown(_ run: ToolRun) {
    #expect(run.records("pipeline").last != nil)
    for type in ["stage", "pipeline"] {
      #expect(run.records(type).last?.value("costUSD") == nil)
    }
  }

  /// One call of these may cost all that the budget has.
  @Test(arguments: [
    #"{"cutAfter":"text","times":0}"#, #"{"cleanCut":true,"times":0}"#,
    #"{"midError":"overloaded_error","times":0}"#,
  ])
  func `--max-cost counts a call that was cut at what it may have cost`(
    behaviour: String
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels("[\(behaviour)]")
      try await scratch.shell("stage-run --yolo --max-cost 0.10", input: Plan.one)
      for _ in 0..<3 {
        let run = try await scratch.shell("stage-run --resume")
        #expect(run.statuses == [75])
        expectUnknown(run)
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `--max-cost counts each try of a silent server`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"holdFile":"\#(scratch.path("never"))","times":0}]"#)
      let run = try await scratch.shell(
        "stage-run --yolo --max-cost 0.085 --retries 5 --idle-timeout 0.3s", input: Plan.one)
      #expect(run.statuses == [75])
      let error = try #require(run.records("error").last)
      #expect(error["code"] == "BudgetExceeded")
      #expect(error["explanation"].contains("of $0.085 may already be spent"))
      #expect(error["cause"].contains("sent nothing for 0.3 s"))
      try await scratch.until("the server has read it") { !server.requests.isEmpty }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `an interrupted call counts at what it may have cost`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"stall":true,"times":0}]"#)
      let running = try scratch.starting(
        "stage-run", "--yolo", "--max-cost", "0.10", "--stream", input: Plan.one)
      try await scratch.until("a piece of the answer") { running.output.contains("\"delta\"") }
      running.child.signal(SIGINT)
      let first = await running.ended()
      expectUnknown(first)
      let second = try await scratch.shell("stage-run --resume")
      #expect(second.statuses == [75])
      expectUnknown(second)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `the cost of a run that was killed in a call is unknown, in records and in the list`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"when":"Job 1","stall":true},{"times":0,"usage":{"inputTokens":1000}}]"#)
      let running = try scratch.starting(
        "stage-run", "--yolo", "--stream", "--max-cost", "1", input: Plan.three)
      try await scratch.until("the second call") { server.requests.count == 2 }
      running.child.signal(SIGKILL)
      _ = await running.ended()
      let list = try await scratch.shell("stage-run --list")
      #expect(list.records("pipeline").map(\.status) == ["running"])
      #expect(list.records("pipeline").last?.value("costUSD") == nil)
      let last = try await scratch.shell("stage-run --resume")
      #expect(last.statuses == [0])
      #expect(last.records("pipeline").last?.value("costUSD") == nil)
      #expect(
        last.records("stage").filter { $0.status == "approved" }.map { $0.number("costUSD") != nil }
          == [true, false, true])
      #expect(try await scratch.calls(in: "agent-stat") == ["stage-run 4 $?"])
    }
  }

  @Test func `a request that is held back, since the reader has gone, costs nothing`() async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell(
        "exec 3> >(true); wait $!; stage-run --yolo --max-cost 0.10 >&3", input: Plan.one)
      #expect(server.requests.isEmpty)
      let run = try await scratch.shell("stage-run --resume")
      #expect(run.statuses == [0])
      expectCost(run, server)
    }
  }

  @Test(arguments: [
    #"{"output_tokens":-7}"#, #"{"output_tokens":"7"}"#, #"{"output_tokens":1e15}"#,
    #"{"input_tokens":-1}"#, #"{"input_tokens":null,"output_tokens":null}"#,
  ])
  func `counts that cannot be make the cost unknown`(usage: String) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"usage":\#(usage)}]"#)
      let run = try await scratch.shell("stage-run --yolo", input: Plan.one)
      #expect(run.statuses == [0])
      expectUnknown(run)
    }
  }

  /// Asks for answers that a small disk has room for.
  private static func limitAnswers(_ scratch: Scratch) async throws {
    scratch.set("AGENTPIPES_MODEL", "claude-sonnet-4-6")
    try await scratch.shell(
      "mkdir -p $AGENTPIPES_HOME/config && printf '[models.claude-sonnet-4-6]\\nmaxOutputTokens = "
        + "4096\\n' >$AGENTPIPES_HOME/config/config.toml && chmod -R go-w $AGENTPIPES_HOME")
  }

  @Test(SmallDisk.isThere)
  func `an answer that was paid for is kept on a disk that has become full`() async throws {
    try await SmallDisk.with { scratch, home in
      try await Self.limitAnswers(scratch)
      let server = try await scratch.serveModels(
        #"[{"holdFile":"\#(scratch.path("go"))","holdAt":"half"}]"#)
      let running = try scratch.starting("stage-run", "--yolo", "--stream", input: Plan.one)
      try await scratch.until("a piece of the answer") { running.output.contains("\"delta\"") }
      // What head(1) cannot write any more is what this is about.
      try await scratch.shell("head -c 3000000 /dev/zero >\(home)/filler")
      try scratch.write("go", "")
      let run = await running.ended()
      #expect(run.records("artifact").count == 1)
      try FileManager.default.removeItem(atPath: home + "/filler")
      let shown = try await scratch.shell("stage-run --show \(Plan.pipeline)")
      #expect(shown.records("artifact").count == 1)
      try await scratch.shell("stage-run --resume \(Plan.pipeline)")
      #expect(server.requests.count == 1)
    }
  }

  @Test(SmallDisk.isThere)
  func `nothing is asked where there is no room for an answer`() async throws {
    try await SmallDisk.with { scratch, home in
      try await Self.limitAnswers(scratch)
      let server = try await scratch.serveModels()
      try await scratch.shell("stage-run --list")
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      // The store has room, and 128 kB more than it have not.
      try await scratch.shell("stage-run", input: "")
      try await scratch.shell("head -c 800000 /dev/zero >\(home)/filler")
      let run = try await scratch.shell("stage-run --yolo", input: Plan.one)
      #expect(run.statuses == [74])
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `a key that a server gives back is in no record and no file of ours`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(
        #"[{"text":"Your key: {key}.","chunks":"bytewise","times":0}]"#, "--echo-key")
      let run = try await scratch.shell("stage-run --yolo --stream", input: Plan.one)
      #expect(run.statuses == [0])
      #expect(run.records("artifact").last?["content"] == "Your key: [redacted].")
      #expect(run.records("delta").map { $0["text"] }.joined() == "Your key: [redacted].")
      // What remains in the files is looked through when the place is taken away.
    }
  }

  @Test func `--max-cost stops before the call, and a raised one goes on`() async throws {
    try await Scratch.with { scratch in
      try await scratch.setDay(Scratch.day)
      let server = try await scratch.serveModels(
        #"[{"times":0,"usage":{"inputTokens":1000,"outputTokens":100}}]"#)
      try await scratch.shell("stage-run --yolo --max-cost 0.085", input: Plan.three)
      #expect(server.requests.count == 1)
      try await scratch.shell("stage-run --resume")
      #expect(server.requests.count == 1)
      let last = try await scratch.shell("stage-run --resume --max-cost 1")
      #expect(server.requests.count == 3)
      #expect(last.statuses == [0])
      expectCost(last, server)
      try scratch.expectGolden("stage-run/max-cost")
    }
  }

  @Test func `--max-total-tokens stops before the call, and a raised one goes on`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"times":0,"usage":{"inputTokens":1000,"outputTokens":100}}]"#)
      try await scratch.shell("stage-run --yolo --max-total-tokens 10", input: Plan.three)
      #expect(server.requests.isEmpty)
      try await scratch.shell("stage-run --resume \(Plan.pipeline) --max-total-tokens 9300")
      #expect(server.requests.count == 1)
      let last = try await scratch.shell("stage-run --resume --max-total-tokens 100000")
      #expect(last.statuses == [0])
      #expect(server.requests.count == 3)
      try scratch.expectGolden("stage-run/max-total-tokens")
    }
  }

  @Test func `the default where OpenAI has a key has a price`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      scratch.set("ANTHROPIC_API_KEY", nil)
      scratch.set("OPENAI_API_KEY", scratch.secret)
      let run = try await scratch.shell("stage-run --yolo --max-cost 5", input: Plan.one)
      #expect(run.statuses == [0])
      #expect(server.requests.map { $0["model"] } == ["gpt-6.1-terra"])
      let cost = try #require(run.records("pipeline").last?.number("costUSD"))
      #expect(cost > 0)
      let contexts = try await scratch.shell("agent-stat context").records
      #expect(contexts.map { $0.number("maxTokens") } == [1_050_000])
    }
  }

  @Test func `an unknown price under a budget is refused before the first call`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      let plan = [Plan.head, Plan.stage(0), Plan.stage(1, #","model":"gpt-5-unheard-of""#)]
      try await scratch.shell("stage-run --yolo --max-cost 5", input: plan.joined(separator: "\n"))
      #expect(server.requests.isEmpty)
      try scratch.write(
        "home/config/config.toml",
        "[models.\"gpt-5-unheard-of\"]\ninputPricePerMillion = 2\noutputPricePerMillion = 8\n")
      let run = try await scratch.shell("stage-run --resume")
      #expect(run.statuses == [0])
      #expect(server.requests.count == 2)
      try scratch.expectGolden("stage-run/unknown-price")
    }
  }

  @Test func `an unknown price without a budget is null, and so is the sum`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let plan = [Plan.head, Plan.stage(0), Plan.stage(1, #","model":"gpt-5-unheard-of""#)]
      let run = try await scratch.shell("stage-run --yolo", input: plan.joined(separator: "\n"))
      #expect(run.statuses == [0])
      #expect(run.records("pipeline").last?.value("costUSD") == nil)
      #expect(
        run.records("stage").filter { $0.status == "approved" }.map { $0.number("costUSD") != nil }
          == [true, false])
      // What is known is shown, in the record and to people.
      let known = try #require(run.records("stage").compactMap { $0.number("costUSD") }.last)
      #expect(run.records("pipeline").last?.number("knownCostUSD") == known)
      let list = try await scratch.shell("stage-run --list --text")
      #expect(list.output.contains(" + ?"), "\(list.output)")
    }
  }

  @Test func `stages side by side share a budget`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"times":0,"usage":{"inputTokens":100,"outputTokens":4000}}]"#)
      let stages = (0..<3).map {
        #"{"position":0,"role":"researcher","task":"T\#($0)","type":"stage"}"#
      }
      // Each call costs 0.0402 and may cost 0.083 at the least: two fit one after the other.
      let run = try await scratch.shell(
        "stage-run --yolo --max-cost 0.13", input: stages.joined(separator: "\n"))
      #expect(run.statuses == [75])
      #expect(server.requests.count == 2)
      expectCost(run, server)
    }
  }

  @Test func `plans, stages, agents and chats stand in one ledger, here and at a hub`() async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        """
        [{"usage":{"inputTokens":1000,"outputTokens":300}},
         {"usage":{"inputTokens":20,"outputTokens":400}},
         {"usage":{"inputTokens":30,"outputTokens":500}},
         {"usage":{"inputTokens":40,"outputTokens":600}},
         {"usage":{"inputTokens":50,"outputTokens":700}}]
        """)
      try await scratch.shell("ceo-plan 'Compare' | stage-run --yolo >run")
      try await scratch.shell("chat-send -n 'and now?' --model claude-sonnet-5-5 >chat")
      try await scratch.shell(
        """
        printf '%s\\n' '{"type":"system","subtype":"init","session_id":"x","model":"opus"}' \
          '{"type":"assistant","message":{"id":"m1","model":"opus","usage":{"input_tokens":10,"output_tokens":3}}}' \
          '{"type":"result","subtype":"success","duration_ms":5,"total_cost_usd":0.25,"session_id":"x"}' >claude
        agent-run --agent a -- cat claude >/dev/null
        """)
      let tools = try await scratch.shell("agent-stat usage --by tool")
      #expect(
        tools.records("usage").map { "\($0["key"]) \($0["calls"]) \($0["outputTokens"])" } == [
          "stage-run 3 1500", "ceo-plan 1 300", "chat-send 1 700", "agent-run 1 3",
        ])
      let days = try await scratch.shell("agent-stat usage --since 1h")
      let cost = days.records("usage").compactMap { $0.number("costUSD") }.reduce(0, +)
      #expect(abs(cost - Costs.sum(server) - 0.25) < 1e-9)
      let chats = try await scratch.shell("chat-log usage --by tool --since 1h | jq -r .key")
      #expect(chats.output == "ceo-plan\nchat-send\n")

      let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:0", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let words = hub.errors.split(whereSeparator: \.isWhitespace)
      scratch.set("HUB", String(words.last { $0.hasPrefix("http") } ?? ""))
      #expect(
        try await scratch.shell("agent-stat usage --by tool --hub $HUB").output == tools.output)
    }
  }
}
