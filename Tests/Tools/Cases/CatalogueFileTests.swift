import Foundation
import Testing

/// The catalogue as it lies on the disk: what providers list, refreshed prices, and what harms them.
@Suite("catalogue on the disk")
struct CatalogueFileTests {
  private static let row = """
    {"name":"claude-opus-9","provider":"anthropic","kind":"chat","status":"active",\
    "efforts":["low","high"],"defaultEffort":"high","thinkingByDefault":"always",\
    "effectiveFrom":"2026-01-01","maxInputTokens":500000,"maxOutputTokens":9000,\
    "refusedParameters":["temperature","top_p","top_k","thinking.enabled","thinking.disabled"]}
    {"name":"claude-opus-8","provider":"anthropic","kind":"chat","status":"deprecated",\
    "effectiveFrom":"2026-01-01","retires":"2026-12-24","maxInputTokens":1000,\
    "maxOutputTokens":900,"refusedParameters":["thinking.adaptive"]}
    {"name":"gpt-9","provider":"openai","kind":"chat","status":"active","effectiveFrom":"2026-01-01",\
    "maxOutputTokens":900,"refusedParameters":[]}

    """

  private static func serve(_ scratch: Scratch, models: Int = 0) async throws -> Server {
    try await scratch.setDay(Scratch.day)
    let more = (0..<models).map {
      #"{"name":"claude-extra-\#($0)","provider":"anthropic","kind":"chat","status":"active","#
        + #""effectiveFrom":"2026-01-01","refusedParameters":[]}"# + "\n"
    }
    let file = try scratch.write("given/rows.ndjson", row + more.joined())
    let server = try await Server(
      scratch, "strict_server.py", ["--rows", file, "--day", Scratch.day], log: "strict.log")
    scratch.set("ANTHROPIC_BASE_URL", server.url(""))
    scratch.set("OPENAI_BASE_URL", server.url("/v1"))
    scratch.set("ANTHROPIC_API_KEY", scratch.secret)
    scratch.set("OPENAI_API_KEY", scratch.secret)
    return server
  }

  @Test func `a new model works on its day, by what its provider lists`() async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch, models: 12)
      let run = try await scratch.shell("model-list refresh anthropic openai | jq -r .name")
      #expect(run.output.split(separator: "\n").count == 15)
      // The list comes in pages of five.
      #expect(server.requests.count { $0["path"].hasPrefix("/v1/models") } == 4)
      let listed = try await scratch.shell(
        "model-list | jq -c 'select(.name | test(\"opus-[89]|gpt-9\")) | "
          + "[.name, .maxOutputTokens, .effort, .refuses, .retires, .inputPricePerMillion]'")
      #expect(
        listed.output == """
          ["claude-opus-8",900,null,null,"2026-12-24",null]
          ["claude-opus-9",9000,null,["temperature","top_k","top_p"],null,null]
          ["gpt-9",null,null,null,null,null]

          """)
      let before = server.requests.count
      let asked = try await scratch.shell("chat-send -n ask --model claude-opus-9 --effort low")
      #expect(asked.statuses == [0])
      #expect(asked.records("message").first?.value("costUSD") == nil)
      let refused = try await scratch.shell(
        "chat-send -n ask --model claude-opus-9 --temperature 1")
      #expect(refused.statuses == [64])
      let soon = try await scratch.shell("chat-send -n ask --model claude-opus-8")
      #expect(soon.errors.contains("'claude-opus-8' will be retired on 2026-12-24"))
      #expect(server.requests.count == before + 2)
      #expect(server.requests.last?.number("body.max_tokens") == 900)
      let priced = try await scratch.shell(
        "stage-run --yolo --max-cost 1 --model claude-opus-9", input: Plan.one)
      #expect(priced.statuses == [78])
    }
  }

  @Test func `damaged prices change nothing and are named, those of tomorrow are read`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"times":0,"usage":{"inputTokens":1000}}]"#)
      try await scratch.setDay(Scratch.day)
      let good =
        #"{"asOf":"2026-11-23","from":"2026-11-01","mood":"new","name":"claude-haiku-5-5","#
        + #""prices":{"input":1,"output":0},"provider":"anthropic","source":"a test","type":"price"}"#
      let tomorrow = good.replacing("2026-11-01", with: "2026-11-24").replacing(":1,", with: ":7,")
      func ask(_ text: String) async throws -> (cost: Double?, errors: String) {
        try scratch.write("home/data/prices.ndjson", text)
        chmod(scratch.path("home/data"), 0o700)
        let run = try await scratch.shell("chat-send -n ask --no-store --model haiku")
        #expect(run.statuses == [0])
        return (run.records("message").first?.number("costUSD"), run.errors)
      }
      let built = try await ask("")
      let read = try await ask("\(good)\n\(tomorrow)\n{\"type\":\"mood\"}\n")
      #expect(read.cost == 0.001 && read.errors.isEmpty)
      for line in [
        "{", good.replacing(":1,", with: ":-1,"), good.replacing("2026-11-01", with: "x"),
      ] {
        let harmed = try await ask("\(good)\n\(line)\n")
        #expect(harmed.cost == built.cost)
        #expect(harmed.errors.contains("prices.ndjson:2'"), "\(harmed.errors)")
        #expect(harmed.errors.contains("using the built-in prices"))
      }
      // A list that was damaged loses the lines that are.
      try scratch.write("home/cache/models.ndjson", "junk\n")
      chmod(scratch.path("home/cache"), 0o700)
      let junk = try await ask(good)
      #expect(junk.cost == 0.001 && junk.errors.contains("cache/models.ndjson:1'"))
      try FileManager.default.removeItem(atPath: scratch.path("home/cache/models.ndjson"))
      try await scratch.setDay("2026-11-24")
      #expect(try await ask("\(good)\n\(tomorrow)\n").cost == 0.007)
      #expect(server.requests.count == 7)
    }
  }

  @Test func `a price that is over 90 days old is marked, and named once under a budget`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.serveModels("[]")
      for (day, isOld) in [("2027-02-21", false), ("2027-02-22", true)] {
        try await scratch.setDay(day)
        let list = try await scratch.shell("model-list --text")
        #expect(list.output.contains("price of 2026-11-23, over 90 days old") == isOld)
        let stages = (0..<3).map {
          #"{"position":\#($0),"role":"producer","task":"Job","type":"stage"}"#
        }
        let run = try await scratch.shell(
          "stage-run --yolo --max-cost 5", input: stages.joined(separator: "\n"))
        #expect(run.statuses == [0])
        let said = run.errors.components(separatedBy: "dates from 2026-11-23").count - 1
        #expect(said == (isOld ? 1 : 0), "\(run.errors)")
      }
    }
  }
}
