import Foundation
import TestSupport
import Testing

/// Hooks of agents that were started elsewhere, answered by the real binary.
@Suite("hooks")
struct HookTests {
  /// The message of an event about a command.
  private static func message(
    _ event: String = "PreToolUse", _ command: String = "rm -rf build", _ others: String = ""
  ) -> String {
    #"{"session_id":"s1","cwd":"/home/user/work","hook_event_name":"\#(event)","tool_name":"Bash","#
      + #""tool_input":{"command":"\#(command)"}\#(others)}"#
  }

  private static let call = message("PreToolUse", "rm -rf build", #","tool_use_id":"toolu_3""#)
  /// The same event of Codex.
  private static let turn = #","tool_use_id":"call_2","turn_id":"turn-2""#

  private static func before(_ decision: String, _ reason: String) -> String {
    #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"\#(decision)","#
      + #""permissionDecisionReason":"\#(reason)"}}"# + "\n"
  }

  private func configure(_ scratch: Scratch, _ text: String) throws {
    try scratch.write("home/config/config.toml", text)
  }

  /// The only gate that waits.
  private func gate(_ scratch: Scratch) async throws -> String {
    var id = ""
    try await scratch.until("a gate waits") {
      id = try await scratch.shell("gate-decide list | jq -r .gateId").output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      return !id.isEmpty
    }
    return id
  }

  private var user: String { NSUserName() }

  @Test func `a rule decides without a store`() async throws {
    try await Scratch.with { scratch in
      try configure(
        scratch,
        """
        [hook]
        allow = ["Bash(git status)", "Bash(git log*)", "Read(*)"]
        ask = ["Bash(git log --output*)"]
        deny = ["Bash(git push *)"]
        """)
      for (command, output) in [
        ("git status", Self.before("allow", "allowed by the rule 'Bash(git status)'")),
        ("git log -n 5", Self.before("allow", "allowed by the rule 'Bash(git log*)'")),
        ("git push --force", Self.before("deny", "denied by the rule 'Bash(git push *)'")),
        ("git status; git push x", Self.before("deny", "denied by the rule 'Bash(git push *)'")),
      ] {
        let run = try await scratch.shell(
          "gate-decide hook", input: Self.message("PreToolUse", command))
        #expect(run.statuses == [0] && run.output == output && run.errors == "", "\(command)")
      }
      #expect(try await scratch.shell("ls ../home").output == "config\n")
      for command in [
        "git status; rm -rf x", "git status && rm x", "git status $(rm x)",
        #"git status\nrm x"#, "git log > x", "A=b git status", "git log --output=x",
      ] {
        let run = try await scratch.shell(
          "gate-decide hook --timeout 0.1s", input: Self.message("PreToolUse", command))
        #expect(run.output == Self.before("deny", "nobody decided in time"), "\(command)")
      }
      let codex = try await scratch.shell(
        "gate-decide hook --agent codex", input: Self.message("PreToolUse", "git status", Self.turn)
      )
      #expect(codex.statuses == [0] && codex.output == "")
    }
  }

  @Test func `a command is denied by the rule of a file, and a doubt is shown at its gate`()
    async throws
  {
    try await Scratch.with { scratch in
      let rule = "Read(/home/user/work/.env)"
      try configure(
        scratch, "[hook]\nallow = [\"Bash\", \"Bash(git log*)\"]\ndeny = [\"\(rule)\"]\n")
      for (command, output) in [
        ("git log -n 5 -- a/.env.example", Self.before("allow", "allowed by the rule 'Bash'")),
        ("git log -p -- a/../.env", Self.before("deny", "denied by the rule '\(rule)'")),
        ("git show HEAD:.env | base64", Self.before("deny", "denied by the rule '\(rule)'")),
        ("git log --output=a", Self.before("deny", "nobody decided in time")),
        ("git log -p -- '.e?v'", Self.before("deny", "nobody decided in time")),
      ] {
        let run = try await scratch.shell(
          "gate-decide hook --timeout 0.1s", input: Self.message("PreToolUse", command))
        #expect(run.statuses == [0] && run.output == output && run.errors == "", "\(command)")
      }
      let asking = try scratch.starting(
        "gate-decide", "hook", input: Self.message("PreToolUse", "cat .e*"))
      let id = try await gate(scratch)
      let shown = try await scratch.shell("gate-decide show \(id)")
      #expect(
        shown.records.first?["context.risk"] == "the rule '\(rule)' may concern the call")
      try await scratch.shell("gate-decide approve \(id)")
      #expect(await asking.ended().output == Self.before("allow", "approved by \(user)"))
    }
  }

