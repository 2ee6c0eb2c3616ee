import Foundation
import Testing

/// What a model thought goes back as it came, and what becomes of it where it cannot.
@Suite("thinking and refusals")
struct ThinkingTests {
  /// Rows of their own, for a server that binds thinking to its conversation.
  private static let rows = """
    {"name":"claude-opus-5-5","provider":"anthropic","kind":"chat","status":"active",\
    "efforts":["low","medium","high"],"defaultEffort":"medium","thinkingByDefault":"always",\
    "effectiveFrom":"2026-01-01","maxInputTokens":1000000,"maxOutputTokens":128000,\
    "minCacheTokens":64,"prices":{"input":4,"output":20,"cacheRead":0.2,"cacheWrite":5},\
    "refusedParameters":["temperature","thinking.disabled","prefill"]}
    {"name":"gpt-6.1-terra","provider":"openai","kind":"chat","status":"active",\
    "efforts":["none","low","medium"],"defaultEffort":"medium","effectiveFrom":"2026-01-01",\
    "maxInputTokens":1000000,"maxOutputTokens":128000,\
    "prices":{"input":1,"output":5,"cacheRead":0.05,"cacheWrite":1.25},\
    "refusedParameters":["temperature unless effort none","max_tokens"]}

    """

  private static func serve(_ scratch: Scratch) async throws -> Server {
    try await scratch.setDay(Scratch.day)
    let file = try scratch.write("given/rows.ndjson", rows)
    let server = try await Server(
      scratch, "strict_server.py", ["--rows", file, "--day", Scratch.day], log: "strict.log")
    scratch.set("ANTHROPIC_BASE_URL", server.url(""))
    scratch.set("OPENAI_BASE_URL", server.url("/v1"))
    scratch.set("ANTHROPIC_API_KEY", scratch.secret)
    scratch.set("OPENAI_API_KEY", scratch.secret)
    scratch.set("AGENTPIPES_MODEL", "claude-opus-5-5")
    return server
  }

  /// The statuses of the requests since so many, and whether thinking went along with each.
  private static func sent(_ server: Server, after count: Int) -> [String] {
    server.requests.dropFirst(count).map { request in
      let body = "\(request.value("body") ?? "")"
      return "\(Int(request.number("status") ?? 0)) "
        + (body.contains("signature") ? "whole" : "bare")
    }
  }

