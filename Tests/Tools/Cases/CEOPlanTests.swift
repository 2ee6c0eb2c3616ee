import Foundation
import Testing

@Suite("ceo-plan")
struct CEOPlanTests {
  @Test func `a goal becomes a pipeline and its stages, by Anthropic's wire`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell("ceo-plan 'Compare the two' --project 'My study'")
      try await scratch.shell("ceo-plan", input: "Compare\nthe two\n")
      try await scratch.shell("ceo-plan - <<<'Compare the two'")
      try await scratch.shell(
        "ceo-plan 'Compare' --url https://example.org/a --url https://example.org/b")
      try await scratch.shell("stage-run --list | jq -c '[.type, .project, .status]'")
      #expect(server.requests.map { $0["model"] } == ["claude-opus-5-5"].repeated(4))
      #expect(server.requests.allSatisfy { $0.value("temperature") == nil })
      #expect(server.requests.map { $0.number("max_tokens") } == [32_000].repeated(4))
      try scratch.expectGolden("ceo-plan/anthropic")
    }
  }

  @Test func `a goal becomes a pipeline and its stages, by chat completions`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell("ceo-plan 'Compare the two' --model gpt-5.5")
      try await scratch.shell("ceo-plan 'Compare the two' --model openai/other --temperature 0.1")
      #expect(server.requests.map { $0["path"] } == ["/v1/chat/completions"].repeated(2))
      #expect(server.requests.map { $0["model"] } == ["gpt-5.5", "other"])
      try scratch.expectGolden("ceo-plan/chat")
    }
  }

  @Test func `what planning took is the time that its answer took`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"holdFile":"\#(scratch.path("go"))"}]"#)
      let planning = try scratch.running("ceo-plan 'Compare the two'")
      try await scratch.until("it is asked") { server.requests.count == 1 }
      let asked = ContinuousClock.now
      try await scratch.shell("stream-tail --last 1")
      let held = (ContinuousClock.now - asked) / .milliseconds(1)
      try scratch.write("go", "")
      #expect(await planning.ended().statuses == [0])
      let events = try await scratch.shell(
        "stream-tail --type traceEvent | jq -c 'select(.name == \"chat\").attrs'")
      #expect(
        events.records.compactMap { $0.fields["agentpipes.duration_ms"] as? Double }.allSatisfy {
          $0 >= held
        })
      #expect(events.records.count == 1)
    }
  }

  @Test func `goal records make one pipeline each, and others pass in place`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let input = [
        #"{"type":"strange" , "b":1.0,"a":"A\/" }"#,
        #"{"labels":{"team":"blue"},"project":"One","text":"First goal","type":"goal"}"#,
        #"{"type":"page","url":"https://example.org/","text":"T","own":[1, 2]}"#,
        #"{"text":"Second goal","type":"goal","urls":["https://example.org/a"]}"#,
        #"{"type":"strange","n":2}"#,
      ].joined(separator: "\r\n")
      try await scratch.shell("ceo-plan", input: "\u{FEFF}\n\n" + input)
      try scratch.expectGolden("ceo-plan/records")
    }
  }

  @Test func `a goal and a prompt with CRLF are sent with line feeds`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"text":"Yes.","times":0}]"#)
      for goal in ["\"$(cat)\"", "-"] {
        let run = try await scratch.shell(
          "ceo-plan --model extractive \(goal) | jq -r 'select(.goal).goal'",
          input: "Compare\r\nthe two\r\n")
        #expect(run.output == "Compare\nthe two\n")
      }
      try await scratch.shell("chat-send --model claude-sonnet-4-6", input: "one\r\ntwo")
      try await scratch.shell(
        "chat-send 'a\r\nb' --model claude-sonnet-4-6", input: "c\r\nd")
      #expect(server.requests.map { $0["body"].contains("\\r") } == [false, false])
    }
  }

  @Test func `bad goals are told and the rest is planned`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let input = [
        #"{"text":"First goal","type":"goal"}"#, "{", #"{"type":"goal"}"#,
        #"{"text":"  ","type":"goal"}"#, #"{"text":"Last goal","type":"goal"}"#,
      ].joined(separator: "\n")
      let run = try await scratch.shell("ceo-plan", input: input)
      #expect(run.records("pipeline").count == 2)
      #expect(run.statuses == [65])
      try await scratch.shell("ceo-plan", input: " \n \n")
      try await scratch.shell("ceo-plan ''")
      try scratch.expectGolden("ceo-plan/bad-goals")
    }
  }

  @Test func `prose gives NoPlan, and the reply is kept`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(
        #"[{"text":"I would rather not."},{"text":"{\"pipeline\":[{\"role\":\"chef\",\"task\":\"cook\"}]}"}]"#
      )
      try await scratch.shell("ceo-plan 'Compare'")
      try await scratch.shell("ceo-plan 'Compare'")
      try await scratch.shell("stage-run --list")
      try await scratch.shell(
        "chat-log export | jq -r 'select(.type == \"message\") | [.role, .text] | @tsv'")
      try scratch.expectGolden("ceo-plan/no-plan")
    }
  }

  @Test func `items that cannot be used are named on stderr, exit 0`() async throws {
    try await Scratch.with { scratch in
      let plan = """
        {"pipeline":[{"role":"researcher","task":"Find","researchURLs":["https://a.example/","x",7]},\
        {"role":"chef","task":"cook"},{"role":"producer"},{"role":"producer","task":"  "},7,\
        {"role":"producer","task":"Write"}]}
        """
      let text = try JSONEncoder().encode("Sure {here}:\n```json\n\(plan)\n```\nDone {x}.")
      try await scratch.serveModels("[{\"text\":\(String(decoding: text, as: UTF8.self))}]")
      let run = try await scratch.shell("ceo-plan 'Compare'")
      #expect(run.statuses == [0])
      try scratch.expectGolden("ceo-plan/dropped")
    }
  }

  @Test func `a plan is found in a fence, else between the outer braces`() async throws {
    try await Scratch.with { scratch in
      let item = #"{"pipeline":[{"role":"producer","task":"Write ```x``` {y}"}]}"#
      for reply in [
        "```json\n\(item)\n```", "Look: \(item) so.", "```JSON\n\(item)\n```", "{\"pipeline\":[]}",
        "{\"pipeline\":{}}", "", "no braces", "} {",
        #"{"pipeline":[{"role":"producer","task":"cut"#,
        "```json\nnot json\n```\n```json\n\(item)\n```",
      ] {
        try await scratch.shell("ceo-plan --parse Goal --project P", input: reply)
      }
      try await scratch.shell("ls ../home")
      try scratch.expectGolden("ceo-plan/parse")
    }
  }

  @Test func `--continue sends the earlier exchange again`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell("ceo-plan --continue 'Begin' | jq -c .type")
      try await scratch.shell("ceo-plan --continue 'Only the producer' | jq -c .type")
      try await scratch.shell("ceo-plan 'Something else' | jq -c .type")
      let roles = server.requests.map { $0.list("messages").map { $0["role"] } }
      #expect(roles == [["user"], ["user", "assistant", "user"], ["user"]])
      #expect(server.requests[1].list("messages").map { $0["text"] }[0] == "Begin")
      #expect(server.requests[1].list("messages").map { $0["text"] }[2] == "Only the producer")
      #expect(scratch.runs.map(\.statuses) == [[0, 0], [0, 0], [0, 0]])
    }
  }

  @Test func `a team file sets the CEO's model, temperature and prompt`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try scratch.write(
        "work/team.toml",
        """
        [roles.ceo]
        model = "claude-haiku-4-5-20251001"
        temperature = 0.25
        system = "You plan a pipeline in JSON."
        """)
      try await scratch.shell("ceo-plan --team team.toml Compare | jq -c '[.type, .model]'")
      try await scratch.shell(
        "ceo-plan --team team.toml --model gpt-5.5 Compare | jq -c '[.type, .model]'")
      try await scratch.shell("ceo-plan --team no.toml Compare")
      try await scratch.shell("echo '[roles' >bad.toml; ceo-plan --team bad.toml Compare")
      #expect(server.requests.map { $0["system"] } == ["You plan a pipeline in JSON."].repeated(2))
      // The second model is known to take no temperature: it is left out, and that is said.
      #expect(server.requests.map { $0.number("temperature") } == [0.25, nil])
      try scratch.expectGolden("ceo-plan/team")
    }
  }

  @Test func `wrong options, help and version`() async throws {
    try await Scratch.with { scratch in
      for options in [
        "--help", "--version", "--temperature 3 x", "--temperature x x", "--parse --continue",
        "--retries -1 x", "a b", "--model nothing/known x", "--model '' x", "--bogus",
        "--model azure/x y", "--idle-timeout never x",
      ] {
        try await scratch.shell("ceo-plan \(options)")
      }
      try scratch.expectGolden("ceo-plan/options")
    }
  }

  @Test func `without a key a named model is refused, and no request is made`() async throws {
    try await Scratch.with { scratch in
      scratch.set("ANTHROPIC_BASE_URL", "https://api.anthropic.invalid")
      try await scratch.shell("ceo-plan --model claude-opus-4-6 Compare")
      scratch.set("OPENAI_BASE_URL", nil)
      try await scratch.shell("ceo-plan --model gpt-5.5 Compare")
      try scratch.expectGolden("ceo-plan/no-key")
    }
  }

  @Test func `without a key or a network the extractive model plans`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("ceo-plan 'Compare the two' --url https://example.org/a")
      #expect(run.statuses == [0])
      #expect(run.records("stage").map { $0["role"] } == ["researcher", "producer", "qaReviewer"])
      #expect(run.records("pipeline").map { $0["model"] } == ["extractive"])
      #expect(run.records("pipeline").map { $0.number("costUSD") } == [0])
    }
  }
}

extension Array {
  func repeated(_ count: Int) -> [Element] { (0..<count).flatMap { _ in self } }
}
