import Foundation
import Testing

/// The facts of November 2026 with their sources, where AGENTPIPES_EVAL has them: data of their own, not
/// the catalogue.
private enum Facts {
  static func file(_ name: String) -> String? {
    Places.environment["AGENTPIPES_EVAL"].flatMap { folder in
      let file = "\(folder)/models/\(name).ndjson"
      return FileManager.default.fileExists(atPath: file) ? file : nil
    }
  }

  static let prices = file("prices-2026-11")
  static let vectors = file("cost-vectors-2026-11")

  static func records(_ file: String?) throws -> [Record] {
    Record.all(in: try String(contentsOfFile: try #require(file), encoding: .utf8))
  }
}

/// Each model of today on a server that refuses what the model refuses.
@Suite("models of today", .enabled(if: Facts.prices != nil, "AGENTPIPES_EVAL names no facts"))
struct StrictModelTests {
  /// The rows of a provider and a kind, one a name, the last one.
  private static func rows(_ provider: String, _ kind: String) throws -> [Record] {
    var rows: [String: Record] = [:]
    for row in try Facts.records(Facts.prices) {
      if row["provider"] == provider, row["kind"] == kind { rows[row["name"]] = row }
    }
    return rows.values.sorted { $0["name"] < $1["name"] }
  }

  private static func serve(_ scratch: Scratch) async throws -> Server {
    try await scratch.setDay(Scratch.day)
    let server = try await Server(
      scratch, "strict_server.py", ["--rows", try #require(Facts.prices), "--day", Scratch.day],
      log: "strict.log")
    scratch.set("ANTHROPIC_BASE_URL", server.url(""))
    scratch.set("OPENAI_BASE_URL", server.url("/v1"))
    scratch.set("ANTHROPIC_API_KEY", scratch.secret)
    scratch.set("OPENAI_API_KEY", scratch.secret)
    return server
  }

  /// Whether a row's model is switched off on the day of the tests.
  private static func isGone(_ row: Record) -> Bool {
    row["status"] == "retired" || (row["retires"].hasPrefix("2") && row["retires"] <= Scratch.day)
  }

  @Test(arguments: ["anthropic", "openai"])
  func `a pipeline, a chat and a check work with each model, with one request each`(
    _ provider: String
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      var expected = 0
      for row in try Self.rows(provider, "chat") where !Self.isGone(row) {
        let model = row["name"]
        let effort = row["efforts"].contains("low") ? "--effort low" : ""
        let run = try await scratch.shell(
          """
          ceo-plan 'Compare the two' --model \(model) | stage-run --yolo --model \(model) >run.ndjson
          jq -r 'select(.type == "pipeline") | .status' run.ndjson | tail -n 1
          chat-send -n 'name three risks' --model \(model) \(effort) | jq -r .text
          model-list check \(model) | jq -r .available
          """)
        #expect(run.output == "completed\nok\ntrue\n", "\(model): \(run.errors)")
        expected += 6
        #expect(server.requests.count == expected, "\(model)")
      }
      #expect(server.requests.allSatisfy { $0.number("status") == 200 })
    }
  }

  @Test func `pictures are made by each model of pictures, with one request each`() async throws {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      let rows = try Self.rows("openai", "image").filter { !Self.isGone($0) }
      for row in rows {
        let run = try await scratch.shell("image-make fog --model \(row["name"]) | jq -r .type")
        #expect(run.output == "file\n", "\(row["name"]): \(run.errors)")
      }
      try await scratch.shell("image-make fog")
      #expect(server.requests.map { $0.number("status") } == [200.0].repeated(rows.count + 1))
    }
  }

  @Test func `a model that is gone is not found, its replacement is named, and nothing is sent`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      for kind in ["chat", "image"] {
        for row in try Self.rows("openai", kind) where Self.isGone(row) {
          let tool = kind == "chat" ? "chat-send -n ask" : "image-make fog"
          let run = try await scratch.shell("\(tool) --model \(row["name"])")
          #expect(run.statuses == [66])
          #expect(run.errors.contains("'\(row["replacement"])'"), "\(run.errors)")
        }
      }
      let run = try await scratch.shell("chat-send -n ask --model github/openai/gpt-4o")
      #expect(
        run.statuses == [66] && run.errors.contains("GitHub Models was shut down on 2026-07-30"))
      try await scratch.setDay("2026-12-11")
      let later = try await scratch.shell("chat-send -n ask --model gpt-5-mini")
      #expect(later.statuses == [66] && later.errors.contains("'gpt-6.1-terra'"))
      try await scratch.setDay("2026-12-10")
      let before = try await scratch.shell("chat-send -n ask --model gpt-5-mini")
      #expect(before.errors.contains("will be retired on 2026-12-11; its replacement is 'gpt-6.1-"))
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a configured server takes the prices of the row that it names, and no other`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      scratch.set("LOCAL_API_KEY", scratch.secret)
      let models = try Self.rows("google", "chat").map { $0["name"] }
      let endpoint = server.url("/v1beta/openai")
      for catalogue in ["catalogue = \"google\"\n", ""] {
        try scratch.write(
          "home/config/config.toml",
          models.map {
            "[models.\"\($0)\"]\nprovider = \"local\"\nendpoint = \"\(endpoint)\"\n" + catalogue
          }.joined())
        for model in models {
          let run = try await scratch.shell("chat-send -n ask --model \(model)")
          let message = try #require(run.records("message").first)
          #expect(run.statuses == [0], "\(run.errors)")
          #expect((message.number("costUSD") != nil) == !catalogue.isEmpty, "\(model)")
        }
      }
      #expect(server.requests.allSatisfy { $0.number("status") == 200 })
    }
  }

  @Test func `what an unknown model refuses by name is left out, said once, and remembered`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await Self.serve(scratch)
      for (model, options) in [
        ("anthropic/mystery-temperature", "--temperature 0.5"),
        ("openai/mystery-temperature", "--temperature 0.5"), ("openai/mystery-stop", "--stop END"),
        ("anthropic/mystery-effort", "--effort low"), ("openai/mystery-stream_options", ""),
      ] {
        let before = server.requests.count
        for _ in 0..<2 {
          try await scratch.shell("chat-send -n ask --model \(model) \(options)")
        }
        let statuses = server.requests.dropFirst(before).map { $0.number("status") }
        #expect(statuses == [400, 200, 200], "\(model)")
      }
      let first = try #require(scratch.runs.first)
      #expect(first.errors.contains("rejects 'temperature': sending the request without it"))
      // It is left out without being asked about, and that is said as long as somebody wants it.
      #expect(
        scratch.runs[1].errors.contains(
          "does not support temperature: sending the request without it"))
      // A refusal by status costs nothing; what it all cost is unknown, as is the price.
      let memory = scratch.read("home/cache/refusals.ndjson")
      #expect(memory.split(separator: "\n").count == 5)
      try scratch.write("home/cache/refusals.ndjson", "not JSON\n" + memory)
      let run = try await scratch.shell(
        "chat-send -n ask --model openai/mystery-stop --stop END | jq -r .text")
      #expect(run.output == "ok\n")
    }
  }

  @Test func `the tools tell the cost of each vector to the last digit`() async throws {
    let rows = try Facts.records(Facts.vectors)
    #expect(rows.count == 20)
    try await Scratch.with { scratch in
      let usages = try rows.map { row in
        let read = row.number("usage.cacheReadTokens") ?? 0
        let written = row.number("usage.cacheWriteTokens") ?? 0
        var usage: [String: Any] = [
          "inputTokens": Int((row.number("usage.inputTokens") ?? 0) - read - written),
          "outputTokens": Int(row.number("usage.outputTokens") ?? 0), "cacheReadTokens": Int(read),
          "cacheWriteTokens": Int(written),
        ]
        if let hour = row.number("usage.cacheWrite1hTokens") {
          usage["cache_creation"] = ["ephemeral_1h_input_tokens": Int(hour)]
        }
        return try JSONSerialization.data(withJSONObject: ["usage": usage, "text": "T"])
      }
      let script = usages.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
      let server = try await scratch.serveModels("[\(script)]")
      scratch.set("LOCAL_API_KEY", scratch.secret)
      try scratch.write(
        "home/config/config.toml",
        "[models.gemini-4-argon]\nprovider = \"local\"\nendpoint = \"\(server.url("/v1"))\"\n"
          + "catalogue = \"google\"\n")
      for row in rows {
        try await scratch.setDay(row["day"])
        let run = try await scratch.shell("chat-send -n ask --no-store --model \(row["model"])")
        let cost = try #require(run.records("message").first).value("costUSD")
        #expect(
          cost.map { "\($0)" } == row.value("costUSD").map { "\($0)" },
          "\(row["model"]) on \(row["day"]): \(run.errors)")
      }
      #expect(server.requests.count == 20)
    }
  }
}
