import Testing

/// Options that other goldens of their tool do not show, each at work or in its refusal.
@Suite("goldens of options")
struct OptionGoldenTests {
  /// Lines that need no server.
  private static let lines = [
    "agent-control": ["agent-control pause agent agent-7 --json"],
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
      "ceo-plan --model extractive Compare >plan",
      "stage-run --yolo -v --effort low <plan | jq -c .type",
      "stage-run --hub nowhere <plan",
    ],
    "stream-tail": [
      #"echo '{"type":"log","ts":1,"agentId":"a","level":"info","message":"one"}' >log"#,
      "stream-tail --max-rate 1 log", "stream-tail --strict --hub nowhere",
      "stream-tail -f -n 0 log",
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
