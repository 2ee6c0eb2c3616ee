import Foundation
import TestSupport
import Testing

/// Runs that end by a limit, fail by a fault, or wait for a usage limit.
@Suite("limits of agent-run")
struct AgentLimitTests {
  /// The ends of runs and their reasons, without what differs from run to run.
  private static let ends =
    "stream-tail | jq -c 'select(.phase == \"end\" or .level == \"error\") | {agentId, level, message, attrs}'"

  /// A command that ends by a usage limit the first time, and does its work the second time.
  private static let limited = #"""
    echo '{"type":"system","subtype":"init","session_id":"c","model":"m"}'
    [ ! -e "$1" ] || { echo '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"session_id":"d","total_cost_usd":0.25}'; exit 0; }
    touch "$1"
    echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'$(($(date +%s) + $2))'},"session_id":"c"}'
    echo '{"type":"result","subtype":"success","is_error":true,"duration_ms":1,"session_id":"c","total_cost_usd":0.5}'
    exit 1
    """#

  @Test func `a command that hangs or runs too long ends with 124`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "agent-run --agent idle --idle-timeout 0.3 -- sh -c 'echo on; exec sleep 600'")
      try await scratch.shell(
        "agent-run --agent total --total-timeout 0.3 -- sh -c 'while :; do echo on; sleep 0.05; done' | tail -1"
      )
      try await scratch.shell(
        "agent-run --agent quick --idle-timeout 1h --total-timeout 1h -- sh -c 'exit 3'")
      #expect(scratch.runs.suffix(3).map(\.statuses) == [[124], [124, 0], [3]])
      #expect(
        scratch.runs.suffix(3).map(\.errors) == [
          "agent-run: the command printed nothing for 0.3 s and was ended; read the agent's last "
            + "events, then retry\n",
          "agent-run: the command ran for 0.3 s and was ended; read the agent's last events, then "
            + "retry\n", "",
        ])
      let ends = try await scratch.shell(Self.ends).records
      let traces = ends.filter { $0["attrs.error.type"] != "" }
      #expect(traces.map { $0["attrs.error.type"] } == ["Timeout", "Timeout", "exit_3"])
      #expect(traces.prefix(2).map { $0["attrs.agentpipes.error.kind"] } == ["idle", "total"])
      #expect(traces.map { $0.number("attrs.process.exit.code") } == [124, 124, 3])
      let agents = try await scratch.shell("agent-stat agents").records
      #expect(agents.map(\.status) == ["error", "error", "error"])
    }
  }

  @Test func `a paused agent and one at a gate are not idle`() async throws {
    try await Scratch.with { scratch in
      func start(_ agent: String, _ limit: Int, _ line: String) throws -> Running {
        try scratch.starting(
          "agent-run", "--agent", agent, "--idle-timeout", "\(limit)", "--", "sh", "-c", line)
      }
      // A slow machine pauses the one and opens the gate later than a short limit allows.
      for limit in [8, 40, 200] {
        let paused = try start("p\(limit)", limit, "echo on; exec sleep 600")
        try await scratch.until("it runs") { paused.output == "on\n" || paused.child.hasEnded }
        let control = try await scratch.shell(
          "agent-control pause agent p\(limit) --reason x --wait 4m")
        let gate = try start(
          "g\(limit)", limit,
          "gate-decide ask go --agent g\(limit) >asked; echo decided; exec sleep 600")
        try await scratch.until("it asks") {
          try gate.child.hasEnded || scratch.output(of: "gate-decide list").contains("g\(limit)")
        }
        guard control.records.first?["outcome"] == "applied", !gate.child.hasEnded else { continue }
        // Another command is idle in the meantime, later than these would have been.
        try await scratch.shell("agent-run --idle-timeout \(limit + 1) -- sleep 600")
        #expect(scratch.runs.last?.statuses == [124])
        let agents = try await scratch.shell("agent-stat agents").records
        #expect(agents.filter { $0.id == "p\(limit)" }.map(\.status) == ["paused"])
        #expect(agents.filter { $0.id == "g\(limit)" }.map(\.status) == ["waiting"])
        try await scratch.shell("gate-decide approve $(gate-decide list | jq -r .gateId)")
        try await scratch.shell("agent-control resume agent p\(limit) --reason x --wait 4m")
        #expect(await gate.ended().endings == [.exit(124)] && gate.output == "decided\n")
        #expect(await paused.ended().endings == [.exit(124)])
        return
      }
      Issue.record("neither was in time")
    }
  }

  @Test func `--fail-on turns refused and failed calls into status 1`() async throws {
    try await Scratch.with { scratch in
      let lines = """
        {"type":"system","subtype":"init","session_id":"c","model":"m"}
        {"type":"user","session_id":"c","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"x"}]}}
        {"type":"result","subtype":"success","is_error":false,"duration_ms":1,"session_id":"c","permission_denials":[{"tool_use_id":"u"},{"tool_use_id":"v"}]}

        """
      let cases = [
        ("", 0, ""), ("--fail-on denials", 1, "2 permissions were refused"),
        ("--fail-on tool-errors", 1, "a tool call failed"),
        (
          "--fail-on tool-errors,denials", 1, "2 permissions were refused and a tool call failed"
        ),
      ]
      for (options, status, words) in cases {
        let run = try await scratch.shell("agent-run \(options) -- cat", input: lines)
        #expect(run.statuses == [Int32(status)] && run.output == lines)
        let sentence =
          "agent-run: the command ended with status 0, but \(words); read the tool's output\n"
        #expect(run.errors == (words.isEmpty ? "" : sentence))
      }
      let own = try await scratch.shell(
        "agent-run --fail-on denials -- sh -c 'cat; exit 3'", input: lines)
      #expect(own.statuses == [3] && own.errors == "")
      for wrong in ["denial", "", "denials,"] {
        #expect(try await scratch.shell("agent-run --fail-on '\(wrong)' true").statuses == [64])
      }
      let kinds = try await scratch.shell(Self.ends).records
        .map { $0["attrs.agentpipes.error.kind"] }.filter { !$0.isEmpty }
      #expect(kinds == ["denials", "toolErrors", "denials"])
    }
  }

  @Test func `after a usage limit the command runs once more, as one agent`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/limited.sh", Self.limited)
      let run = try await scratch.shell(
        "agent-run --agent l --again-after-limit 1h -- sh limited.sh mark 2")
      #expect(run.statuses == [0])
      #expect(
        run.errors.hasPrefix("agent-run: a usage limit ended the command, which runs again at "))
      let events = try await scratch.shell("stream-tail --agent l --type traceEvent").records
        .filter { $0["name"] == "invoke_agent" }
      #expect(
        events.map { $0["phase"] + " " + $0["attrs.agentpipes.status"] } == [
          "start ", "progress running", "progress waiting", "progress running",
          "progress running", "end finished",
        ])
      #expect(!events[2]["attrs.agentpipes.waiting_until"].isEmpty)
      let agent = try #require(try await scratch.shell("agent-stat agents").records.first)
      #expect(agent.status == "finished" && agent.number("costUSD") == 0.75)
      #expect(agent["waitingUntil"] == "")
      let again = try await scratch.shell(
        "agent-run --again-after-limit 1s -- sh limited.sh far 600; agent-run -- sh limited.sh no 1"
      )
      #expect(again.statuses == [1])
      #expect(again.errors.hasSuffix(", which is too late to run again\n"))
    }
  }

  @Test func `the wait for a limit is shown, paused and cancelled`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/limited.sh", Self.limited)
      func waiting(_ agent: String) throws -> Running {
        try scratch.starting(
          "agent-run", "--agent", agent, "--again-after-limit", "1h", "--", "sh", "limited.sh",
          agent, "3000")
      }
      let one = try waiting("one")
      let shown = try await scratch.shell(
        "agent-stat wait --agent one --for limit --timeout 4m")
      #expect(shown.records.map { $0["waitingUntil"].count } == [24])
      #expect(shown.records.map { $0["waitingFor"] } == ["limit"])
      for (verb, status) in [("pause", "paused"), ("resume", "waiting")] {
        let control = try await scratch.shell(
          "agent-control \(verb) agent one --reason x --wait 4m")
        #expect(control.records.map { $0["outcome"] } == ["applied"])
        #expect(try await scratch.shell("agent-stat agents").records.map(\.status) == [status])
      }
      let ended = try await scratch.shell(
        "agent-control terminate agent one --reason x --confirm TERMINATE --wait 4m")
      #expect(ended.records.map { $0["outcome"] } == ["applied"])
      #expect(await one.ended().endings == [.signal(SIGTERM)])
      let two = try waiting("two")
      try await scratch.shell("agent-stat wait --agent two --status waiting --timeout 4m")
      two.child.signal(SIGINT)
      #expect(await two.ended().endings == [.signal(SIGINT)])
      let agents = try await scratch.shell("agent-stat agents").records
      #expect(agents.map(\.status) == ["terminated", "terminated"])
    }
  }
}
