import Testing

/// What people type, as they type it: secrets where none belong, commands without `--`, verbs for goals.
@Suite("operands")
struct OperandTests {
  @Test(arguments: [
    "key-store set anthropic KEY", "key-store set KEY", "key-store get KEY", "key-store delete KEY",
    "key-store KEY", "key-store list KEY", "key-store import --from-environment KEY",
    "stage-run --show KEY", "stage-run --resume KEY", "stage-run KEY", "ceo-plan --model KEY Rain",
    "gate-decide approve KEY", "gate-decide show KEY", "agent-stat agent KEY", "stream-tail KEY",
    "agent-control pause agent KEY --reason x", "agent-control KEY", "tmux-attach key show KEY",
    "tmux-attach key remove KEY", "web-fetch KEY", "web-fetch --nosuch=KEY", "export-md KEY",
    "tmux-attach snapshot KEY s --timeout 1s",
  ])
  func `what looks like a secret among the operands is never repeated`(_ line: String) async throws
  {
    try await Scratch.with { scratch in
      for key in [
        scratch.secret, "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "AKxW3tbqPz0Lm9vRYd7UhJc2TsNf5GeX",
      ] {
        let run = try await scratch.shell(line.replacing("KEY", with: key))
        #expect(run.statuses != [0])
        // Names of hosts know no capitals.
        let told = (run.output + run.errors).lowercased()
        #expect(!told.contains(key.lowercased()) && !run.errors.isEmpty)
      }
    }
  }

  @Test func `a short secret behind a key's name is not repeated either`() async throws {
    try await Scratch.with { scratch in
      for verb in ["set", "get", "delete"] {
        let run = try await scratch.shell("key-store \(verb) openai 'hunter2 is it'")
        #expect(run.statuses == [64])
        #expect(!(run.output + run.errors).contains("hunter2"))
      }
    }
  }

  @Test(
    arguments: [
      ("key-store get openai --reveal", 77), ("key-store get --reveal", 64),
      ("key-store get openai --revael", 64), ("key-store get --reveal openai --nosuch", 64),
      ("tmux-attach key show", 66), ("tmux-attach key show --nosuch", 64),
      ("tmux-attach attach box s", 69), ("tmux-attach box s", 69), ("tmux-attach --nosuch", 64),
      ("agent-run --nosuch", 64), ("agent-run", 64),
    ] as [(String, Int32)])
  func `what writes no records writes none of a failure`(
    _ line: String, _ status: Int32
  ) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(line)
      #expect(run.output.isEmpty && !run.errors.isEmpty)
      #expect(run.statuses == [status])
    }
  }

  @Test func `a command is run with and without the mark before it`() async throws {
    try await Scratch.with { scratch in
      for line in [
        "agent-run echo -n --json", "agent-run -- echo -n --json",
        "agent-run --agent a --swarm=s --heartbeat 5s echo -n --json",
        "agent-run --agent b -- echo -n --json",
      ] {
        let run = try await scratch.shell(line)
        #expect(run.output == "--json" && run.statuses == [0])
      }
      let kept = try await scratch.shell("agent-run sh -c 'echo $1' sh --")
      #expect(kept.output == "--\n")
      let wrong = try await scratch.shell("agent-run --nosuch echo x")
      #expect(wrong.errors.hasPrefix("agent-run: unknown option '--nosuch'\n"))
      let none = try await scratch.shell("agent-run --swarm s")
      #expect(
        none.errors
          == "agent-run: there is no command to run: agent-run [OPTIONS] COMMAND ...; "
          + "read --help\n")
    }
  }

  @Test(arguments: [
    "stage-run --nosuch an-id", "tmux-attach --nosuch", "tmux-attach watch --nosuch",
    "key-store import --nosuch", "agent-run --nosuch", "agent-run --nosuch=x ls --all",
    "gate-decide reject g --nosuch", "agent-control pause --nosuch",
    "web-fetch --nosuch --html x://",
  ])
  func `an option that is none is what is wrong`(_ line: String) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(line)
      #expect(run.statuses == [64])
      #expect(run.errors.contains(": unknown option '--nosuch'"))
    }
  }

  @Test func `a verb is no goal to pay for, unless it is written to stdin`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      for verb in ["help", "List", "run", "status"] {
        let run = try await scratch.shell("ceo-plan \(verb)")
        #expect(run.statuses == [64])
        #expect(run.errors.hasPrefix("ceo-plan: '\(verb)' alone is not a goal: "))
      }
      #expect(server.requests.isEmpty)
      let piped = try await scratch.shell("ceo-plan", input: "help\n")
      #expect(piped.statuses == [0])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `help is no prompt, unless it is written to stdin`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      let run = try await scratch.shell("chat-send help")
      #expect(run.statuses == [64])
      #expect(run.errors.hasPrefix("chat-send: 'help' alone is not a prompt: "))
      #expect(server.requests.isEmpty)
      #expect(try await scratch.shell("chat-send", input: "help\n").statuses == [0])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `who is to be terminated is looked for before anybody is asked`() async throws {
    try await Scratch.with { scratch in
      for target in ["agent", "swarm"] {
        // There is no terminal to ask at, and that is not what is wrong.
        let run = try await scratch.shell("agent-control terminate \(target) nosuch --reason x")
        #expect(run.statuses == [66])
        #expect(
          run.errors
            == "agent-control: there is no \(target) 'nosuch'; check the name or address\n")
      }
      let audit = try await scratch.shell("agent-stat audit | jq -r .outcome")
      #expect(audit.output == "NotFound\nNotFound\n")
    }
  }

  @Test func `a time behind --wait is its value`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let run = try await scratch.shell("stage-run --wait 0.1s", input: Plan.one)
      #expect(run.statuses == [75])
      #expect(run.errors.contains("waits for approval"))
      let id = try await scratch.shell("stage-run --resume --wait 0.1s \(Plan.pipeline)")
      #expect(id.statuses == [75])
    }
  }
}
