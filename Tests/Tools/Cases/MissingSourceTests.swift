import TestSupport
import Testing

/// What a run does without is told where people look: on stderr, in the stage, and in the result.
@Suite("missing sources")
struct MissingSourceTests {
  /// The end of each message.
  private static let key = "store a key with 'key-store set anthropic'"

  @Test func `a run with no page and no key fails, in its status, its records and its row`()
    async throws
  {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(
        "ceo-plan 'Compare the two' | stage-run --yolo | export-md --into out")
      #expect(run.statuses == [0, 77, 1])
      let stage = try #require(run.records("stage").last)
      let lack = """
        there is no page to quote, and 'extractive' writes nothing itself; \(Self.key), or add \
        pages with 'ceo-plan --url'
        """
      #expect(run.errors.hasPrefix("stage-run: \(stage.id): \(lack)\n"))
      let pipeline = try #require(run.records("pipeline").last)
      #expect(pipeline.status == "failed" && pipeline["emptyReason"] == "noSources")
      #expect(run.records("artifact").isEmpty && run.records("file").isEmpty)
      #expect(try await scratch.shell("find out -name '*.md' | wc -l").output == "0\n")
      let list = try await scratch.shell("stage-run --list --text")
      #expect(list.output.contains("no page, no model: Compare the two"))
    }
  }

  @Test func `a run that failed without a key resumes with the model of the key`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("ceo-plan 'Compare the two' | stage-run --yolo")
      #expect(run.statuses == [0, 77])
      let server = try await scratch.serveModels(#"[{"text":"Found","times":0}]"#)
      let id = try #require(run.records("pipeline").last).id
      let resumed = try await scratch.shell("stage-run --resume \(id) --yolo")
      #expect(resumed.statuses == [0] && server.requests.count == 3)
      #expect(resumed.records("pipeline").last?["emptyReason"] == "")
    }
  }

  @Test func `a run whose pages hold nothing to quote fails`() async throws {
    try await Scratch.with { scratch in
      let page = #"{"type":"page","url":"https://a.example/","text":"```\nlet x = 1\n```\n"}"#
      try scratch.write("work/plan", Plan.three + page + "\n")
      let run = try await scratch.shell("stage-run --yolo <plan")
      #expect(run.statuses == [77])
      #expect(
        run.errors == """
          stage-run: \(Plan.id(0)): no sentence of the pages can be quoted, and 'extractive' \
          writes nothing itself; \(Self.key), or use other pages

          """)
      #expect(run.records("pipeline").last?["emptyReason"] == "noQuotes")
      let list = try await scratch.shell("stage-run --list --text")
      #expect(list.output.contains("nothing to quote: Compare the two"))
    }
  }

  @Test(arguments: [false, true])
  func `a researcher without a page ends empty if another one has pages`(_ isOther: Bool)
    async throws
  {
    try await Scratch.with { scratch in
      let text = """
        To compare the two, read the log first. The log appends changes to a file, and readers do \
        not wait for a writer. The journal copies the old pages before a commit.
        """
      let server = try LoopbackServer { request in
        request.hasPrefix("GET /there ")
          ? Reply(
            "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: \(text.utf8.count)\n\n",
            body: Array(text.utf8))
          : Reply("HTTP/1.1 404 Not Found\nContent-Length: 0\n\n")
      }
      let url = server.url(isOther ? "/there" : "/gone")
      let other = #"{"position":1,"role":"researcher","task":"T","researchURLs":["\#(url)"],"#
      let input = [
        Plan.head, Plan.stage(0), other + #""type":"stage"}"#,
        #"{"position":2,"role":"producer","task":"P","type":"stage"}"#,
      ].joined(separator: "\n")
      let run = try await scratch.shell("stage-run --yolo --allow-private", input: input)
      #expect(run.statuses == [isOther ? 0 : 77])
      #expect(
        run.records("artifact").map { $0["emptyReason"] }
          == (isOther ? ["noSources", "", ""] : ["noSources"]))
      #expect(run.records("pipeline").last?["emptyReason"] == (isOther ? "" : "noSources"))
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

  @Test func `a page too many for the first researcher is told by the plan`() async throws {
    try await Scratch.with { scratch in
      let urls = (1...4).map { "--url https://example.org/\($0)" }.joined(separator: " ")
      let many = try await scratch.shell("ceo-plan Compare \(urls)")
      #expect(
        many.errors == """
          ceo-plan: skipped in the plan: page 'https://example.org/4': a researcher reads at most 3 pages

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
