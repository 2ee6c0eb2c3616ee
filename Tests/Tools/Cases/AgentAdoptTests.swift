import Foundation
import TestSupport
import Testing

/// `agent-adopt` beside stand-ins of coding agents.
@Suite("agent-adopt")
struct AgentAdoptTests {
  private static let session = "3f9a0000-0000-4000-8000-000000000001"
  private static let agent = "claude-3f9a0000-0000-4000-8000-000000000001"
  private static let secret = "the secret words"

  /// Returns the agents of the log, each as its id, status, input and output tokens.
  private func agents(_ scratch: Scratch) async throws -> [String] {
    try await scratch.shell("agent-stat agents").records.map {
      "\($0.id) \($0.status) \($0["usage.inputTokens"])+\($0["usage.outputTokens"])"
    }
  }

  private func follow(_ scratch: Scratch, _ options: String...) throws -> Running {
    try scratch.starting(
      (["agent-adopt", "--follow"] + options).joined(separator: " "), input: nil)
  }

  private func stop(_ follower: Running) async {
    follower.child.signal(SIGTERM)
    await follower.ended()
  }

  /// Returns the state of a process, such as `T` for a stopped one.
  private func state(_ child: pid_t) throws -> Character {
    let text = try String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
    let rest = text[text.index(after: text.lastIndex(of: ")") ?? text.startIndex)...]
    return rest.first { $0 != " " } ?? "?"
  }

