import Foundation
import Testing

/// Several models that are asked at once.
@Suite("chat-send, several models")
struct ChatSeveralTests {
  private static let three = Wire.allCases.map(\.option).joined(separator: " ")

  @Test func `models are asked at the same time, and one that fails fails alone`() async throws {
    try await Scratch.with { scratch in
      let gate = scratch.path("gate")
      let server = try await scratch.serveWires(
        """
        [{"times":2,"text":"Three.","holdFile":"\(gate)"},
         {"status":500,"times":0,"holdFile":"\(gate)","headers":{"x-should-retry":"false"}}]
        """)
      let running = try scratch.running("chat-send -n 'name three risks' \(Self.three)")
      // None is answered before all have asked.
      try await scratch.until("three requests") { server.requests.count == 3 }
      try scratch.write("gate", "")
      let run = await running.ended()
      #expect(run.statuses == [69])
      let messages = run.records("message")
      #expect(Set(messages.map { $0["model"] }) == Set(Wire.allCases.map(\.model)))
      #expect(messages.count == 3 && Set(messages.map { $0["groupId"] }).count == 1)
      #expect(messages.count { $0.flag("complete") == true && $0["text"] == "Three." } == 2)
      let failed = try #require(messages.first { $0.flag("complete") == false })
      #expect(failed["error.code"] == "ServerError" && failed["text"] == "")
      #expect(run.records.count == 3)
      #expect(run.errors.split(separator: "\n").count == 1)
      let turns = try await scratch.keptTurns()
      #expect(turns.count == 4)
      #expect(Set(turns.dropFirst().map(\.id)) == Set(messages.map(\.id)))
    }
  }

  @Test func `failures of one kind give their status, others give 1`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"[{"when":"alike","status":401,"times":0},{"status":401},{"status":404,"times":0}]"#)
      #expect(try await scratch.shell("chat-send -n alike \(Self.three)").statuses == [77])
      #expect(try await scratch.shell("chat-send -n other \(Self.three)").statuses == [1])
    }
  }

  @Test func `a chat goes on with the first model's answer, or the one that is chosen`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      let asked = try await scratch.shell("chat-send -n one \(Self.three)").records("message")
      func texts() throws -> [String] {
        try #require(server.requests.last).list("messages").map { $0["text"] }
      }
      func answer(_ wire: Wire) throws -> Record {
        try #require(asked.first { $0["model"] == wire.model })
      }
      try await scratch.shell("chat-send -n two --continue --model gpt-5.5")
      #expect(try texts() == ["one", try answer(.anthropic)["text"], "two"])
      try await scratch.shell("chat-log choose \(try answer(.responses).id)")
      try await scratch.shell("chat-send -n three --continue --model gpt-5.5")
      #expect(try texts().prefix(2) == ["one", try answer(.responses)["text"]])
      // The answers differ in nothing that a test could see, were they not told apart.
      #expect(Set(asked.map(\.id)).count == 3)
    }
  }

  @Test func `another model is asked where one cannot be, or fails before its first word`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires(
        """
        [{"status":529,"times":1,"headers":{"x-should-retry":"false"}},{"text":"Instead."},
         {"text":"Once more."},{"times":1,"cutAfter":"text","text":"Not all of"}]
        """)
      let fallback = "--fallback gpt-5.5"
      for option in ["--model claude-sonnet-4-6", "--model apple/system"] {
        let run = try await scratch.shell("chat-send -n ask \(option) \(fallback)")
        #expect(run.statuses == [0])
        #expect(run.records("message").map { $0["model"] } == ["gpt-5.5"])
      }
      // What has begun to answer is not asked for again elsewhere.
      let cut = try await scratch.shell("chat-send -n ask --model claude-sonnet-4-6 \(fallback)")
      #expect(cut.statuses == [69])
      #expect(cut.records("message").map { $0["text"] } == ["Not all of"])
      #expect(
        server.requests.map { $0["model"] } == [
          "claude-sonnet-4-6", "gpt-5.5", "gpt-5.5", "claude-sonnet-4-6",
        ])
      try scratch.expectGolden("chat-send/fallback")
    }
  }
}
