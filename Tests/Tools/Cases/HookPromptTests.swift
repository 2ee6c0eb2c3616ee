import Foundation
import TestSupport
import Testing

/// Prompts of Claude Code that are answered at its own terminal, or that nobody awaits any longer.
@Suite("prompts of agents")
struct HookPromptTests {
  private static let session = "5d2b0000-0000-4000-8000-000000000002"
  private static let answered = "answered at the agent"

  /// The message of an event about the call that the stand-in makes.
  private static func message(
    _ event: String = "PermissionRequest", _ others: String = "", in scratch: Scratch? = nil
  ) -> String {
    let folder = scratch?.path("work") ?? "/w"
    let name = String(folder.map { $0.isLetter || $0.isNumber ? $0 : "-" })
    let path =
      scratch.map { "\($0.path("user"))/.claude/projects/\(name)/\(session).jsonl" } ?? "/none"
    return
      #"{"session_id":"\#(session)","transcript_path":"\#(path)","cwd":"\#(folder)","#
      + #""hook_event_name":"\#(event)","tool_name":"Bash","#
      + #""tool_input":{"command":"the secret words"}\#(others)}"#
  }

  /// Runs a test beside a stand-in whose hook waits for the decision at a gate.
  private func withHook(
    _ message: (Scratch) -> String = { message(in: $0) }, _ words: String = "",
    before: [String] = ["prompt", "tool a"],
    _ body: (Scratch, StandIn, _ gate: String) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      let agent = try await StandIn(scratch, "claude", Self.session)
      for command in before { try await agent.run(command) }
      try scratch.write("work/hook.json", message(scratch))
      try await agent.run("hook hook" + words)
      let gate = try await gate(scratch)
      try await body(scratch, agent, gate)
      await agent.end()
    }
  }

  private func gate(_ scratch: Scratch) async throws -> String {
    var id = ""
    try await scratch.until("a gate waits") {
      id = try await scratch.shell("gate-decide list | jq -r .gateId").output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      return !id.isEmpty
    }
    return id
  }

  /// Waits until the hook has ended, and checks that its gate was withdrawn.
  private func expectWithdrawn(_ scratch: Scratch, _ gate: String) async throws {
    try await scratch.until("the hook has ended") { scratch.read("work/hook.status") == "0\n" }
    let shown = try await scratch.shell(
      "gate-decide show \(gate) | jq -r '[.status, .reason // \"\"] | join(\" \")'")
    #expect(shown.output == "expired \nexpired \(Self.answered)\n")
    let late = try await scratch.shell("gate-decide reject \(gate) --reason 'nobody wants this'")
    #expect(late.statuses == [1])
    #expect(late.errors.contains("gate '\(gate)' is closed already: \(Self.answered)"))
    #expect(late.output.contains(#""code":"Conflict""#))
  }

  // MARK: The agent

  @Test func `a hook whose agent was killed ends and withdraws its gate`() async throws {
    // The answer goes to a file, so that only the process tells, which a shell separates from the hook.
    try await withHook({ Self.message(in: $0) }, " file") { scratch, agent, gate in
      agent.running.child.signal(SIGKILL)
      try await expectWithdrawn(scratch, gate)
      #expect(scratch.read("work/hook.out") == "")
    }
  }

  @Test func `a hook whose answer nobody reads withdraws its gate`() async throws {
    try await withHook { scratch, agent, gate in
      try await agent.run("unread")
      try await expectWithdrawn(scratch, gate)
    }
  }

  @Test func `under claude -p a hook whose agent was killed ends too`() async throws {
    let others = #","tool_use_id":"tool-a""#
    try await withHook({ Self.message("PreToolUse", others, in: $0) }) { scratch, agent, gate in
      agent.running.child.signal(SIGKILL)
      try await scratch.until("the gate is closed") {
        try await scratch.shell("gate-decide list").output.isEmpty
      }
      let shown = try await scratch.shell("gate-decide show \(gate) | jq -r '.reason // empty'")
      #expect(shown.output == Self.answered + "\n")
    }
  }

  // MARK: Its own prompt

  @Test(arguments: [["result a"], ["say b"], ["result a", "say b"]])
  func `a gate is withdrawn when its call has a result, or the session goes on`(
    _ commands: [String]
  ) async throws {
    try await withHook({ Self.message(in: $0) }, " file") { scratch, agent, gate in
      for command in commands { try await agent.run(command) }
      try await expectWithdrawn(scratch, gate)
      // Claude Code would take any other output as an answer.
      #expect(scratch.read("work/hook.out") == "")
    }
  }

  @Test func `a call that was written after its hook began is found too`() async throws {
    // An earlier call with the same arguments has a result.
    let before = ["prompt", "tool a", "result a"]
    try await withHook({ Self.message(in: $0) }, " file", before: before) { scratch, agent, gate in
      try await agent.run("tool b", "result b")
      try await expectWithdrawn(scratch, gate)
    }
  }

  @Test func `a gate is withdrawn when the registry no longer waits`() async throws {
    let before = ["prompt", "tool a", "status waiting"]
    try await withHook({ Self.message(in: $0) }, before: before) { scratch, agent, gate in
      try await agent.run("status busy")
      try await expectWithdrawn(scratch, gate)
    }
  }

  @Test(arguments: ["PostToolUse", "PostToolUseFailure", "Stop"])
  func `a gate is withdrawn when the hook of a later event runs`(_ event: String) async throws {
    try await withHook { scratch, _, gate in
      // The gates of other calls, sessions and questions stay.
      for others in [
        Self.message(in: scratch).replacing("secret", with: "public"),
        Self.message("PermissionRequest", #","agent_id":"x""#),
        Self.message().replacing(Self.session, with: "s2"),
      ] {
        _ = try scratch.running("exec gate-decide hook", input: others)
      }
      let asking = try scratch.starting(
        "gate-decide", "ask", "Deploy?", "--agent", "claude-\(Self.session)")
      try await scratch.until("all wait") {
        try await scratch.shell("gate-decide list").records.count == 5
      }
      let run = try await scratch.shell(
        "gate-decide hook", input: Self.message(event, #","tool_use_id":"tool-a""#, in: scratch))
      #expect(run.statuses == [0] && run.output == "" && run.errors == "")
      try await expectWithdrawn(scratch, gate)
      let left = try await scratch.shell("gate-decide list | jq -r .summary | sort")
      let call = "Claude Code asks to call Bash: the secret words\n"
      let other = "Claude Code asks to call Bash: the public words\n"
      #expect(left.output == (event == "Stop" ? "" : other) + call + call + "Deploy?\n")
      asking.child.signal(SIGTERM)
      await asking.ended()
    }
  }

  @Test func `a later event withdraws a gate at a hub`() async throws {
    try await Scratch.withHub { scratch, _ in
      scratch.set("AGENTPIPES_HUB", scratch.environment["HUB"])
      let hook = try scratch.starting("gate-decide", "hook", input: Self.message())
      let gate = try await gate(scratch)
      try await scratch.shell("gate-decide hook", input: Self.message("PostToolUse"))
      let run = await hook.ended()
      #expect(run.endings == [.exit(0)] && run.output == "" && run.errors == "")
      let late = try await scratch.shell("gate-decide approve \(gate)")
      #expect(late.statuses == [1])
      #expect(late.errors.contains("gate '\(gate)' is closed already: \(Self.answered)"))
    }
  }

  @Test func `a later event without a store changes nothing`() async throws {
    try await Scratch.with { scratch in
      for event in ["PostToolUse", "PostToolUseFailure", "Stop"] {
        let run = try await scratch.shell("gate-decide hook", input: Self.message(event))
        #expect(run.statuses == [0] && run.output == "" && run.errors == "")
      }
      #expect(try await scratch.shell("ls ../home").output == "")
    }
  }

  // MARK: Sessions with a terminal

  @Test func `with a dialog, PreToolUse applies the rules and opens no gate`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/config.toml",
        """
        [hook]
        allow = ["Bash(git log*)"]
        deny = ["Bash(rm *)"]
        ask = ["Bash(git log -p*)"]
        """)
      scratch.set("CLAUDE_CODE_ENTRYPOINT", "cli")
      for (command, decision) in [
        ("make", ""), ("git log", "allow\n"), ("rm x", "deny\n"), ("git log -p", "ask\n"),
      ] {
        let run = try await scratch.shell(
          "gate-decide hook | jq -r .hookSpecificOutput.permissionDecision",
          input: Self.message("PreToolUse").replacing("the secret words", with: command))
        #expect(run.output == decision && run.errors == "", "\(command)")
      }
      #expect(try await scratch.shell("ls ../home").output == "config\n")
    }
  }

  @Test func `without a dialog, PreToolUse waits`() async throws {
    try await Scratch.with { scratch in
      func waits(_ others: String = "") async throws -> Bool {
        let run = try await scratch.shell(
          "gate-decide hook --timeout 0.1s", input: Self.message("PreToolUse", others))
        return run.output.contains("nobody decided in time")
      }
      #expect(try await waits())
      scratch.set("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
      #expect(try await waits())
      scratch.set("CLAUDE_CODE_ENTRYPOINT", "cli")
      #expect(try await !waits())
      for mode in ["bypassPermissions", "dontAsk"] {
        #expect(try await waits(#","permission_mode":"\#(mode)""#))
      }
      // The registry of the process goes before the variable, which a nested process inherits.
      scratch.set("STANDIN_ENTRYPOINT", "sdk-cli")
      let agent = try await StandIn(scratch, "claude", Self.session)
      try scratch.write("work/hook.json", Self.message("PreToolUse", in: scratch))
      try await agent.run("hook hook file")
      try await scratch.shell("gate-decide approve \(try await gate(scratch))")
      try await scratch.until("the hook has ended") { scratch.read("work/hook.status") == "0\n" }
      #expect(scratch.read("work/hook.out").contains(#""permissionDecision":"allow""#))
      await agent.end()
    }
  }

  /// The recorded messages and registry files, if any.
  private static let recordings = Places.environment["AGENTPIPES_EVAL"].map {
    $0 + "/sessions/real/claude-2.1.332"
  }

  @Test(.enabled(if: recordings != nil, "AGENTPIPES_EVAL names no recordings"))
  func `recorded prompts of Claude Code open gates, and recorded ends close them`() async throws {
    let folder = try #require(Self.recordings)
    try await Scratch.with { scratch in
      let recorded = "jq .stdin \(folder)/hooks/PermissionRequest-Bash-1.json"
      let hook = try scratch.running("\(recorded) | gate-decide hook --timeout 9m")
      let gate = try await gate(scratch)
      // A PermissionRequest names no call; the event after it does.
      let ended =
        ".hook_event_name = \"PostToolUse\" | .tool_use_id = \"toolu_1\" | .tool_response = {}"
      try await scratch.shell("\(recorded) | jq '\(ended)' | gate-decide hook")
      let run = await hook.ended()
      #expect(run.output == "" && run.statuses == [0, 0])
      let late = try await scratch.shell("gate-decide approve \(gate)")
      #expect(late.errors.contains("is closed already: \(Self.answered)"))
    }
  }

  @Test func `an interactive Codex asks itself what no rule decides, and codex exec opens a gate`()
    async throws
  {
    try await Scratch.with { scratch in
      for source in ["vscode", "exec"] {
        try scratch.write(
          "work/\(source).jsonl",
          #"{"type":"session_meta","payload":{"id":"t","source":"\#(source)"}}"# + "\n")
        try scratch.write(
          "work/\(source).json",
          #"{"session_id":"t","turn_id":"1","transcript_path":"\#(scratch.path("work"))/\#(source).jsonl","#
            + #""hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Bash","#
            + #""tool_use_id":"\#(source)","tool_input":{"command":"date"}}"#)
      }
      let hook = "gate-decide hook --agent codex --timeout"
      let asked = try await scratch.shell("\(hook) 60 < vscode.json; gate-decide list --all")
      #expect(asked.output.isEmpty && asked.errors.isEmpty)
      let refused = try await scratch.shell(
        "\(hook) 0.1 < exec.json; gate-decide list --all | wc -l")
      #expect(refused.output.contains(#""permissionDecision":"deny""#))
      #expect(refused.output.hasSuffix("\n1\n"))
    }
  }
}
