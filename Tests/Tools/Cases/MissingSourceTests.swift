import Testing

/// What a run does without is told where people look: on stderr, in the stage, and in the result.
@Suite("missing sources")
struct MissingSourceTests {
  @Test func `a run with no page and no model says so`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(
        "ceo-plan 'Compare the two' | stage-run --yolo | jq -c 'select(.role == \"researcher\")'")
      #expect(
        run.errors == """
          stage-run: researcher: there is no page to quote and no model is available: add pages with \
          'ceo-plan --url', or store a key with 'key-store set anthropic'

          """)
      #expect(run.records("stage").last?.list("sources").isEmpty ?? false)
      #expect(run.records("stage").last?.value("sources") != nil)
    }
  }

  @Test func `a run with no page and no model says so in its records, its row and its files`()
    async throws
  {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(
        "ceo-plan 'Compare the two' | stage-run --yolo | export-md --into out")
      #expect(run.statuses == [0, 0, 0])
      #expect(run.records("pipeline").map { $0["emptyReason"] } == ["noSources"])
      let files = try await scratch.shell("grep -rl '^emptyReason: noSources$' out | wc -l")
      #expect(files.output == "3\n")
      let list = try await scratch.shell("stage-run --list --text")
      #expect(list.output.contains("no page, no model: Compare the two"))
    }
  }

  @Test func `a run whose pages hold nothing to quote says so`() async throws {
    try await Scratch.with { scratch in
      let page = #"{"type":"page","url":"https://a.example/","text":"```\nlet x = 1\n```\n"}"#
      try scratch.write("work/plan", Plan.three + page + "\n")
      let run = try await scratch.shell("stage-run --yolo <plan | export-md --into out")
      #expect(run.statuses == [0, 0])
      #expect(
        run.errors == """
          stage-run: researcher: no sentence of the pages can be quoted and no model is \
          available: use other pages, or store a key with 'key-store set anthropic'

          """)
      #expect(run.records("pipeline").last?["emptyReason"] == "noQuotes")
      let files = try await scratch.shell("grep -rl '^emptyReason: noQuotes$' out | wc -l")
      #expect(files.output == "3\n")
      let list = try await scratch.shell("stage-run --list --text")
      #expect(list.output.contains("nothing to quote: Compare the two"))
    }
  }

  @Test(arguments: [false, true])
  func `pages that are not there, and one too many, are told`(_ hasModel: Bool) async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      if hasModel { try await scratch.serveModels(#"[{"text":"Found","times":0}]"#) }
      let urls = ["/status/404", "/status/500", "/page/1", "/page/2"].map(pages.url)
      let stage = Plan.stage(
        0, #","researchURLs":[\#(urls.map { "\"\($0)\"" }.joined(separator: ","))]"#)
      try await scratch.shell(
        "stage-run --yolo --allow-private", input: [Plan.head, stage].joined(separator: "\n"))
      try scratch.expectGolden("stage-run/missing-\(hasModel ? "model" : "extractive")")
    }
  }

  @Test func `a page of the goal that no stage reads is told by the plan`() async throws {
    try await Scratch.with { scratch in
      let urls = (1...4).map { "--url https://example.org/\($0)" }.joined(separator: " ")
      let many = try await scratch.shell("ceo-plan Compare \(urls)")
      #expect(
        many.errors == """
          ceo-plan: skipped in the plan: page 'https://example.org/4': a researcher reads at most 3 pages

          """)
      let server = try await scratch.serveModels(
        ##"[{"text":"```json\n{\"pipeline\":[{\"role\":\"producer\",\"task\":\"T\"}]}\n```"}]"##)
      let none = try await scratch.shell("ceo-plan Compare --url https://example.org/1")
      #expect(server.requests.count == 1)
      #expect(
        none.errors == """
          ceo-plan: skipped in the plan: page 'https://example.org/1': no researcher reads it

          """)
    }
  }

  @Test func `an input without a plan is bad, unless an error tells why there is none`()
    async throws
  {
    try await Scratch.with { scratch in
      let page = #"{"type":"page","url":"https://example.org/","text":"T"}"#
      let error = #"{"type":"error","code":"NoPlan","explanation":"none"}"#
      for (input, status) in [("", 65), (page, 65), (error, 1), (page + "\n" + error, 1)] {
        let run = try await scratch.shell("stage-run --yolo", input: input)
        #expect(run.statuses == [Int32(status)])
        #expect(run.errors.contains("the input has no plan") == (status == 65))
      }
    }
  }

  @Test func `as text, an answer that is streamed stands there once`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"One two three four","chunks":4,"times":0}]"#)
      let run = try await scratch.shell("stage-run --yolo --stream --text", input: Plan.one)
      #expect(run.output.ranges(of: "One two three four").count == 1)
      // What an earlier run was told is told again whole.
      let again = try await scratch.shell("stage-run --stream --text", input: Plan.one)
      #expect(again.output.ranges(of: "One two three four").count == 1)
    }
  }
}
