import Testing

/// Options that no other case has a reason to name.
@Suite("options")
struct OptionTests {
  @Test(arguments: [
    ("agent-control", ["pause", "resume", "terminate", "threshold", "close", "reopen"]),
    ("agent-run", []),
    ("agent-stat", ["overview", "agents", "agent", "audit"]),
    (
      "tmux-attach",
      ["attach", "list", "create", "kill", "watch", "snapshot", "trust", "key", "key generate"]
    ),
  ])
  func `help and version say what a tool takes`(_ tool: String, _ verbs: [String]) async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("\(tool) --version")
      try await scratch.shell("\(tool) --help")
      for verb in verbs { try await scratch.shell("\(tool) \(verb) --help") }
      try scratch.expectGolden("\(tool)/help")
    }
  }

  @Test(arguments: [
    "agent-control threshold --verbose --timings contextCapacity all 0.9",
    "agent-run --verbose --timings --json -- true", "agent-stat agents --verbose --timings",
    "gate-decide list --verbose --timings --json", "key-store list --verbose --timings --json",
    "stream-tail --verbose --timings --last 1",
    "image-make fog --model extractive --verbose --timings --json --color never",
    "link-open --yes --verbose --timings --json --color never ayna://add-model?name=gpt-5.4-mini",
    "model-list add m --provider local --verbose --timings --json --color never",
  ])
  func `what is told on stderr costs stdout nothing`(_ line: String) async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(line)
      try scratch.expectGolden("\(line.split(separator: " ")[0])/told")
    }
  }

  @Test func `a page is told of and timed`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/page.html", "<title>Rain</title><p>It rains on the hills today.</p>")
      try await scratch.shell("web-fetch --json --verbose --timings page.html")
      try scratch.expectGolden("web-fetch/told")
    }
  }

  @Test func `a plan is told of and timed`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "ceo-plan --json --verbose --timings --model extractive Compare | jq -c '[.type, .status]'")
      try scratch.expectGolden("ceo-plan/told")
    }
  }

  @Test(arguments: ["ceo-plan Compare", "stage-run --yolo"])
  func `an answer that does not end in time is given up`(_ line: String) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"times":0,"stall":true}]"#)
      let tool = line.split(separator: " ")[0]
      let options = "--connect-timeout 30s --total-timeout 3s --retries 0"
      let run = try await scratch.shell(
        "\(tool) \(options)\(line.dropFirst(tool.count))",
        input: tool == "stage-run" ? Plan.one : "")
      #expect(run.statuses != [0])
      #expect(server.requests.count == 1)
      try scratch.expectGolden("\(tool)/total-timeout")
    }
  }

  @Test func `a run tells how often it says that it lives`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"Text","times":0}]"#)
      try await scratch.shell("stage-run --yolo --heartbeat 90s >/dev/null", input: Plan.one)
      try await scratch.shell(
        "stream-tail | jq -c 'select(.phase == \"start\") | .attrs[\"agentpipes.heartbeat_ms\"]'")
      try await scratch.shell("stage-run --heartbeat 0.01s", input: Plan.one)
      try scratch.expectGolden("stage-run/heartbeat")
    }
  }

  @Test func `a gate says why it is asked and what follows`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "gate-decide ask 'Ship it?' --why 'all tests pass' --impact 'users get it' "
          + "--risk 'no way back' --recommend 'ship it' --timeout 0.2s | jq -c '[.status, .context]'"
      )
      try await scratch.shell(#"gate-decide list --all --text | sed "s/  $(id -un)  /  WHO  /""#)
      try scratch.expectGolden("gate-decide/context")
    }
  }
}
