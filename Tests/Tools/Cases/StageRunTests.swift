import Foundation
import Testing

@Suite("stage-run")
struct StageRunTests {
  @Test func `three stages run, each told once, each given the work before it`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell("stage-run --yolo", input: Plan.three)
      let prompts = server.requests.map { $0.list("messages").map { $0["text"] }.joined() }
      #expect(prompts.count == 3)
      #expect(prompts[0].hasPrefix("# Task\nCompare the two\n# Your Role\nYou research."))
      #expect(prompts[0].hasSuffix("\n\n# Your Job\nJob 0"))
      #expect(prompts[1].contains("# Previous Work\n\n## Researcher\nAnswer "))
      #expect(prompts[2].contains("## Producer\nAnswer "))
      #expect(server.requests.map { $0["model"] } == ["claude-sonnet-5-5"].repeated(3))
      #expect(Set(server.requests.map { $0["system"] }).count == 1)
      #expect(server.requests.allSatisfy { $0.value("temperature") == nil })
      try scratch.expectGolden("stage-run/three")
    }
  }

  @Test func `the pipelines of the readme work with jq in between`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell(
        "ceo-plan 'Compare the two' | stage-run --yolo | export-md | jq -c '[.type, .status]'")
      try scratch.write("work/goal.txt", "Compare the two\nand be brief\n")
      try await scratch.shell(
        """
        ceo-plan - < goal.txt | jq -c 'select(.role != "qaReviewer")' \
        | stage-run --yolo --max-cost 0.50 | export-md --into notes/ | jq -c '[.type, .status]'
        """)
      try await scratch.shell("find notes ~/Documents -name '*.md' | sort")
      try await scratch.shell("stage-run --resume")
      #expect(server.requests.count == 4 + 3)
      try scratch.expectGolden("stage-run/readme")
    }
  }

  @Test func `deltas are streamed when asked for`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"One two three four","chunks":4}]"#)
      let run = try await scratch.shell("stage-run --yolo --stream", input: Plan.one)
      #expect(run.records("delta").map { $0["text"] }.joined() == "One two three four")
      #expect(
        run.records.map(\.type).filter { $0 != "delta" } == [
          "stage", "artifact", "stage", "pipeline",
        ])
      try scratch.expectGolden("stage-run/stream")
    }
  }

  @Test func `others pass in place, labels are handed down, unknown members stay`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"Text","times":0}]"#)
      let input = [
        #"{"type":"strange" , "b":1.0,"a":"A\/" }"#,
        #"{"goal":"G","id":"01900000-0000-7000-8000-000000000009","labels":{"team":"blue"},"own":{"b":1.50,"a":[1, 2]},"type":"pipeline"}"#,
        #"{"labels":{"team":"red"},"mine":1e3,"role":"researcher","task":"One","type":"stage"}"#,
        #"{"type":"file","path":"x","status":"created","bytes":1}"#,
        #"{"role":"producer","task":"Two","type":"stage"}"#,
      ].joined(separator: "\r\n")
      try await scratch.shell("stage-run --yolo", input: "\u{FEFF}\r\n" + input)
      try await scratch.shell(
        "stage-run --show 01900000-0000-7000-8000-000000000009 | export-md --into out | jq -c 'select(.type == \"file\") | .labels'"
      )
      try scratch.expectGolden("stage-run/passing")
    }
  }

  @Test func `stages alone make a pipeline, and share a position side by side`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"when":"Left","holdFile":"\#(scratch.path("go"))"},{"when":"Right","holdFile":"\#(scratch.path("go"))"}]"#
      )
      let running = try scratch.running(
        "stage-run --yolo",
        input: """
          {"position":0,"role":"researcher","task":"Left","type":"stage"}
          {"position":0,"role":"researcher","task":"Right","type":"stage"}
          {"position":1,"role":"producer","task":"Join","type":"stage"}
          """)
      try await scratch.until("both are asked") { server.requests.count == 2 }
      try scratch.write("go", "")
      let run = await running.ended()
      #expect(run.statuses == [0])
      #expect(server.requests.compactMap { $0.number("inFlight") } == [1, 2, 1])
      #expect(run.records("artifact").count == 3)
      #expect(run.records("pipeline").map { $0["goal"] } == ["Left\nRight\nJoin"])
    }
  }

  @Test func `pipelines run side by side with --jobs`() async throws {
    try await Scratch.with { scratch in
      let hold = #"[{"times":3,"holdFile":"\#(scratch.path("go"))"}]"#
      let server = try await scratch.serveModels(hold)
      let input = (1...3).map {
        """
        {"goal":"G\($0)","id":"01900000-0000-7000-8000-00000000010\($0)","type":"pipeline"}
        {"pipelineId":"01900000-0000-7000-8000-00000000010\($0)","role":"producer","task":"T\($0)","type":"stage"}
        """
      }
      let running = try scratch.running(
        "stage-run --yolo --jobs 3", input: input.joined(separator: "\n"))
      try await scratch.until("three are asked at once") { server.requests.count == 3 }
      try scratch.write("go", "")
      let run = await running.ended()
      #expect(run.statuses == [0])
      #expect(run.records("pipeline").map(\.status) == ["completed"].repeated(3))
    }
  }

  @Test func `a bad line anywhere stops everything before it begins`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      for bad in [
        "junk", #"{"type":"stage","role":"producer"}"#, #"{"type":"stage","role":"","task":"x"}"#,
        #"{"type":"stage","role":"ceo","task":"x"}"#, #"{"type":"pipeline"}"#,
        #"{"type":"stage","role":"producer","task":"x","position":"first"}"#,
        Plan.stage(0, #","model":"gpt-5.5""#),
        #"{"id":"\#(Plan.pipeline)","goal":"Another","type":"pipeline"}"#,
      ] {
        try await scratch.shell("stage-run --yolo", input: Plan.three + bad)
      }
      try await scratch.shell("stage-run", input: Plan.head)
      try await scratch.shell("stage-run", input: "")
      try await scratch.shell("stage-run --list")
      #expect(server.requests.isEmpty)
      try scratch.expectGolden("stage-run/bad-lines")
    }
  }

  @Test func `the same stage twice is taken once`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      let run = try await scratch.shell(
        "stage-run --yolo", input: Plan.one + Plan.stage(0) + "\n" + Plan.head)
      #expect(run.statuses == [0])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `what is fed replaces the stored plan, but nothing begun`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"when":"Job 1","status":400}]"#)
      try await scratch.shell(
        "stage-run --yolo | jq -c '[.type, .status, .position]'", input: Plan.three)
      // Stage 0 is done, stage 1 failed: 2 is dropped, another one taken in.
      let other =
        #"{"id":"01900000-0000-7000-8000-0000000000b1","pipelineId":"\#(Plan.pipeline)","position":7,"role":"qaReviewer","task":"Other","type":"stage"}"#
      let fed = [Plan.head, Plan.stage(0), Plan.stage(1), other].joined(separator: "\n")
      try await scratch.shell("stage-run --yolo | jq -c '[.type, .status, .position]'", input: fed)
      try await scratch.shell(
        "stage-run --show \(Plan.pipeline) | jq -c 'select(.type == \"stage\") | [.position, .task, .status]'"
      )
      for more in [#","model":"gpt-5.5""#, #","researchURLs":["https://a.example/"]"#] {
        try await scratch.shell(
          "stage-run --yolo", input: [Plan.head, Plan.stage(0, more)].joined(separator: "\n"))
      }
      try await scratch.shell(
        "stage-run --yolo",
        input: [Plan.head, Plan.stage(0).replacingOccurrences(of: "Job 0", with: "Job 9")].joined(
          separator: "\n"))
      #expect(server.requests.count == 4)
      try scratch.expectGolden("stage-run/fed-again")
    }
  }

  @Test func `stored pipelines are listed and shown`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("stage-run --list")
      try await scratch.shell("stage-run --show \(Plan.pipeline)")
      try await scratch.shell("stage-run --resume")
      try await scratch.shell("stage-run --resume \(Plan.pipeline)")
      try await scratch.shell("ls ../home")
      try await scratch.serveModels(#"[{"text":"Text","times":0}]"#)
      try await scratch.shell("stage-run --yolo >/dev/null", input: Plan.one)
      try await scratch.shell("ceo-plan --model extractive Waiting >/dev/null")
      try await scratch.shell("stage-run --list | jq -c '[.goal, .status]'")
      try await scratch.shell("stage-run --list --limit 1 | jq -c .goal")
      try await scratch.shell("stage-run --list --status waiting | jq -c '[.goal, .status]'")
      try await scratch.shell("stage-run --list --status nothing")
      try await scratch.shell("stage-run --show \(Plan.pipeline)")
      try await scratch.shell("stage-run --show \(Plan.pipeline) | export-md --into out")
      try await scratch.shell("stage-run --show \(Plan.pipeline) | export-md --into out")
      try await scratch.shell("stage-run --show 01900000-0000-7000-8000-00000000ffff")
      try await scratch.shell("stage-run --resume 01900000-0000-7000-8000-00000000ffff")
      try scratch.expectGolden("stage-run/reading-back")
    }
  }

  @Test func `wrong options, help and version`() async throws {
    try await Scratch.with { scratch in
      for options in [
        "--help", "--version", "--list --show x", "--resume --list", "an-id", "--status waiting",
        "--jobs 0", "--max-cost -1", "--max-cost=-1", "--max-cost nan", "--max-cost 0x10",
        "--max-cost lots", "--max-total-tokens=-5", "--gate-timeout soon", "--wait=never",
        "--bogus", "--team no.toml",
        "--model no-such",
      ] {
        try await scratch.shell("stage-run \(options)", input: Plan.one)
      }
      try scratch.expectGolden("stage-run/options")
    }
  }

  @Test func `text for people is aligned`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"Some text.","times":0}]"#)
      scratch.set("TERM", "xterm")
      let run = try await scratch.shell(
        "stage-run --yolo --text --timings --verbose", input: Plan.one)
      #expect(run.statuses == [0])
      #expect(!run.output.contains("\u{1B}"))
      #expect(run.output.contains("  0  researcher   approved"))
      #expect(run.errors.contains("stage-run: timing: "))
      #expect(scratch.read("home/state/breadcrumbs.ndjson").contains(#""category":"provider""#))
    }
  }

  @Test func `roles are set by the configuration, by a team, by a record, by a flag`() async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      func ask(_ options: String, _ stage: String, _ number: Int) async throws {
        let id = "01900000-0000-7000-8000-0000000002\(number)0"
        let run = try await scratch.shell(
          "stage-run --yolo \(options)",
          input: #"{"id":"\#(id)","role":"producer","task":"T"\#(stage),"type":"stage"}"#)
        #expect(run.statuses == [0])
      }
      try await ask("", "", 0)
      try scratch.write(
        "home/config/config.toml",
        "model = \"gpt-5.4\"\n[roles.producer]\nmodel = \"gpt-5.5\"\ntemperature = 1\nsystem = \"S1\"\n"
      )
      try await ask("", "", 1)
      scratch.set("AGENTPIPES_MODEL", "claude-haiku-4-5-20251001")
      try await ask("", "", 2)
      try await ask("", #","model":"o9","temperature":0.2"#, 3)
      try scratch.write(
        "work/team.toml",
        "[roles.producer]\nmodel = \"o4-mini\"\ntemperature = 0.1\nsystem = \"S2\"\n")
      try await ask("--team team.toml", #","model":"o9","temperature":0.2"#, 4)
      try await ask("--team team.toml --model gpt-5.4-mini", "", 5)
      #expect(
        server.requests.map { $0["model"] } == [
          "claude-sonnet-5-5", "gpt-5.5", "claude-haiku-4-5-20251001", "o9", "o4-mini",
          "gpt-5.4-mini",
        ])
      #expect(server.requests.map { $0["system"] }.dropFirst() == ["S1", "S1", "S1", "S2", "S2"])
    }
  }

  @Test func `without a key and a network the extractive model runs a plan through`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/a.html",
        """
        <title>Logs</title><body><article><p>The write-ahead log appends changes to a separate file. \
        Readers do not block writers in this mode.</p><p>The rollback journal copies the old pages \
        first. A commit deletes the journal file.</p></article>
        """)
      let run = try await scratch.shell(
        "{ ceo-plan 'Compare the write-ahead log with the rollback journal'; web-fetch a.html; } | stage-run --yolo | export-md --into out"
      )
      #expect(run.statuses.last == 0)
      #expect(run.records("file").count == 3)
      #expect(run.records("pipeline").map(\.status) == ["completed"])
      #expect(run.records("pipeline").map { $0.number("costUSD") } == [0])
      let files = try await scratch.shell("cat out/*/researcher-*.md")
      #expect(files.output.contains("model: extractive"))
      #expect(files.output.contains("a.html"))
    }
  }
  @Test func `a reader that goes away leaves no stage at work in the log`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("stage-run --yolo | head -1", input: Plan.one)
      #expect(run.statuses.last == 0)
      let ends = try await scratch.shell(
        "stream-tail --type traceEvent | jq -c 'select(.name != \"chat\") | [.name, .phase]'")
      #expect(
        ends.output.split(separator: "\n").map(String.init).sorted() == [
          #"["invoke_agent","end"]"#, #"["invoke_agent","start"]"#,
          #"["invoke_workflow","end"]"#, #"["invoke_workflow","start"]"#,
        ])
      let agents = try await scratch.shell("agent-stat agents --json")
      #expect(!agents.records("agent").contains { ["running", "lost"].contains($0.status) })
    }
  }
}