  @Test func `a session is an agent that works, waits and ends, without its text`() async throws {
    try await Scratch.with { scratch in
      let follower = try follow(scratch)
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "tool a")
      try await scratch.until("it works") {
        try await scratch.shell("stream-tail").output.contains("execute_tool")
      }
      try await standIn.run("result a", "say b", "status waiting")
      try await scratch.until("it waits") {
        try await agents(scratch) == ["\(Self.agent) waiting 35+10"]
      }
      try await standIn.run("status busy", "prompt")
      try await scratch.until("it works again") {
        try await agents(scratch) == ["\(Self.agent) running 35+10"]
      }
      await standIn.end()
      try await scratch.until("it has ended") {
        try await agents(scratch) == ["\(Self.agent) finished 35+10"]
      }
      await stop(follower)
      let log = try await scratch.shell("stream-tail").output
      #expect(!log.contains("secret"))
      // The first entry may come before the registry names the process.
      let spans = try await scratch.shell(
        "stream-tail | jq -r 'select(.type == \"traceEvent\" and (.attrs[\"agentpipes.heartbeat\"] | not)) | [.name, .phase, .skillId // \"\", .attrs[\"agentpipes.status\"] // \"\", (select(.phase == \"progress\").labels.process // \"\")] | join(\" \")'"
      ).output
      #expect(
        spans == """
          invoke_agent start   \("")
          chat start   \("")
          execute_tool start Bash  \("")
          chat end   \("")
          execute_tool end Bash  \("")
          chat end   \("")
          invoke_agent progress  waiting certain
          invoke_agent progress  running certain
          invoke_agent end  finished \("")

          """)
      let usage = try await scratch.shell("agent-stat usage --by session").records
      #expect(usage.map { $0["key"] + " " + $0["calls"] } == ["\(Self.session) 2"])
    }
  }

  @Test func `the first five minutes with Claude Code`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt", "say a")
      let imported = try await scratch.shell("chat-log import --from-claude")
      #expect(imported.statuses == [0] && imported.records.count == 1)
      let follower = try follow(scratch)
      try await scratch.until("it is there") { try await agents(scratch).count == 1 }
      try await scratch.shell("gate-decide hook --setup claude --write")
      let hook = try scratch.running(
        "eval \"exec $(jq -r '.hooks.PermissionRequest[0].hooks[0].command' ../user/.claude/settings.json)\"",
        input:
          #"{"session_id":"\#(Self.session)","cwd":"/w","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}"#
      )
      let waiting = try await scratch.shell("agent-stat wait --for permission --timeout 4m")
      #expect(waiting.records.map(\.id) == [Self.agent])
      let gates = try await scratch.shell("gate-decide list").records
      #expect(gates.map { $0["agentId"] } == [Self.agent])
      try await scratch.shell("gate-decide approve \(gates.first?["gateId"] ?? "")")
      #expect(await hook.ended().output.contains(#""behavior":"allow""#))
      await stop(follower)
      await standIn.end()
    }
  }

  @Test func `who needs a person is told from who waits for a prompt`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      let other = try await StandIn(scratch, "claude", "other")
      try await standIn.run("prompt", "name shop-59", "status idle")
      try await other.run("prompt", "name shop-e8")
      let follower = try follow(scratch)
      func found(_ causes: String) async throws -> [String] {
        try await scratch.shell("agent-stat wait --for \(causes) --timeout 4m").records.map {
          "\($0["name"]) \($0.status) \($0["waitingFor"])"
        }
      }
      #expect(try await found("prompt") == ["shop-59 waiting prompt"])
      let permission = try scratch.starting(
        "agent-stat", "wait", "--for", "permission", "--for", "question", "--timeout", "280")
      // The other session's wait comes first, and does not end the wait for a permission.
      try await other.run("status idle")
      try await scratch.until("both are idle") {
        try await scratch.shell("agent-stat agents").records.filter { $0["waitingFor"] == "prompt" }
          .count == 2
      }
      #expect(try await !scratch.shell("agent-stat --text").output.contains("need you"))
      try await standIn.run("status waiting permission prompt")
      #expect(await permission.ended().records.map { $0["name"] } == ["shop-59"])
      let shown = try await scratch.shell("agent-stat --text").output
      #expect(shown.hasPrefix("need you 1 ") && shown.contains("shop-59"))
      try await standIn.run("status waiting input needed")
      #expect(try await found("question") == ["shop-59 waiting question"])
      await stop(follower)
      for one in [standIn, other] { await one.end() }
      #expect(try await !scratch.shell("stream-tail").output.contains("secret"))
    }
  }

  @Test func `a gate of a session is not lost if its agent is reported later`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt")
      let hook = try scratch.running(
        "gate-decide hook --agent claude",
        input:
          #"{"session_id":"\#(Self.session)","cwd":"/w","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}"#
      )
      #expect(
        try await scratch.shell("agent-stat wait --for permission --timeout 4m").records.count == 1)
      try await scratch.shell("agent-adopt")
      let agents = try await scratch.shell("agent-stat agents").records
      #expect(agents.map { $0.status + " " + $0["waitingFor"] } == ["waiting permission"])
      #expect(agents.map { $0["startedAt"].isEmpty } == [false])
      let gates = try await scratch.shell("gate-decide list").records
      try await scratch.shell("gate-decide approve \(gates.first?["gateId"] ?? "")")
      await hook.ended()
      #expect(try await scratch.shell("agent-stat agents").records.map(\.status) == ["running"])
      await standIn.end()
    }
  }

  @Test func `a session whose process is certain is paused, resumed and terminated`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      let other = try await StandIn(scratch, "claude", "other")
      try await standIn.run("prompt")
      try await other.run("prompt")
      let follower = try follow(scratch)
      try await scratch.until("both are there") { try await agents(scratch).count == 2 }
      try await scratch.until("it is paused") {
        try await scratch.shell("agent-control pause agent claude-3f9a --reason r --wait 4m")
          .statuses == [0]
      }
      #expect(try state(standIn.running.child.id) == "T")
      #expect(try state(other.running.child.id) != "T")
      let paused = try await scratch.shell("agent-stat agents --status paused").records
      #expect(paused.map(\.id) == [Self.agent])
      let resumed = try await scratch.shell(
        "agent-control resume agent claude-3f9a --reason r --wait 4m")
      #expect(resumed.statuses == [0] && resumed.errors.isEmpty)
      #expect(try state(standIn.running.child.id) != "T")
      let ended = try await scratch.shell(
        "agent-control terminate agent claude-3f9a --reason r --confirm TERMINATE --wait 4m")
      #expect(ended.statuses == [0])
      #expect(await standIn.running.ended().endings == [.signal(SIGTERM)])
      let status = try await scratch.shell("agent-stat agent \(Self.agent)").records("agent")
      #expect(status.map(\.status) == ["terminated"])
      #expect(try state(other.running.child.id) != "Z")
      await stop(follower)
      await other.end()
    }
  }

  @Test func `a process that took another session is left alone`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session)
      try await standIn.run("prompt")
      let follower = try follow(scratch)
      try await scratch.until("it is there") { try await agents(scratch).count == 1 }
      try await standIn.run("session another")
      let paused = try await scratch.shell(
        "agent-control pause agent claude-3f9a --reason r --wait 1m")
      #expect(paused.statuses != [0])
      #expect(try state(standIn.running.child.id) != "T")
      await stop(follower)
      await standIn.end()
    }
  }

  @Test func `a guess is shown as such and refuses signals`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "gemini", "77770000")
      try await standIn.run("prompt", "tool a", "result a", "say b")
      let follower = try follow(scratch)
      try await scratch.until("it is there") {
        try await agents(scratch) == ["gemini-77770000 running 30+10"]
      }
      let words = "its process is only a guess, from the folder and the name"
      try await scratch.until("it refuses") {
        let paused = try await scratch.shell("agent-control pause agent gemini-7777 --reason r")
        return paused.statuses == [1] && paused.errors.contains("cannot pause: \(words)")
          && paused.records("controlReceipt").map { $0["note"] } == [words]
      }
      #expect(try state(standIn.running.child.id) != "T")
      let status = try await scratch.shell("agent-adopt status gemini").records
      #expect(status.map { $0["active"] + " " + $0["certain"] } == ["1 0"])
      let labels = try await scratch.shell(
        "stream-tail | jq -r 'select(.phase == \"start\" and .name == \"invoke_agent\") | .labels.process'"
      ).output
      #expect(labels == "guess\n")
      let shown = try await scratch.shell("agent-stat agents; agent-stat agents --text")
      #expect(shown.records.map { $0["labels.process"] } == ["guess"])
      #expect(shown.output.contains(" (guess) "))
      await standIn.end()
      try await scratch.until("it has ended") {
        try await agents(scratch) == ["gemini-77770000 finished 30+10"]
      }
      await stop(follower)
    }
  }

  @Test func `the tool is no session's process, whatever its operands are`() async throws {
    try await Scratch.with { scratch in
      let now = ISO8601DateFormatter().string(from: .now)
      try scratch.write(
        "user/.claude/projects/-w/s1.jsonl",
        #"{"type":"user","sessionId":"s1","cwd":"\#(scratch.path("work"))","timestamp":"\#(now)","message":{"content":"x"}}"#
          + "\n")
      let found = try await scratch.shell("agent-adopt claude gemini")
      #expect(found.records.map { $0["labels.process"] } == ["none"])
    }
  }

  @Test func `the process of Codex is found by its lock, and never waits by itself`() async throws {
    try await Scratch.with { scratch in
      let id = "01970000-0000-7000-8000-0000000000aa"
      let standIn = try await StandIn(scratch, "codex", id)
      try await standIn.run("prompt", "tool a", "result a failed", "say b")
      let follower = try follow(scratch, "codex")
      try await scratch.until("it is there") {
        try await agents(scratch) == ["codex-\(id) running 30+10"]
      }
      try await scratch.until("it is paused") {
        try await scratch.shell("agent-control pause agent codex-0197 --reason r --wait 4m")
          .statuses == [0]
      }
      #expect(try state(standIn.running.child.id) == "T")
      try await scratch.shell("agent-control resume agent codex-0197 --reason r")
      let errors = try await scratch.shell(
        "stream-tail | jq -r 'select(.name == \"execute_tool\") | .attrs[\"error.type\"] // \"\"'"
      ).output
      #expect(errors == "\n_OTHER\n")
      await standIn.end()
      try await scratch.until("it has ended") {
        try await agents(scratch) == ["codex-\(id) finished 30+10"]
      }
      await stop(follower)
    }
  }

  @Test func `an interactive session needs fg, and thresholds leave it alone`() async throws {
    try await Scratch.with { scratch in
      let standIn = try await StandIn(scratch, "claude", Self.session, onTerminal: true)
      try await standIn.run("prompt")
      let follower = try follow(scratch, "--swarm", "s")
      try await scratch.until("it is there") { try await agents(scratch).count == 1 }
      try await scratch.shell("agent-control threshold swarmAgents s 1 --then pause")
      try await scratch.until("the threshold is refused") {
        try await scratch.shell("agent-stat audit").records.contains {
          $0["actor"] == "threshold" && $0["outcome"] == "refused"
        }
      }
      #expect(try await scratch.shell("agent-stat agents --status paused").records.isEmpty)
      let paused = try await scratch.shell(
        "agent-control pause agent claude-3f9a --reason r --wait 4m")
      #expect(paused.statuses == [0])
      #expect(
        paused.errors
          == "agent-control: '\(Self.agent)' is an interactive session: after a resume, enter 'stty -icanon -echo -isig -icrnl; fg' in its terminal\n"
      )
      try await scratch.shell("agent-control resume agent claude-3f9a --reason r --wait 4m")
      await stop(follower)
      await standIn.end()
    }
  }
}
