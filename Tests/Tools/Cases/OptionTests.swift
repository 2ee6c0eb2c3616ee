import Testing

/// Options that no other case has a reason to name.
@Suite("options")
struct OptionTests {
  @Test(arguments: [
    ("agent-control", ["pause", "resume", "terminate", "threshold", "close", "reopen"]),
    ("agent-adopt", ["adopt", "status"]),
    ("agent-run", []),
    ("push-notify", ["send", "test"]),
    ("agentpipes", ["state", "doctor"]),
    ("agent-stat", ["overview", "agents", "agent", "audit"]),
    (
      "tool-call",
      [
        "list", "search", "show", "call", "add", "import", "remove", "login", "logout", "forget",
      ]
    ),
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
    "tool-call list --verbose --timings --json --color never",
    "agentpipes --verbose --timings --json --color never",
    "push-notify --to desktop --kind incident --verbose --timings --json --color never",
    "agent-adopt claude --verbose --timings --json --color never",
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
      let options = "--connect-timeout 30s --total-timeout 10s --retries 0"
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

  // MARK: Further options

  /// Lines that need no server.
  private static let lines = [
    "agent-control": ["agent-control pause agent agent-7 --json"],
    "agent-adopt": [
      "agent-adopt --hub nowhere", "agent-adopt -f --text --since x",
      "agent-adopt --swarm '' codex",
    ],
    "agent-run": [
      "agent-run --text --agent one -- echo done",
      "agent-run --hub nowhere -- echo done",
      "agent-run --spool nothing -- echo done",
    ],
    "agent-stat": ["agent-stat agents --json"],
    "ceo-plan": [
      "ceo-plan --hub nowhere --model extractive Compare",
      "ceo-plan --model extractive --effort high Compare | jq -c .type",
    ],
    "export-md": [
      #"echo '{"type":"page","url":"https://a.example/","text":"One"}' >page"#,
      "export-md --into out <page", "echo more >>out/*/*.md", "export-md --into out <page",
      "export-md --into out --replace <page", "cat out/*/*.md",
    ],
    "gate-decide": ["gate-decide approve gate-7 --here"],
    "hub-serve": [
      "hub-serve --auth none", "hub-serve --listen nowhere", "hub-serve --otlp ftp://a.example",
      "hub-serve --otlp-listen 4317",
      "hub-serve --tls-certificate missing.pem --tls-key missing.key",
    ],
    "key-store": ["key-store login nobody --web"],
    "pair": [
      "pair start --ttl 1s", "pair start --level X", "pair start --hub http://127.0.0.1:9 --ascii",
      "pair start --hub http://127.0.0.1:9 --png code.png --print-payload",
      "pair status nobody --watch", "pair status http://93.184.215.14:7878",
      "pair status http://127.0.0.1:9 --allow-http", "pair revoke phone --host nobody",
    ],
    "stage-run": [
      "{ ceo-plan --model extractive Compare; echo '\(Plan.page.dropLast())'; } >plan",
      "stage-run --yolo -v --effort low <plan | jq -c .type",
      "stage-run --hub nowhere <plan",
    ],
    "stream-tail": [
      #"echo '{"type":"log","ts":1,"agentId":"a","level":"info","message":"one"}' >log"#,
      "stream-tail --max-rate 1 log", "stream-tail --strict --hub nowhere",
      "stream-tail -f -n 0 log other",
    ],
    "tmux-attach": [
      "tmux-attach attach --agent nobody --enable-input --fit --history 5 --reconnect 1s",
      "tmux-attach list 127.0.0.1:9 --keepalive 1s --jump none --host-key SHA256:abc",
      "tmux-attach list 127.0.0.1:9 --passphrase-file missing --tmux-path /opt/tmux",
      "tmux-attach create 127.0.0.1:9 one --directory /tmp",
      "tmux-attach trust 127.0.0.1:9 --reset --confirm SHA256:abc",
      "tmux-attach snapshot --hub nowhere --agent nobody --escapes --timings",
    ],
  ]

  @Test(arguments: lines.keys.sorted())
  func `each is shown`(_ tool: String) async throws {
    try await Scratch.with { scratch in
      for line in Self.lines[tool] ?? [] { try await scratch.shell(line) }
      try scratch.expectGolden("\(tool)/further-options")
    }
  }

  @Test func `those of chat-send are shown`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"It is.","times":0,"chunks":1}]"#)
      for options in [
        "--help", "--version", "--cache --effort low", "--system 'Be short.' --no-store",
      ] {
        try await scratch.shell("chat-send -n ask --model claude-sonnet-4-6 \(options) --json")
      }
      try scratch.expectGolden("chat-send/further-options")
    }
  }

  @Test func `those of web-fetch are shown`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.servePages()
      let fetch = "web-fetch --allow-private"
      for line in [
        "\(fetch) --no-robots --ordered \(server.url("/page/1")) \(server.url("/page/2"))",
        "\(fetch) --cache --images --format markdown \(server.url("/page/1"))",
        "\(fetch) --cookie-jar jar --allow-userinfo http://a:b@127.0.0.1:\(server.port)/page/1",
      ] { try await scratch.shell(line + " | jq -c '[.type, .title, .status]'") }
      try scratch.expectGolden("web-fetch/further-options")
    }
  }
}
