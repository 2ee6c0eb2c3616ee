import Foundation
import Testing

/// What those who speak chat completions in a way of their own do, and what comes of it.
@Suite("chat-send and the relatives of the chat wire")
struct ChatRelativeTests {
  /// What the table of troubles has no name for, since all goes well.
  private static let fine = [
    ("calls", #""text":"","calls":[{"id":"c1","name":"look","arguments":"{\"a\":\"b\"}"}]"#),
    ("length", #""text":"Cut here","stopReason":"max_tokens""#),
    ("unknown", #""text":"T","unknown":true"#),
    ("crlf", #""text":"T","newline":"crlf","ping":true"#),
    ("bytewise", #""text":"Naïve — 東京 🗼","chunks":"bytewise""#),
    ("usage", #""text":"T","usage":{"inputTokens":10,"cacheReadTokens":20,"outputTokens":3}"#),
  ].map { Trouble(name: $0, script: "[{\($1)}]", requests: 1, status: 0) }

  private static let troubles =
    fine
    + ChatTroubleTests.troubles.filter {
      [
        "401", "403", "404", "413", "429", "429-quota", "500", "529", "cut", "mid-error", "stall",
        "refusal",
      ].contains($0.name)
    }

  /// One script of all, each for the question that has its name.
  private static func script(_ troubles: [Trouble]) throws -> String {
    let all = try troubles.flatMap { trouble in
      let script = Wire.chat.worded(trouble.script)
      let behaviours = try JSONSerialization.jsonObject(with: Data(script.utf8))
      return try #require(behaviours as? [[String: Any]]).map {
        $0.merging(["when": "<\(trouble.name)>"]) { $1 }
      }
    }
    return String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
  }

  @Test(arguments: Relative.allCases)
  func `whatever a relative does, there is one message, and it tells the truth`(
    _ relative: Relative
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        try Self.script(Self.troubles), as: relative)
      // Some refuse a temperature by name: that is learned from the first answer.
      try await scratch.shell(
        "chat-send -n learn --no-store --temperature 0.5 --model '\(relative.model)'")
      for trouble in Self.troubles {
        let before = server.requests.count
        let run = try await scratch.shell(
          "chat-send -n '<\(trouble.name)>' --no-store --temperature 0.5 --model '\(relative.model)'"
            + " \(trouble.options)")
        #expect(server.requests.count == before + trouble.requests, "\(trouble)")
        #expect(run.statuses == [trouble.status], "\(trouble)")
        let message = try #require(run.records("message").first)
        #expect(run.records("message").count == 1)
        #expect(message.flag("complete") == (trouble.status == 0), "\(trouble)")
        #expect((message.value("error") == nil) == (trouble.status == 0))
        if trouble.isPartial { #expect(message["text"].hasPrefix("Answer ")) }
      }
      #expect(Set(server.requests.map { $0["path"] }) == [relative.path])
      try scratch.expectGolden("chat-send/relative-\(relative)")
    }
  }

  @Test(arguments: Relative.allCases)
  func `what goes over a relative's wire is as it wants it`(_ relative: Relative) async throws {
    try await Scratch.with { scratch in
      _ = try await scratch.serveModels(#"[{"text":"Fine.","chunks":1}]"#, as: relative)
      let run = try await scratch.shell(
        "chat-send -n ask --no-store --trace --model '\(relative.model)'")
      #expect(run.statuses == [0])
      try scratch.expectGolden("chat-send/relative-trace-\(relative)")
    }
  }

  @Test func `a filter that lets no prompt through has declined`() async throws {
    try await Scratch.with { scratch in
      _ = try await scratch.serveModels(
        #"[{"status":400,"errorCode":"content_filter","message":"The prompt was filtered."}]"#,
        as: .azure)
      let run = try await scratch.shell("chat-send -n ask --no-store --model azure/gpt-5.4-mini")
      #expect(run.statuses == [1])
      try scratch.expectGolden("chat-send/relative-filter")
    }
  }

  @Test func `Azure's Responses are asked on both of its interfaces`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"text":"T","times":2}]"#, as: .azure)
      try scratch.write(
        "home/config/config.toml", "[models.ours]\nprovider = \"azure\"\nkind = \"responses\"\n")
      for version in [nil, "2025-04-01-preview"] {
        scratch.set("OPENAI_API_VERSION", version)
        let run = try await scratch.shell("chat-send -n ask --no-store --model ours")
        #expect(run.records("message").map { $0["text"] } == ["T"])
      }
      #expect(
        server.requests.map { $0["path"] } == [
          "/openai/v1/responses", "/openai/responses?api-version=2025-04-01-preview",
        ])
    }
  }

  @Test func `a token of Entra that is refused has expired, which no key does`() async throws {
    try await Scratch.with { scratch in
      _ = try await scratch.serveModels(#"[{"status":401,"times":0}]"#, as: .azure)
      scratch.set("AZURE_OPENAI_AD_TOKEN", scratch.secret)
      try await scratch.shell("chat-send -n ask --no-store --model azure/gpt-5.4-mini")
      try scratch.expectGolden("chat-send/relative-entra")
    }
  }
}