  @Test func `an event that cannot be decided gets no decision`() async throws {
    try await Scratch.with { scratch in
      for event in ["Notification", "SessionStart", "Stop", "SessionEnd"] {
        let run = try await scratch.shell("gate-decide hook", input: Self.message(event))
        #expect(run.statuses == [0] && run.output == "")
      }
      let run = try await scratch.shell(
        "gate-decide hook --agent gemini", input: Self.message("SessionEnd"))
      #expect(run.output == "{}\n")
      #expect(try await scratch.shell("ls ../home").output == "")
    }
  }

  @Test func `a person decides in another shell`() async throws {
    try await Scratch.with { scratch in
      let approved = try scratch.starting("gate-decide", "hook", input: Self.call)
      let first = try await gate(scratch)
      let record = try await scratch.shell("gate-decide show \(first)")
      #expect(record.records.first?["summary"] == "Claude Code asks to call Bash: rm -rf build")
      #expect(
        record.records.first?["context.why"]
          == "folder '/home/user/work', session 's1', call 'toolu_3'")
      #expect(record.records.first?["context.impact"] == #"{"command":"rm -rf build"}"#)
      try await scratch.shell("gate-decide approve \(first)")
      let run = await approved.ended()
      #expect(run.endings == [.exit(0)])
      #expect(run.output == Self.before("allow", "approved by \(user)"))

      let rejected = try scratch.starting(
        "gate-decide", "hook", input: Self.message("PermissionRequest"))
      try await scratch.shell(
        "gate-decide reject \(try await gate(scratch)) --reason 'build is shared'")
      #expect(
        await rejected.ended().output
          == #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","#
          + #""message":"\#(user) said no: build is shared"}}}"# + "\n")

      let gemini = try scratch.starting(
        "gate-decide", "hook", "--timeout", "10m", input: Self.message("BeforeTool"))
      try await scratch.shell("gate-decide approve \(try await gate(scratch))")
      #expect(await gemini.ended().output == #"{"decision":"allow"}"# + "\n")
    }
  }

  @Test func `without a decision the call is denied, or the agent asks`() async throws {
    try await Scratch.with { scratch in
      let late = "nobody decided in time"
      for (message, denied, asked) in [
        (Self.call, Self.before("deny", late), Self.before("ask", late)),
        (
          Self.message("PermissionRequest"),
          #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"\#(late)"}}}"#
            + "\n", ""
        ),
        // These have no question of their own.
        (
          Self.message("PreToolUse", "ls", Self.turn), Self.before("deny", late),
          Self.before("deny", late)
        ),
        (
          Self.message("BeforeTool"), #"{"decision":"deny","reason":"\#(late)"}"# + "\n",
          #"{"decision":"deny","reason":"\#(late)"}"# + "\n"
        ),
      ] {
        for (word, output) in [("deny", denied), ("ask", asked)] {
          let run = try await scratch.shell(
            "gate-decide hook --timeout 0.1s --on-timeout \(word)", input: message)
          #expect(run.statuses == [0] && run.output == output, "\(message) \(word)")
        }
      }
      #expect(try await scratch.shell("gate-decide list").output == "")
    }
  }

  @Test func `a signal that comes twice at once withdraws the gate`() async throws {
    try await Scratch.with { scratch in
      // timeout(1) sends its signal to the process, and then to its group; also one that it gets.
      for _ in 0..<2 {
        let hook = try scratch.running(
          ["timeout", "600", "gate-decide", "hook"], "timeout", input: Self.call)
        _ = try await gate(scratch)
        hook.child.signal(SIGTERM)
        let run = await hook.ended()
        #expect(run.output.contains("gate-decide: interrupted by SIGTERM"), "\(run.output)")
        #expect(try await scratch.shell("gate-decide list").output == "")
      }
    }
  }

  @Test func `a hook that is told to end withdraws its gate`() async throws {
    try await Scratch.with { scratch in
      for signal in [SIGTERM, SIGINT, SIGHUP] {
        let hook = try scratch.starting("gate-decide", "hook", input: Self.call)
        _ = try await gate(scratch)
        hook.child.signal(signal)
        let run = await hook.ended()
        #expect(run.endings == [.exit(0)] && run.output.contains(#""permissionDecision":"deny""#))
        #expect(try await scratch.shell("gate-decide list").output == "")
      }
      // Nobody decided, so the repeated hook asks again.
      let all = try await scratch.shell("gate-decide list --all | jq -r .status")
      #expect(all.output == "expired\nexpired\nexpired\n")
      let open = try scratch.starting("gate-decide", "hook", "--fail", "open", input: Self.call)
      _ = try await gate(scratch)
      open.child.signal(SIGTERM)
      #expect(await open.ended().output == "")
    }
  }

  @Test func `a repeated hook finds its gate, and another request does not`() async throws {
    try await Scratch.with { scratch in
      let first = try scratch.starting("gate-decide", "hook", input: Self.call)
      let id = try await gate(scratch)
      first.child.signal(SIGKILL)
      #expect(await first.ended().output == "")
      let second = try scratch.starting("gate-decide", "hook", input: Self.call)
      try await scratch.shell("gate-decide approve \(id)")
      #expect(await second.ended().output == Self.before("allow", "approved by \(user)"))
      let third = try await scratch.shell("gate-decide hook", input: Self.call)
      #expect(third.output == Self.before("allow", "approved by \(user)"))
      for other in [
        Self.call.replacing("rm -rf build", with: "rm -rf /"),
        Self.call.replacing("\"s1\"", with: "\"s2\""),
        Self.call.replacing("toolu_3", with: "toolu_4"),
        Self.call.replacing("/work", with: "/other"),
        Self.message(),
      ] {
        // Long enough for its gate to be opened.
        let run = try await scratch.shell("gate-decide hook --timeout 3s", input: other)
        #expect(run.output == Self.before("deny", "nobody decided in time"))
      }
      let all = try await scratch.shell("gate-decide list --all | jq -r .status | sort | uniq -c")
      #expect(
        all.output.split(whereSeparator: \.isWhitespace) == ["1", "approved", "5", "expired"])
    }
  }

  @Test func `its own failures deny in the agent's form`() async throws {
    try await Scratch.with { scratch in
      func denies(_ line: String, _ input: String, _ reason: String) async throws {
        let run = try await scratch.shell(line, input: input)
        #expect(run.statuses == [0] && run.errors.contains(reason), "\(run.errors)")
        #expect(run.output.contains(#""permissionDecision":"deny""#) && run.output.contains(reason))
      }
      for input in [
        "", "{", "[]", "null", #"{"hook_event_name":7}"#, "\u{FEFF}{}",
        #"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#,
        #"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"#
          + String(repeating: "[", count: 100_000),
      ] {
        try await denies("gate-decide hook", input, "the message of the agent")
        let gemini = try await scratch.shell("gate-decide hook --agent gemini", input: input)
        let isNamed = input.contains("PreToolUse")
        #expect(
          gemini.output.hasPrefix(
            isNamed ? "{\"hookSpecificOutput\"" : "{\"decision\":\"deny\",\"reason\":"))
        let open = try await scratch.shell("gate-decide hook --fail open", input: input)
        #expect(open.statuses == [0] && open.output == "")
      }
      try await denies("gate-decide hook --bogus", Self.call, "nknown option '--bogus'")
      try await denies("gate-decide hook --agent nobody", Self.call, "nobody")
      try await denies("gate-decide hook extra", Self.call, "extra")
      try configure(scratch, "[hook]\nallow = [\"Bash(\"]\n")
      try await denies("gate-decide hook", Self.call, "the pattern 'Bash(' of 'hook'")
      try configure(scratch, "[hook]\nallow = \"Bash\"\n")
      try await denies("gate-decide hook", Self.call, "must be a list of strings")
      try configure(scratch, "[hook\n")
      try await denies("gate-decide hook", Self.call, "gate-decide: ")
      try configure(scratch, "")
      try scratch.write("home/data/store.db", "this is no store, and does not become one")
      try await denies("gate-decide hook", Self.call, "store.db")
      scratch.set("AGENTPIPES_HUB", "http://127.0.0.1:9")
      try await denies("gate-decide hook", Self.call, "127.0.0.1:9")
      try await denies("gate-decide hook --hub nowhere", Self.call, "nowhere")
    }
  }

  @Test func `with AGENTPIPES_HUB the gate is the hub's`() async throws {
    try await Scratch.withHub { scratch, _ in
      let hub = try #require(scratch.environment["HUB"])
      let elsewhere = "AGENTPIPES_HOME=\(scratch.path("other")) "
      scratch.set("AGENTPIPES_HUB", hub)
      let hook = try scratch.starting("gate-decide", "hook", input: Self.call)
      let id = try await gate(scratch)
      hook.child.signal(SIGKILL)
      _ = await hook.ended()
      let again = try scratch.starting("gate-decide", "hook", input: Self.call)
      let decided = try await scratch.shell(
        "curl -sf -H \"$AUTH\" -H 'Content-Type: application/json' "
          + "-d '{\"decision\":\"approve\"}' $HUB/v1/approval-gates/\(id)/decision | jq -r .status")
      #expect(decided.output == "approved\n")
      let run = await again.ended()
      #expect(run.endings == [.exit(0)] && run.output.contains(#""permissionDecision":"allow""#))
      #expect(run.output.contains(#""permissionDecisionReason":"approved by "#))
      // A withdrawn gate is rejected at the hub, and a repeated hook asks again.
      let other = Self.call.replacing("toolu_3", with: "toolu_4")
      let ended = try scratch.starting("gate-decide", "hook", input: other)
      let withdrawn = try await gate(scratch)
      ended.child.signal(SIGTERM)
      #expect(await ended.ended().output.contains(#""permissionDecision":"deny""#))
      let asking = try scratch.starting("gate-decide", "hook", input: other)
      let next = try await gate(scratch)
      #expect(next != withdrawn)
      try await scratch.shell("gate-decide approve \(next)")
      #expect(await asking.ended().output.contains(#""permissionDecision":"allow""#))
      // The id of a gate belongs to its question.
      let taken = try await scratch.shell(
        "curl -s -H \"$AUTH\" -H 'Content-Type: application/json' "
          + "-d '{\"summary\":\"Another?\",\"gateId\":\"\(id)\"}' $HUB/v1/approval-gates | jq -r .code"
      )
      #expect(taken.output == "Conflict\n")
      let wrong = try await scratch.shell(
        "curl -s -H \"$AUTH\" -H 'Content-Type: application/json' "
          + "-d '{\"summary\":\"Another?\",\"gateId\":\"g\"}' $HUB/v1/approval-gates | jq -r .code")
      #expect(wrong.output == "BadInput\n")
      let stranger = try await scratch.shell("\(elsewhere)gate-decide hook", input: Self.call)
      #expect(stranger.statuses == [0] && stranger.output.contains(#""permissionDecision":"deny""#))
    }
  }

  @Test func `a device that only sends events waits for its gates, but approves none`() async throws
  {
    try await HubPlace.with { place, _ in
      let scratch = place.scratch
      let device = "AGENTPIPES_HUB=$HUB AGENTPIPES_HOME='\(scratch.path("host"))'"
      let asking = try scratch.running("\(device) exec gate-decide hook", input: Self.call)
      let gate = try await gate(scratch)
      let own = try await scratch.shell("\(device) gate-decide approve \(gate)")
      #expect(own.statuses == [77] && own.errors.contains("runs no agent that waits for the gate"))
      try await scratch.shell("gate-decide approve \(gate)")
      #expect(await asking.ended().output.contains(#""permissionDecision":"allow""#))
      let other = Self.call.replacing("toolu_3", with: "toolu_4")
      let ended = try scratch.running("\(device) exec gate-decide hook", input: other)
      let withdrawn = try await self.gate(scratch)
      ended.child.signal(SIGTERM)
      #expect(await ended.ended().output.contains(#""permissionDecision":"deny""#))
      let shown = "gate-decide list --all | jq -r 'select(.gateId == \"\(withdrawn)\").status'"
      #expect(try await scratch.shell(shown).output == "rejected\n")
    }
  }

  @Test func `the settings of an agent are printed, and added only with --write`() async throws {
    try await Scratch.with { scratch in
      for (agent, events) in [
        ("claude", "PermissionRequest,PostToolUse,PostToolUseFailure,PreToolUse,Stop"),
        ("codex", "PermissionRequest,PreToolUse"),
        ("gemini", "BeforeTool"),
      ] {
        let run = try await scratch.shell(
          "gate-decide hook --setup \(agent) | jq -r '.hooks | keys | join(\",\")'")
        #expect(run.output == events + "\n" && run.errors.contains("add this to '"))
      }
      #expect(try await scratch.shell("ls -A ../user").output == "")
      try scratch.write("user/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n")
      let added = try await scratch.shell("gate-decide hook --setup claude --write")
      #expect(added.statuses == [0] && added.output == "")
      let shown = try await scratch.shell(
        "jq -r '.model, .hooks.PreToolUse[0].hooks[0].onFailure' ../user/.claude/settings.json")
      #expect(shown.output == "opus\nblock\n")
      let commands = try await scratch.shell(
        "jq -r '.hooks[][].hooks[].command' ../user/.claude/settings.json | sort -u")
      #expect(commands.output == "gate-decide hook --agent claude\n")
      #expect(
        scratch.read("user/.claude/settings.json.before-gate-decide")
          == "{\n  \"model\": \"opus\"\n}\n")
      // The command that was added answers.
      let answer = try await scratch.shell(
        "sh -c \"$(jq -r '.hooks.PreToolUse[0].hooks[0].command' ../user/.claude/settings.json) --timeout 0.1s\"",
        input: Self.call)
      #expect(answer.output == Self.before("deny", "nobody decided in time"))
      let again = try await scratch.shell("gate-decide hook --setup claude --write")
      #expect(again.errors.contains("has the hook already"))
      try scratch.write("user/.claude/settings.json", "// mine\n{}\n")
      let refused = try await scratch.shell("gate-decide hook --setup claude --write")
      #expect(
        refused.statuses == [65] && refused.errors.contains("it is not JSON without comments"))
      #expect(scratch.read("user/.claude/settings.json") == "// mine\n{}\n")
      #expect(
        try await scratch.shell("gate-decide hook --write").output.contains("--write needs --setup")
      )
      #expect(
        try await scratch.shell("gate-decide hook --setup nobody </dev/null").statuses == [64])
    }
  }
}
