import Foundation
import Testing

/// What Tab makes of a line in the real shells, with the completions that are installed.
@Suite("completions")
struct ShellCompletionTests {
  private static let completions = Places.tests + "/../completions"
  private static let driver = Places.tests + "/Support/Shells/type-and-tab.zsh"

  /// Lines of which there is one completion: files, folders, options, words, ids and commands.
  private static let lines = [
    "web-fetch docu", "web-fetch two", "web-fetch 'two", "web-fetch --files=docu",
    "web-fetch --files docu", "web-fetch --max-c", "web-fetch --format mark",
    "stage-run --team te", "stage-run --team=te", "stage-run --resume 0", "stage-run 0",
    "stage-run --show 0", "stage-run --list --status comp", "export-md --into fol", "export-md ",
    "stream-tail docu", "stream-tail --agent lin", "stream-tail --type appr",
    "agent-stat ag", "agent-stat agent lin", "agent-stat swarm rev", "agent-stat skill gr",
    "agent-control pause agent lin", "agent-control pause swarm re",
    "agent-control threshold incident al", "gate-decide app",
    "gate-decide approve 0", "gate-decide show 0", "key-store get anth", "agent-run --swarm re",
    "agent-run -- greet-y", "agent-run -- greet-you docu", "agent-run -- web-fetch --max-c",
    "agent-run --swarm x -- ls fol", "tmux-attach attach --identity docu",
    "tmux-attach attach --agent lin", "ceo-plan --team te", "agent-stat --wa",
    "agent-stat --hub x --js", "agent-stat --color ne", "agent-stat agent nte",
    "agent-stat agents --swarm=vie", "agent-run greet-y", "agent-run --sw",
    "agent-run --swarm x greet-you docu", "key-store login gi", "model-list show on-dev",
    "ceo-plan --mod", "ceo-plan --model extr", "ceo-plan --model=extr", "chat-send --model extr",
    "agentpipes stage-r", "agentpipes web-fetch docu", "agentpipes agent-stat agent nte",
  ]

  /// A home where something was run, and files to choose from.
  private func fill(_ scratch: Scratch) async throws {
    try scratch.write("work/document.html", "")
    try scratch.write("work/two words.toml", "")
    try scratch.write("work/team.toml", "")
    try scratch.write("bin/greet-you", "#!/bin/sh\n", executable: true)
    try await scratch.shell("mkdir folder; mkdir ../home/data ../home/state")
    let span =
      #"{"type":"traceEvent","name":"execute_tool","phase":"end","skillId":"grep","spanId":"1"}"#
    try await scratch.shell(
      "agent-run --agent linter --swarm review -- sh -c 'cat; echo ERROR no disk'",
      input: span + "\n")
    try await scratch.shell("stage-run >/dev/null", input: Plan.one + Plan.page)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Tab completes files, folders, options, commands and ids`(shell: String) async throws {
    try await Scratch.with { scratch in
      try await fill(scratch)
      let run = try scratch.running(
        words(shell), "in \(shell)", input: Self.lines.joined(separator: "\n") + "\n")
      await run.ended()
      try scratch.expectGolden("completions/\(shell)")
    }
  }

  /// The words that have a shell complete the lines of stdin.
  private func words(_ shell: String) -> [String] {
    guard shell == "fish" else { return ["zsh", "-f", Self.driver, shell, Self.completions] }
    return [
      "fish", "--no-config", Places.tests + "/Support/Shells/complete.fish", Self.completions,
    ]
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `an open incident is completed where one can be shown or closed`(shell: String) async throws
  {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent linter -- sh -c 'echo ERROR no disk'")
      let incident = try #require(
        try await scratch.shell("agent-stat incidents").records("incident").first)
      for line in ["agent-stat incident ", "agent-control close incident "] {
        let run = try scratch.running(words(shell), "in \(shell)", input: line + "\n")
        let shown =
          shell == "fish"
          ? "\n  \(incident["id"])\tERROR no disk\n" : " \(line)\(incident["id"]) |\n"
        #expect(await run.ended().output == "\(line)<Tab>" + shown)
      }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a chat is completed where one goes on, and an answer where one is chosen`(
    shell: String
  ) async throws {
    try await Scratch.with { scratch in
      let records = [
        #"{"id":"0193a1b2-0000-7000-8000-00000000007e","name":"tea","type":"project"}"#,
        #"{"id":"c-tea","projectId":"0193a1b2-0000-7000-8000-00000000007e","title":"Pots","type":"chat"}"#,
        #"{"chatId":"c-tea","id":"q-tea","role":"user","text":"Green?","type":"message"}"#,
        #"{"chatId":"c-tea","groupId":"g","id":"a-tea","role":"assistant","text":"Yes.","type":"message"}"#,
      ]
      try await scratch.shell("chat-log import", input: records.joined(separator: "\n"))
      let lines = [
        ("chat-send --chat ", "c-tea", "\tPots"),
        ("chat-send --project ", "0193a1b2-0000-7000-8000-00000000007e", "\ttea"),
        ("chat-log show ", "c-tea", "\tPots"), ("chat-log choose ", "a-tea", ""),
      ]
      let run = try scratch.running(
        words(shell), "in \(shell)", input: lines.map { $0.0 + "\n" }.joined())
      let shown = lines.map { line, id, told in
        "\(line)<Tab>" + (shell == "fish" ? "\n  \(id)\(told)\n" : " \(line)\(id) |\n")
      }
      #expect(await run.ended().output == shown.joined())
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `hosts, hubs and models of the configuration are completed`(shell: String) async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/config.toml",
        """
        [hosts.work]
        url = "http://127.0.0.1:9"
        [hub.build]
        url = "http://127.0.0.1:9"
        [models."own:8b"]
        provider = "local"
        endpoint = "http://127.0.0.1:9/v1"

        """)
      let lines = [
        ("chat-send --host ", "wo", "work", "Use this paired host: a name or a URL."),
        ("agent-stat --hub ", "bu", "build", "Use this hub, or A,B: URLs or configured names."),
        ("chat-send --model ", "own:", "own:8b", "local"),
      ]
      let run = try scratch.running(
        words(shell), "in \(shell)", input: lines.map { "\($0.0)\($0.1)\n" }.joined())
      let output = await run.ended().output
      for (line, begun, name, told) in lines {
        let shown = shell == "fish" ? "\n  \(name)\t\(told)" : " \(line)\(name) |\n"
        #expect(output.contains("\(line)\(begun)<Tab>" + shown))
      }
    }
  }

