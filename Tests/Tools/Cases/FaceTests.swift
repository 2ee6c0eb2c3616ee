import Testing

/// What a person at a terminal sees.
@Suite("the terminal face")
struct FaceTests {
  @Test(arguments: [
    "agent-control threshold contextCapacity all 0.9 --text --color always",
    "agent-run --color always -- true", "agent-stat thresholds --text --color always",
    "ceo-plan Compare --model extractive --text --color always",
    "export-md --text --color always <plan.ndjson",
    "gate-decide ask Now? --timeout 0.1s --text --color always",
    "key-store list --text --color always", "stage-run --list --text --color always",
    "stream-tail --long --type approvalGate --text --color always",
    "tmux-attach key list --text --color always", "web-fetch page.html --text --color always",
  ])
  func `text is coloured where that was asked for, and nowhere else`(_ line: String) async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/page.html", "<title>Rain</title><p>It rains on the hills today.</p>")
      try scratch.write(
        "work/plan.ndjson",
        #"{"content":"Text","id":"a-1","kind":"text","project":"P","role":"producer","title":"T","type":"artifact","createdAt":"2026-02-25T10:00:00.000Z"}"#
          + "\n")
      try await scratch.shell(line)
      try await scratch.shell(line.replacing("--color always", with: "--color never"))
      try scratch.expectGolden("\(line.split(separator: " ")[0])/color")
    }
  }

  @Test(arguments: [(40, 24), (80, 24), (110, 40), (200, 60)])
  func `a run is drawn a row a stage, however wide the terminal is`(
    _ columns: Int, _ lines: Int
  ) async throws {
    try await Scratch.with { scratch in
      try await ScreenTerminal.with(scratch, columns: columns, lines: lines) { terminal in
        try scratch.write("work/page", Plan.page)
        let goal = "Compare 漢字 WAL with the rollback journal, at length and in all detail"
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type(
          "clear; ceo-plan --model extractive '\(goal)' | cat - page | stage-run --yolo 2>/dev/null; echo over"
        )
        try await terminal.until("over")
        let shown = try terminal.shown()
        for role in ["researcher", "producer", "qaReviewer"] {
          #expect(shown.count { $0.contains("\(role) ") && $0.contains("approved") } == 1)
        }
        #expect(shown.count { $0.contains("completed") } == 1)
        // Nothing wraps: three stages, the pipeline, the end, the prompt.
        #expect(shown.prefix { $0 != "over" }.filter { !$0.isEmpty }.count == 4)
      }
    }
  }

  @Test func `a pipeline ends in words, the last state of each once`() async throws {
    try await Scratch.with { scratch in
      try await ScreenTerminal.with(scratch, columns: 80, lines: 30) { terminal in
        try scratch.write("work/page", Plan.page)
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type(
          "clear; ceo-plan --model extractive Compare | cat - page | stage-run --yolo | export-md --into out; echo over"
        )
        try await terminal.until("over")
        let shown = try terminal.shown().filter { !$0.isEmpty }
        #expect(!shown.contains { $0.contains("{") })
        #expect(shown.count { $0.contains("created") } == 3)
        #expect(shown.count { $0.contains("approved") } == 3)
        #expect(shown.count { $0.contains("completed") } == 1)
      }
    }
  }

  @Test func `who watches moves, opens, decides, and has the screen back`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "agent-run --agent linter --swarm s -- sh -c 'echo \"ERROR no disk\"'")
      try await ScreenTerminal.with(scratch, columns: 80, lines: 24) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type(
          "echo before; gate-decide ask Deploy? --json >asked & agent-stat --watch; echo over")
        try await scratch.until("it shows what needs a person") {
          let shown = try terminal.shown()
          return shown.contains { $0.contains("Deploy?") }
            && shown.contains { $0.contains("ERROR no disk") }
        }
        try terminal.press("g")
        try await scratch.until("the first row is chosen") {
          try terminal.shown().contains { $0.hasPrefix("> Deploy?") }
        }
        try terminal.press("?")
        try await scratch.until("it tells the keys") {
          try terminal.shown().contains { $0.contains("approve or reject the gate") }
        }
        try terminal.press("q")
        try terminal.press("j")
        try await scratch.until("the next row is chosen") {
          try terminal.shown().contains { $0.hasPrefix("> error") }
        }
        try terminal.press("Enter")
        try await scratch.until("it is told of") {
          try terminal.shown().contains {
            $0.contains(" error ") && $0.contains("linter") && $0.contains(":")
          }
        }
        try terminal.press("q")
        try terminal.press("k")
        try await scratch.until("the gate is chosen") {
          try terminal.shown().contains { $0.hasPrefix("> Deploy?") }
        }
        try terminal.press("a")
        try await scratch.until("it asks") {
          try terminal.shown().contains { $0.contains("enter confirms") }
        }
        try terminal.press("Enter")
        try await scratch.until("it is decided") {
          try terminal.shown().contains { $0.contains("Press a key to go back") }
        }
        try terminal.press("x")
        try await scratch.until("the gate is gone from the view") {
          let shown = try terminal.shown()
          return shown.contains { $0.contains("need") }
            && !shown.contains { $0.contains("Deploy?") }
        }
        try terminal.press("q")
        try await terminal.until("over")
        #expect(try terminal.shown().contains("before"))
      }
    }
  }

  @Test func `who opens a gate sees what is asked, why, and the result that it is about`()
    async throws
  {
    try await Scratch.with { scratch in
      try scratch.write("work/page", Plan.page)
      let plan = "ceo-plan --model extractive 'Compare WAL with the rollback journal'"
      try await scratch.shell("\(plan) | cat - page | stage-run >/dev/null")
      try await ScreenTerminal.with(scratch, columns: 100, lines: 24) { terminal in
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type("clear; agent-stat --watch; echo over")
        try await scratch.until("it shows the gate") {
          try terminal.shown().contains { $0.hasPrefix("> ") && $0.contains("pending") }
        }
        try terminal.press("Enter")
        try await scratch.until("what is asked stands above the result") {
          let shown = try terminal.shown()
          let asked = shown.firstIndex { $0.hasPrefix("what    ") }
          let result = shown.firstIndex { $0.hasPrefix("  Findings") }
          return asked != nil && result != nil && asked ?? 0 < result ?? 0
        }
        try terminal.press("q")
        try terminal.press("q")
        try await terminal.until("over")
      }
    }
  }

  @Test func `a signal that ends the watch gives the screen back`() async throws {
    try await Scratch.with { scratch in
      try await ScreenTerminal.with(scratch, columns: 80, lines: 24) { terminal in
        let before = try terminal.modes()
        try terminal.type("cd '\(scratch.root)/work'")
        try terminal.type("agent-stat --watch; echo over")
        try await scratch.until("it watches") {
          try terminal.shown().contains { $0.contains("nothing needs you") }
        }
        try terminal.press("C-c")
        try await scratch.until("it has ended") {
          try terminal.shown().contains { $0.hasPrefix("$ ") } && terminal.modes() == before
        }
      }
    }
  }
}
