import Foundation
import Testing

/// Costs as they are worked out here, from the server's log and the published prices alone.
private enum Costs {
  /// US dollars a million tokens of input and output.
  static let prices = [
    "claude-opus-4-6": (15.0, 75.0), "claude-sonnet-4-6": (3.0, 15.0),
    "claude-haiku-4-5-20251001": (0.80, 4.0),
  ]

  /// What all answers of a server cost; cut ones too.
  static func sum(_ server: Server) -> Double {
    var sum = 0.0
    for request in server.requests {
      guard let (input, output) = prices[request["model"]],
        let answer = server.log("answer").first(where: { $0["number"] == request["number"] })
      else { continue }
      func count(_ name: String) -> Double { answer.number("usage.\(name)") ?? 0 }
      sum += count("input_tokens") * input + count("output_tokens") * output
      sum += count("cache_read_input_tokens") * input * 0.1
      sum += count("cache_creation_input_tokens") * input * 1.25
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
         {"usage":{"inputTokens":123456,"outputTokens":0}}]
        """)
      let run = try await scratch.shell("ceo-plan 'Compare' | stage-run --yolo")
      #expect(run.statuses == [0, 0])
      expectCost(run, server)
      let usage = run.records("pipeline").last
      #expect(usage?.number("usage.inputTokens") == 194_997)
      #expect(usage?.number("usage.outputTokens") == 4429)
      #expect(usage?.number("usage.cacheReadTokens") == 70008)
      #expect(usage?.number("usage.cacheWriteTokens") == 514)
    }
  }

  @Test func `what a cut answer used is paid for too, and a refusal by status is not`() async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"status":429,"headers":{"retry-after-ms":"1"}},{"midError":"api_error","usage":{"inputTokens":500,"outputTokens":1}}]"#
      )
      let first = try await scratch.shell("stage-run --yolo", input: Plan.one)
      #expect(first.statuses != [0])
      expectCost(first, server)
      let second = try await scratch.shell("stage-run --resume")
      #expect(second.statuses == [0])
      expectCost(second, server)
      #expect(second.records("stage").last?.number("usage.inputTokens") ?? 0 > 500)
    }
  }

  @Test func `--max-cost stops before the call, and a raised one goes on`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"times":0,"usage":{"inputTokens":1000,"outputTokens":100}}]"#)
      try await scratch.shell("stage-run --yolo --max-cost 0.065", input: Plan.three)
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
      try await scratch.shell("stage-run --resume \(Plan.pipeline) --max-total-tokens 4500")
      #expect(server.requests.count == 1)
      let last = try await scratch.shell("stage-run --resume --max-total-tokens 100000")
      #expect(last.statuses == [0])
      #expect(server.requests.count == 3)
      try scratch.expectGolden("stage-run/max-total-tokens")
    }
  }

  @Test func `an unknown price under a budget is refused before the first call`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      let plan = [Plan.head, Plan.stage(0), Plan.stage(1, #","model":"gpt-5-mini""#)]
      try await scratch.shell("stage-run --yolo --max-cost 5", input: plan.joined(separator: "\n"))
      #expect(server.requests.isEmpty)
      try scratch.write(
        "home/config/config.toml",
        "[models.\"gpt-5-mini\"]\ninputPricePerMillion = 2\noutputPricePerMillion = 8\n")
      let run = try await scratch.shell("stage-run --resume")
      #expect(run.statuses == [0])
      #expect(server.requests.count == 2)
      try scratch.expectGolden("stage-run/unknown-price")
    }
  }

  @Test func `an unknown price without a budget is null, and so is the sum`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let plan = [Plan.head, Plan.stage(0), Plan.stage(1, #","model":"gpt-5-mini""#)]
      let run = try await scratch.shell("stage-run --yolo", input: plan.joined(separator: "\n"))
      #expect(run.statuses == [0])
      #expect(run.records("pipeline").last?.value("costUSD") == nil)
      #expect(
        run.records("stage").filter { $0.status == "approved" }.map { $0.number("costUSD") != nil }
          == [true, false])
    }
  }

  @Test func `stages side by side share a budget`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"times":0,"usage":{"inputTokens":100,"outputTokens":4000}}]"#)
      let stages = (0..<3).map {
        #"{"position":0,"role":"researcher","task":"T\#($0)","type":"stage"}"#
      }
      // Each call costs 0.0603 and may cost some 0.062: two fit, three do not.
      let run = try await scratch.shell(
        "stage-run --yolo --max-cost 0.13", input: stages.joined(separator: "\n"))
      #expect(run.statuses == [75])
      #expect(server.requests.count == 2)
      expectCost(run, server)
    }
  }
}