  /// Runs two agents whose ids end alike; a shell would obey the title of the second.
  private func runAgents(_ scratch: Scratch) async throws {
    for (id, task) in [("1-old-7f", "first"), ("2-new-7f", "$(touch obeyed)")] {
      try await scratch.starting("agent-run", "--agent", id, "--task", task, "--", "true")
        .ended()
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a part of several ids stays as it was typed`(shell: String) async throws {
    try await Scratch.with { scratch in
      try await runAgents(scratch)
      let run = try scratch.running(words(shell), "in \(shell)", input: "agent-stat agent 7f\n")
      let shown =
        shell == "fish"
        ? "\n  2-new-7f\t$(touch obeyed)\n  1-old-7f\tfirst\n" : " agent-stat agent 7f|\n"
      #expect(await run.ended().output == "agent-stat agent 7f<Tab>" + shown)
    }
  }

  @Test func `bash lists ids newest first, with titles, and a menu takes the ids`() async throws {
    try await Scratch.with { scratch in
      try await runAgents(scratch)
      let complete = #"""
        . '\#(Self.completions)/agent-stat.bash'
        COMP_WORDS=(agent-stat agent 7f) COMP_CWORD=2 COMP_LINE='agent-stat agent 7f' COMP_POINT=19
        for COMP_TYPE in 63 37; do
          COMPREPLY=()
          _agent-stat agent-stat 7f agent
          printf '%s|' "${COMPREPLY[@]}"
        done
        """#
      let run = try await scratch.shell(complete)
      #expect(run.output == "2-new-7f  $(touch obeyed)|1-old-7f  first| |2-new-7f|1-old-7f|")
      #expect(try await scratch.shell("ls -A").output == "")
    }
  }

  private static let library = "/usr/share/bash-completion/bash_completion"

  @Test(.enabled(if: access(library, R_OK) == 0, "bash-completion is not installed"))
  func `bash-completion completes the command of agent-run by its own rules`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/document.html", "")
      let run = try scratch.running(
        words("bash") + [Self.library], "in bash",
        input: "agent-run -- web-fetch --max-c\nagent-run --swarm x -- web-fetch docu\n")
      #expect(
        await run.ended().output == """
          agent-run -- web-fetch --max-c<Tab> agent-run -- web-fetch --max-characters |
          agent-run --swarm x -- web-fetch docu<Tab> agent-run --swarm x -- web-fetch document.html |

          """)
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `an empty home stays empty, and nothing is said`(shell: String) async throws {
    try await Scratch.with { scratch in
      let lines = [
        "gate-decide approve z", "agent-stat agent z", "stage-run --show z", "key-store get q",
      ]
      let run = try scratch.running(
        words(shell), "in \(shell)", input: lines.joined(separator: "\n") + "\n")
      let end = await run.ended()
      let shown = lines.map { shell == "fish" ? "\($0)<Tab>\n" : "\($0)<Tab> \($0)|\n" }
      #expect(end.output == shown.joined())
      #expect(end.errors == "")
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("home")) == [])
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a name that a shell would obey is not offered`(shell: String) async throws {
    try await Scratch.with { scratch in
      for name in ["x$(touch obeyed)", "x;touch obeyed", "x`touch obeyed`", "x y", "x-plain"] {
        let run = try scratch.running(["agent-run", "--agent", name, "--", "true"], "agent-run")
        await run.ended()
      }
      let run = try scratch.running(words(shell), "in \(shell)", input: "agent-stat agent x\n")
      let end = await run.ended()
      let shown = shell == "fish" ? "\n  x-plain\ttrue\n" : " agent-stat agent x-plain |\n"
      #expect(end.output == "agent-stat agent x<Tab>" + shown)
      #expect(try await scratch.shell("ls -A").output == "")
    }
  }
}
