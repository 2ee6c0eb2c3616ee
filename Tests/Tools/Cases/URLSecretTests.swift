import Foundation
import Testing

/// The password of a URL that a person gives is in no message, no record and no file.
@Suite("tools and passwords in URLs")
struct URLSecretTests {
  private static let password = "hunter2"

  /// URLs with the password, in forms that people write.
  private static let forms = [
    "http://user:\(password)@127.0.0.1:9", "ws://user:\(password)@127.0.0.1:9",
    "http:/user:\(password)@127.0.0.1:9", "//user:\(password)@127.0.0.1:9",
    "user:\(password)@127.0.0.1:9", "http://user:\(password)@[::1",
  ]

  private static let commands = [
    "agent-stat --hub URL", "agent-stat --verbose --hub URL", "agent-control list --hub URL",
    "agent-control pause agent-7 --hub URL", "agent-run --hub URL -- true",
    "agent-adopt --hub URL",
    "ceo-plan --hub URL 'A goal'", "gate-decide gate-7 --approve --hub URL", "stage-run --hub URL",
    "stream-tail --hub URL", "tmux-attach --hub URL agent-7",
    "pair register URL --code K7M4Q-2XWPT",
    "pair complete URL --code 123456", "pair status --host URL", "pair start URL",
    "pair revoke URL",
    "pair forget URL", "chat-log list --host URL", "chat-send --host URL Hello",
    "hub-serve --otlp URL",
    "hub-serve --listen URL", "model-list prices --from URL", "model-list add m --endpoint URL",
    "link-open 'ayna://chat?endpoint=URL'", "web-fetch URL", "export-md URL",
    "tmux-attach URL agent-7",
    "AGENTPIPES_HUB=URL stream-tail", "AGENTPIPES_HUB=URL agent-stat --text",
  ]

  /// Everything that a run left behind, as text.
  private func traces(_ scratch: Scratch, _ run: ToolRun) async throws -> String {
    let files = try await scratch.shell("find ../home -type f -exec strings -a -n 4 {} +")
    return run.output + run.errors + files.output
  }

  @Test("a URL that is refused is shown without it", arguments: forms)
  func refused(_ url: String) async throws {
    try await Scratch.with { scratch in
      for command in Self.commands {
        let line = command.replacing("URL", with: url)
        let run = try await scratch.shell("\(line) < /dev/null")
        #expect(run.statuses != [0], "\(line)")
        #expect(try await !traces(scratch, run).contains(Self.password), "\(line)")
      }
    }
  }

  @Test func `nor does a hub of the configuration show it`() async throws {
    try await Scratch.with { scratch in
      for url in Self.forms {
        let run = try await scratch.shell(
          """
          mkdir -p ../home/config && printf '[hub.b]\\nurl = "\(url)"\\n[hosts.b]\\nurl = "\(url)"\\n' \
            > ../home/config/config.toml && agent-stat --verbose --hub b; pair status --host b
          rm ../home/config/config.toml
          """)
        #expect(run.errors.contains("hub.b"))
        #expect(try await !traces(scratch, run).contains(Self.password), "\(url)")
      }
    }
  }

  @Test func `a fed page's URL reaches model, artifact, event and file without it`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"text":"Found","times":0}]"#, "--log-bodies")
      let page =
        #"{"type":"page","url":"http://user:\#(Self.password)@a.example/story","text":"A story."}"#
      try scratch.write("work/plan", Plan.three + page + "\n")
      let run = try await scratch.shell(
        "stage-run --yolo --model anthropic/claude-haiku-4-5 <plan | tee out | export-md --into md")
      #expect(run.statuses == [0, 0, 0])
      #expect(server.requests.count >= 3)
      let asked = server.requests.map { $0["body"] }.joined()
      #expect(asked.contains("a.example/story") && !asked.contains(Self.password))
      let records = scratch.read("work/out")
      #expect(records.contains("a.example") && !records.contains(Self.password))
      let left = try await scratch.shell(
        #"cat md/*/* md/*; sqlite3 "$AGENTPIPES_HOME/data/events.db" .dump"#)
      #expect(left.output.contains("Found") && !left.output.contains(Self.password))
    }
  }

  @Test(
    "what a model's server is asked and answers is traced without it", arguments: [false, true])
  func traced(_ answers: Bool) async throws {
    try await Scratch.with { scratch in
      let port = answers ? try await scratch.serveModels().port : 9
      let server = "user:\(Self.password)@127.0.0.1:\(port)"
      scratch.set("ANTHROPIC_API_KEY", scratch.secret)
      scratch.set("OPENAI_API_KEY", scratch.secret)
      scratch.set("ANTHROPIC_BASE_URL", "http://\(server)")
      scratch.set("OPENAI_BASE_URL", "http://\(server)/v1?key=\(Self.password)&api-version=1")
      for command in [
        "chat-send --trace --verbose --model anthropic/m Hello",
        "chat-send --trace --verbose --model openai/m Hello", "image-make --verbose 'A lamp'",
        "ceo-plan --verbose --model anthropic/m Hello", "model-list refresh --verbose",
      ] {
        let run = try await scratch.shell("\(command) < /dev/null")
        if command.contains("--trace") {
          #expect(run.errors.contains("> POST http://127.0.0.1:\(port)/"), "\(command)")
        }
        #expect(try await !traces(scratch, run).contains(Self.password), "\(command)")
      }
    }
  }
}
