import Foundation
import Testing

/// The model of a chat that goes on.
@Suite("the model that a chat keeps")
struct ChatModelTests {
  @Test func `a chat keeps the model of its last answer, whatever the environment names`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      try await scratch.shell("chat-send -n one --model gpt-5.5")
      scratch.set("AGENTPIPES_MODEL", "claude-sonnet-4-6")
      for words in ["two", "three --model gpt-6-luna", "four"] {
        #expect(try await scratch.shell("chat-send -n --continue \(words)").statuses == [0])
      }
      let models = ["gpt-5.5", "gpt-5.5", "gpt-6-luna", "gpt-6-luna"]
      #expect(server.requests.map { $0["model"] } == models)
    }
  }

  @Test func `a chat with several answers needs a choice`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      let asked = try await scratch.shell(
        "chat-send -n one --model gpt-5.5 --model claude-sonnet-4-6")
      let refused = try await scratch.shell("chat-send -n --continue two")
      #expect(refused.statuses == [64] && refused.errors.contains("'chat-log choose ID'"))
      #expect(server.requests.count == 2)
      let claude = try #require(
        asked.records("message").first { $0["model"] == "claude-sonnet-4-6" })
      try await scratch.shell("chat-log choose \(claude.id)")
      #expect(try await scratch.shell("chat-send -n --continue two").statuses == [0])
      #expect(server.requests.last?["model"] == "claude-sonnet-4-6")
    }
  }

  @Test func `the default without a key binds nothing unless somebody named it`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("chat-send -n 'It rains.'")
      let server = try await scratch.serveWires()
      scratch.set("AGENTPIPES_MODEL", "gpt-5.5")
      try await scratch.shell("chat-send -n --continue two")
      #expect(server.requests.map { $0["model"] } == ["gpt-5.5"])
      for words in ["--model extractive", "--continue", "--continue"] {
        let run = try await scratch.shell("chat-send -n \(words) 'It rains.'")
        #expect(run.records("message").map { $0["model"] } == ["extractive"])
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a model that cannot be asked is replaced by nothing but an option`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      try await scratch.shell("chat-send -n one --model gpt-5.5")
      let way = "the chat uses 'gpt-5.5', so choose another model with --model"
      scratch.set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
      let unreached = try await scratch.shell("chat-send -n --continue two --retries 0")
      #expect(unreached.statuses == [69] && unreached.errors.contains(way))
      // A server of one's own may need no key.
      scratch.set("OPENAI_BASE_URL", nil)
      scratch.set("OPENAI_API_KEY", nil)
      let locked = try await scratch.shell("chat-send -n --continue two")
      #expect(locked.statuses == [77], "\(locked.output)\(locked.errors)")
      #expect(locked.errors.contains(way), "\(locked.errors)")
      #expect(server.requests.count == 1)
      let other = try await scratch.shell("chat-send -n --continue two --model claude-sonnet-4-6")
      #expect(other.statuses == [0])
    }
  }

  @Test func `a model that does not answer is replaced by nothing but an option`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"""
        [{"text":"First."},{"status":503},{"status":529},{"status":429},
         {"holdFile":"\#(scratch.path("never"))","times":0}]
        """#)
      try await scratch.shell("chat-send -n one --model gpt-5.5")
      let way = "the chat uses 'gpt-5.5', so choose another model with --model"
      for _ in 0..<4 {
        let run = try await scratch.shell(
          "chat-send -n --continue two --retries 0 --idle-timeout 0.3s")
        #expect(run.statuses != [0] && run.errors.contains(way), "\(run.errors)")
      }
    }
  }

  @Test func `a plan that goes on keeps the model of the earlier one`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell("ceo-plan 'Begin with it' --model gpt-5.5")
      scratch.set("AGENTPIPES_MODEL", "claude-sonnet-4-6")
      try await scratch.shell("ceo-plan --continue 'Only the producer'")
      #expect(server.requests.map { $0["model"] } == ["gpt-5.5", "gpt-5.5"])
    }
  }

  @Test func `a hub goes on with no other model than the chat's`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires()
      let three = Wire.allCases.map(\.option).joined(separator: " ")
      try await scratch.shell("mkdir study && chat-send -n one --project ./study --model gpt-5.5")
      try await scratch.shell("chat-send -n one --project ./study \(three)")
      // A server of one's own may need no key.
      scratch.set("OPENAI_BASE_URL", nil)
      scratch.set("OPENAI_API_KEY", nil)
      let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:0", input: nil)
      try await scratch.until("it listens") { hub.errors.contains("listening on ") }
      let url = hub.errors.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http") }
      scratch.set("HUB", String(url ?? ""))
      let code = try await scratch.shell(
        "curl -s -X POST $HUB/companion/pairing/start | jq -r .code")
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      try await scratch.shell("pair complete $HUB --code \(code.output.dropLast()) --name mac")
      let chats = try await scratch.shell("chat-log list --host mac").records("chat").map(\.id)
      let ways = [
        "'chat-log choose ID'", "the chat uses 'gpt-5.5', so choose another model with 'model'",
      ]
      for (chat, way) in zip(chats, ways) {
        let run = try await scratch.shell("chat-send -n --host mac --chat \(chat) two")
        #expect(run.statuses != [0] && run.errors.contains(way), "\(run.errors)")
      }
      #expect(chats.count == 2 && server.requests.count == 4)
    }
  }

  @Test(
    arguments: [
      // 1,000 tokens in and 1,000 out: Sonnet 4.6 costs 3 and 15 a million, Opus 4.6 5 and 25.
      (
        "claude-opus-4-6", 0.03,
        "'claude-opus-4-6' answered in place of 'claude-sonnet-4-6': "
          + "charging its higher price"
      ),
      (
        "claude-opus-99", nil,
        "'claude-opus-99' answered in place of 'claude-sonnet-4-6': "
          + "its price is unknown"
      ),
      ("claude-sonnet-4-6-20260217", 0.018, nil), ("claude-haiku-5-5", 0.018, nil),
      ("deployment-7", 0.018, nil), ("", 0.018, nil),
    ] as [(String, Double?, String?)])
  func `an answer of a dearer model is charged as that model`(
    _ answered: String, _ cost: Double?, _ sentence: String?
  ) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"[{"text":"Hi.","model":"\#(answered)","#
          + #""usage":{"inputTokens":1000,"outputTokens":1000}}]"#)
      let run = try await scratch.shell("chat-send -n Hi. --model claude-sonnet-4-6")
      #expect(run.statuses == [0])
      #expect(run.records.last?.number("costUSD") == cost)
      #expect(run.errors == (sentence.map { "chat-send: \($0)\n" } ?? ""))
    }
  }
}
