import Foundation
import TestSupport
import Testing

/// The answers of agentpipes about a machine.
@Suite("agentpipes")
struct AgentpipesTests {
  private static let states = #"jq -r '.name + " " + .status' | sort | uniq -c | sed 's/^ *//'"#

  @Test func `what is no tool is refused`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agentpipes nonsense")
      try await scratch.shell("agentpipes stage-rum --list")
      try await scratch.shell("agentpipes state stage-run")
      try await scratch.shell("agentpipes help web-fetsh")
      try scratch.expectGolden("agentpipes/refused")
    }
  }

  @Test func `a tool that is not installed is named`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(
        "mkdir alone; cp -L $(command -v agentpipes) alone; PATH=/no alone/agentpipes web-fetch")
      #expect(run.statuses == [64])
      #expect(
        run.errors == """
          agentpipes: the tool 'web-fetch' is not installed
          agentpipes: see 'agentpipes --help'

          """)
    }
  }

  @Test func `the help of a tool is shown`() async throws {
    try await Scratch.with { scratch in
      for words in ["web-fetch", "chat-log list", "agentpipes doctor"] {
        let own = try await scratch.shell("\(words) --help")
        let asked = words.replacing("agentpipes ", with: "")
        let run = try await scratch.shell("agentpipes help \(asked)")
        #expect(run.statuses == [0])
        #expect(run.output == own.output && run.errors == "")
      }
    }
  }

  @Test func `a machine on which nothing is set up is told the first step`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agentpipes | jq -c 'select(.name != \"unit\")'")
      try await scratch.shell("agentpipes --text --color never | grep -v '^unit' | tail -n 12")
      // Nothing was made.
      try await scratch.shell("find ../home -type f")
      try scratch.expectGolden("agentpipes/nothing")
    }
  }

  @Test func `what is set up is listed without a secret`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await scratch.shell("key-store set openai", input: "sk-1234567890abcdefghij\n")
      let run = try await scratch.shell("env -u AGENTPIPES_MODEL agentpipes")
      let checks = run.records
      #expect(run.statuses == [0])
      #expect(!run.output.contains("sk-12"))
      func summary(_ name: String) -> [String] {
        checks.filter { $0["name"] == name }.compactMap { $0["summary"] }
      }
      #expect(summary("key").contains("'openai' comes from the sealed file"))
      #expect(summary("hub") == ["a hub serves at '\(scratch.environment["HUB"] ?? "")'"])
      #expect(summary("model").first?.hasSuffix(" answers if no other model is named") == true)
      #expect(summary("store").first?.contains("schema '") == true)
      let doctor = try await scratch.shell("agentpipes doctor")
      #expect(doctor.statuses == [0], "\(doctor.output) \(doctor.errors)")
      #expect(
        doctor.records.filter { $0["name"] == "hub" }.map { $0["summary"] } == [
          "'\(scratch.environment["HUB"] ?? "")' answers, and accepts this machine"
        ])
    }
  }

  @Test func `what is wrong is named with its remedy, and in the status`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("home/config/config.toml", "[hub.gone]\nurl = \"http://127.0.0.1:1\"\n")
      try await scratch.shell("mkdir -p ../home/data; touch -d '2 days' ../home/data/events.db")
      let run = try await scratch.shell("agentpipes doctor")
      #expect(run.statuses == [78])
      let wrong = run.records.filter { $0["status"] == "wrong" }
      #expect(wrong.map { $0["name"] } == ["clock", "hub"])
      #expect(wrong.allSatisfy { !$0["nextStep"].isEmpty })
      #expect(run.errors.contains("2 of "))
      try scratch.write("home/config/config.toml", "[serve\n")
      let broken = try await scratch.shell("agentpipes doctor")
      #expect(broken.records.first?["name"] == "configuration")
      #expect(broken.statuses == [78])
      let state = try await scratch.shell("agentpipes")
      #expect(state.statuses == [0])
      #expect(state.records.first?["status"] == "wrong")
    }
  }

  @Test func `a hub whose file was replaced is named`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("cp $(command -v hub-serve) own-hub")
      let hub = try scratch.running("exec ./own-hub --listen 127.0.0.1:0")
      try await scratch.until("it listens") { hub.errors.contains("listening on") }
      try await scratch.shell("cp own-hub newer && mv newer own-hub")
      let run = try await scratch.shell("agentpipes | jq -r 'select(.name == \"hub\").summary'")
      #expect(run.output.hasSuffix("is of an earlier installation\n"), "\(run.output)")
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
    }
  }

  @Test func `a tool is run with its arguments and its status`() async throws {
    try await Scratch.with { scratch in
      let own = try await scratch.shell("agentpipes gate-decide show nothing")
      #expect(own.statuses == [66])
      #expect(
        own.errors == "gate-decide: there is no gate 'nothing'; check the name or address\n")
      let piped = try await scratch.shell(
        "echo 'one goal' | agentpipes ceo-plan | jq -r .type | head -n 1")
      #expect(piped.output == "pipeline\n")
    }
  }
}