  @Test func `thinking goes back with the history that it belongs to`() async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      try await scratch.shell("chat-send -n one --system Brief; chat-send -n --continue two")
      try await scratch.shell("chat-send -n --continue three")
      #expect(Self.sent(server, after: 0) == ["200 bare", "200 whole", "200 whole"])
    }
  }

  @Test func `other instructions go without thinking, and the next turn heals itself`() async throws
  {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      try await scratch.shell("chat-send -n one --system Brief")
      let changed = try await scratch.shell("chat-send -n --continue two --system 'At length'")
      #expect(changed.statuses == [0])
      #expect(Self.sent(server, after: 0) == ["200 bare", "200 bare"])
      // The second turn's thinking belongs to the other instructions.
      let next = try await scratch.shell("chat-send -n --continue three")
      #expect(next.statuses == [0])
      #expect(Self.sent(server, after: 2) == ["400 whole", "200 bare"])
      #expect(next.errors.contains("rejects its earlier thinking"))
      #expect(next.records("message").first?.number("costUSD") != nil)
    }
  }

  @Test func `a turn that was deleted takes what was thought after it along`() async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      try await scratch.shell("chat-send -n one; chat-send -n --continue two")
      let turns = try await scratch.keptTurns()
      try await scratch.shell("chat-log delete \(turns[0].id)")
      let run = try await scratch.shell("chat-send -n --continue three")
      #expect(run.statuses == [0], "\(run.errors)")
      #expect(Self.sent(server, after: 2) == ["400 whole", "200 bare"])
    }
  }

  @Test func `another account gets the history without thinking, asked twice`() async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      try await scratch.shell("chat-send -n one")
      scratch.set("ANTHROPIC_API_KEY", "sk-ant-another-account-0000")
      let run = try await scratch.shell("chat-send -n --continue two")
      #expect(run.statuses == [0])
      #expect(Self.sent(server, after: 1) == ["400 whole", "200 bare"])
    }
  }

  @Test func `sealed reasoning of another account is left out, too`() async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      try await scratch.shell("chat-send -n one --model gpt-6.1-terra")
      let same = try await scratch.shell("chat-send -n --continue two --model gpt-6.1-terra")
      scratch.set("OPENAI_API_KEY", "sk-another-account-000000000")
      let other = try await scratch.shell("chat-send -n --continue three --model gpt-6.1-terra")
      #expect(same.statuses == [0] && other.statuses == [0])
      #expect(server.requests.map { $0.number("status") } == [200, 200, 400, 200])
    }
  }

  @Test(arguments: [
    ("cyber", "0"), ("bio", "0.00"), ("general_harms", "nil"), ("cyber:after", "0.00"),
  ])
  func `a refusal shows its reason, and costs what its category costs`(
    _ words: String, _ cost: String
  ) async throws {
    try await Scratch.with { scratch in
      _ = try await Self.serve(scratch)
      let run = try await scratch.shell("chat-send -n 'REFUSE:\(words)'")
      #expect(run.statuses == [1])
      let message = try #require(run.records("message").first)
      let category = words.prefix { $0 != ":" }
      #expect(message["error.explanation"].contains("category '\(category)'"))
      #expect(!message["error.cause"].isEmpty)
      let told = message.number("costUSD").map { $0 == 0 ? "0" : "0.00" } ?? "nil"
      #expect(told == cost)
    }
  }

  @Test func `an answer that thinking used up says so, and what to raise`() async throws {
    try await Scratch.with { scratch in
      _ = try await Self.serve(scratch)
      for model in ["claude-opus-5-5", "gpt-6.1-terra"] {
        let run = try await scratch.shell("chat-send -n EMPTY --model \(model)")
        #expect(run.statuses == [69])
        #expect(
          run.errors.contains(
            "used its output limit of 32000 tokens for thinking and gave no answer: "
              + "lower --effort, or raise --max-tokens"))
      }
    }
  }

  @Test(arguments: [("claude-opus-5-5", 5.0, 0.2, 4.0), ("gpt-6.1-terra", 1.25, 0.05, 1.0)])
  func `five stages pay for their material about once`(
    _ model: String, _ write: Double, _ read: Double, _ plain: Double
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      let stages = (0..<5).map {
        #"{"position":\#($0),"role":"researcher","task":"Question \#($0)","type":"stage"}"#
      }
      let text = (0..<900).map { "Sentence \($0) tells of the journal." }.joined(separator: " ")
      let page = #"{"status":200,"text":"\#(text)","type":"page","url":"https://a.example/"}"#
      let run = try await scratch.shell(
        "stage-run --yolo --model \(model)", input: (stages + [page]).joined(separator: "\n"))
      #expect(run.statuses == [0])
      let usage = try #require(run.records("pipeline").last)
      func count(_ name: String) -> Double { usage.number("usage.\(name)Tokens") ?? 0 }
      let rest = count("input") - count("cacheRead") - count("cacheWrite")
      let cost = rest * plain + count("cacheWrite") * write + count("cacheRead") * read
      // Without a cache it costs five times the material; with one, once, a quarter more and four reads.
      #expect(cost < count("input") * plain * 0.35)
      #expect(Set(server.requests.map { $0["body.prompt_cache_key"] }).count == 1)
    }
  }

  @Test(arguments: [("TIER:batch", 0.5), ("GEO:us", 1.1), ("SPEED:fast", 2.0), ("TIER:odd", -1)])
  func `the terms that an answer names price it`(_ word: String, _ factor: Double) async throws {
    try await Scratch.with { scratch in
      _ = try await Self.serve(scratch)
      let plain = try await scratch.shell(
        "chat-send -n \(String(repeating: "x", count: word.count))")
      let run = try await scratch.shell("chat-send -n \(word)")
      let whole = try #require(plain.records("message").first?.number("costUSD"))
      let cost = run.records("message").first?.number("costUSD")
      if factor < 0 {
        #expect(cost == nil)
      } else {
        #expect(abs((cost ?? -1) - whole * factor) < 1e-12)
      }
    }
  }

  @Test func `that a model thinks is told once before its first word`() async throws {
    try await Scratch.with { scratch in
      _ = try await Self.serve(scratch)
      let chat = try await scratch.shell(
        "chat-send -n ask --stream | jq -c '[.type, .reasoning, .text]'")
      #expect(
        chat.output == """
          ["delta","",""]
          ["delta",null,"o"]
          ["delta",null,"k"]
          ["message",null,"ok"]

          """)
      let stage = try await scratch.shell(
        "stage-run --yolo --stream | jq -c 'select(.type == \"delta\") | [.reasoning, .text]'",
        input: Plan.one)
      #expect(stage.output == "[\"\",\"\"]\n[null,\"o\"]\n[null,\"k\"]\n")
    }
  }

  @Test func `a temperature or an effort that a model is known to refuse is refused before it`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      for line in [
        "chat-send -n ask --temperature 0.5", "ceo-plan Compare --temperature 0.5",
        "chat-send -n ask --effort utmost", "chat-send -n ask --effort none",
        "chat-send -n ask --model claude-haiku-4-5 --effort low",
        "chat-send -n ask --model claude-opus-4-6 --model claude-opus-5-5 --temperature 0",
        "ceo-plan Compare --effort utmost",
      ] {
        let run = try await scratch.shell(line)
        #expect(run.statuses == [64], "\(line): \(run.errors)")
      }
      let stage = try await scratch.shell("stage-run --yolo --effort utmost", input: Plan.one)
      #expect(stage.statuses == [64])
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `a temperature of the configuration is left out for such a model, and said once`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      try scratch.write(
        "work/team.toml", "[roles.producer]\ntemperature = 0.1\neffort = \"low\"\n")
      let plan = [Plan.head, Plan.stage(1), Plan.stage(2)].joined(separator: "\n")
      let run = try await scratch.shell("stage-run --yolo --team team.toml", input: plan)
      #expect(run.statuses == [0])
      #expect(
        run.errors.components(separatedBy: "does not support temperature").count == 2,
        "\(run.errors)")
      let efforts = server.requests.map { $0["body.output_config.effort"] }
      #expect(efforts == ["low", ""])
    }
  }
}
