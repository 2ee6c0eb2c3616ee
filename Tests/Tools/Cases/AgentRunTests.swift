import Core
import Foundation
import TestSupport
import Testing

@Suite("agent-run")
struct AgentRunTests {
  /// The events of the log but its alerts, without what differs from run to run.
  private static let events =
    "stream-tail --type log --type traceEvent | "
    + "jq -c 'del(.id, .ts, .sessionId, .traceId, .spanId, .parentSpanId)'"

  @Test func `the streams and the status are the command's`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run -- true")
      try await scratch.shell("agent-run -- sh -c 'echo out; printf partial; exit 3'")
      try await scratch.shell("agent-run -- sh -c 'echo wrong >&2; exit 1'")
      try await scratch.shell("agent-run -- sh -c 'read -r line; echo \"$line\"'", input: "typed\n")
      try await scratch.shell(
        "agent-run -- printf '%s|' 'a b' '' -- --text \"$(printf '\\377')\" | od -c")
      try await scratch.shell("agent-run -- no-such-command")
      try await scratch.shell("agent-run -- ./no-such-command")
      try await scratch.shell("agent-run -- /etc/passwd")
      try await scratch.starting("agent-run", "--", "sh", "-c", "kill -s USR1 $$").ended()
      try scratch.expectGolden("agent-run/statuses")
    }
  }

  @Test func `a crash in colours is one incident, and passes through as it is`() async throws {
    try await Scratch.with { scratch in
      let crash = #"""
        \033[1mTraceback (most recent call last):\033[0m\n  File "x"\n\033[31mValueError: x\033[0m\n
        """#
      let run = try await scratch.shell(
        "agent-run --swarm s --agent a -- sh -c 'printf \"$0\"; exit 1' '\(crash)'")
      #expect(run.output.contains("\u{1B}[31mValueError: x\u{1B}[0m\n"))
      let incidents = try await scratch.shell("agent-stat incidents").records
      #expect(incidents.map { $0["summary"] } == ["ValueError: x"])
      let alerts = try await scratch.shell("stream-tail --type alert").records
      #expect(alerts.map { $0["summary"] } == ["ValueError: x"])
    }
  }

  @Test func `wrong options write nothing to the command's output`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run")
      try await scratch.shell("agent-run true")
      try await scratch.shell("agent-run --heartbeat 0 -- true")
      try await scratch.shell("agent-run --agent '' -- true")
      try scratch.expectGolden("agent-run/options")
    }
  }

  @Test func `events tell the beginning, the lines and the end`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "agent-run --swarm review --agent linter -- sh -c 'echo one; echo; echo \"WARN two\"'")
      try await scratch.shell(
        "agent-run --swarm review --agent linter --task Lint --heartbeat 1m -- sh -c 'echo \"error: no disk\" >&2; exit 4' secret-argument"
      )
      try await scratch.starting(
        "agent-run", "--agent", "other", "--", "sh", "-c", "kill -s ABRT $$"
      ).ended()
      try await scratch.shell("agent-run --agent gone -- no-such-command")
      try await scratch.shell(Self.events)
      try scratch.expectGolden("agent-run/events")
      let all = try await scratch.shell("stream-tail --swarm review --type log --type traceEvent")
      #expect(Set(all.records.map { $0["sessionId"] }).count == 2)
      let spans = all.records("traceEvent")
      #expect(spans.map { $0["phase"] } == ["start", "end", "start", "end"])
      #expect(Set(spans.map { $0["spanId"] }).count == 2)
      #expect(spans.allSatisfy { $0["spanId"].count == 16 && $0["traceId"].count == 32 })
    }
  }

  @Test func `a command that dies is told with its last lines, each agent by itself`() async throws
  {
    try await Scratch.with { scratch in
      let command = "sh -c 'echo a; echo b; echo; echo c; echo no disk; exit 3'"
      for agent in ["one", "two"] {
        try await scratch.shell("agent-run --swarm s --agent \(agent) -- \(command)")
      }
      try await scratch.shell("agent-run --swarm s --agent fine -- true")
      let incidents = try await scratch.shell("agent-stat incidents").records
      #expect(Set(incidents.map { $0["agentId"] }) == ["one", "two"])
      let alerts = try await scratch.shell("stream-tail --type alert").records
      #expect(alerts.map { $0["agentId"] } == ["one", "two"])
      for alert in alerts {
        #expect(alert["severity"] == "error")
        #expect(alert["summary"] == "the command ended with status 3: b / c / no disk")
      }
    }
  }

  @Test func `the configuration says how much a context holds, and holds nobody up`() async throws {
    try await Scratch.with { scratch in
      let lines = """
        {"type":"system","subtype":"init","session_id":"c","model":"mine"}
        {"type":"assistant","session_id":"c","message":{"id":"m","model":"mine","content":[],\
        "usage":{"input_tokens":900,"output_tokens":5}}}

        """
      try scratch.write("home/config/config.toml", "[models.mine]\ncontextTokens = 1000\n")
      try await scratch.shell("agent-run --agent a -- cat", input: lines)
      let context = try #require(try await scratch.shell("agent-stat context").records.first)
      #expect(context.number("maxTokens") == 1000 && context.number("tokenUsage") == 905)
      try scratch.write("home/config/config.toml", "[models.mine]\ncontextTokens = -1\n")
      let run = try await scratch.shell("agent-run --agent a -- echo done")
      #expect(run.output == "done\n" && run.statuses == [0])
      #expect(
        run.errors == "agent-run: continuing without the configuration: "
          + "'models.mine.contextTokens' is negative\n")
    }
  }

  @Test func `bytes pass through whole, whatever they are`() async throws {
    try await Scratch.with { scratch in
      var random = SystemRandomNumberGenerator()
      let bytes = (0..<(1 << 20) / 8).flatMap { _ in
        withUnsafeBytes(of: random.next()) { Array($0) }
      }
      try Data(bytes).write(to: URL(filePath: scratch.path("given/bytes")))
      let run = try await scratch.shell(
        """
        agent-run -- cat <../given/bytes >out && cmp out ../given/bytes && \
        agent-run -- sh -c 'cat >&2' <../given/bytes 2>err && cmp err ../given/bytes && \
        seq -f %01023g 10240 >many && agent-run -- cat many | cmp - many
        """)
      #expect(run.statuses == [0, 0])
      #expect(run.output == "")
      #expect(run.errors == "")
    }
  }

  @Test func `hostile lines are one record each`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/hostile.sh",
        #"""
        # What comes faster than it is told is dropped, on a busy machine.
        told() { [ -z "$wait" ] || until [ "$(stream-tail --type log | wc -l)" -ge "$1" ]; do :; done; }
        wait=$1
        printf 'nul \0 escape \033[31m \033]52;c;aGk=\007 end\n'
        printf 'not \377\376 UTF-8\n'
        told 2
        head -c 1000000 /dev/zero | tr '\0' x; echo
        told 3
        printf 'bidi \342\200\256 end\r\n'
        printf 'no line feed'
        """#)
      let run = try await scratch.shell(
        "sh hostile.sh >plain; agent-run --agent h -- sh hostile.sh wait | cmp - plain")
      #expect(run.statuses == [0, 0] && run.output == "")
      let logs = try await scratch.shell("stream-tail --type log").records("log")
      #expect(
        logs.map { $0["message"] } == [
          "nul \0 escape   end", "not \u{FFFD}\u{FFFD} UTF-8",
          String(repeating: "x", count: 65_536) + "… [cut: 1000000 bytes]",
          "bidi \u{202E} end", "no line feed",
        ])
      let shown = try await scratch.shell("stream-tail --type log --text").output
      #expect(shown.split(separator: "\n").count == 5)
      #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    }
  }

  @Test func `a reader that goes away ends the command as without us`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("agent-run --agent y -- yes | head -1")
      #expect(run.statuses == [141, 0])
      #expect(run.output == "y\n" && run.errors == "")
      let end = try await scratch.shell("stream-tail --type traceEvent --last 1").records.last
      #expect(end?["attrs.agentpipes.status"] == "finished")
      #expect(end?["attrs.agentpipes.exit.signal"] == "SIGPIPE")
    }
  }

  @Test func `a background process does not hold up the end`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("agent-run -- sh -c 'sleep 600 & echo $!' | cat")
      #expect(run.statuses == [0, 0])
      let sleeper = try #require(pid_t(run.output.dropLast()))
      // It is left alone: only a command that is terminated takes its group with it.
      #expect(kill(sleeper, SIGKILL) == 0)
    }
  }

  @Test func `a full disk is no success`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("agent-run -- sh -c 'echo text; exit 0' >/dev/full")
      #expect(run.statuses == [74])
      #expect(
        run.errors
          == "agent-run: cannot write the command's output: No space left on device; "
          + "check free space and the path\n")
    }
  }

  @Test func `an agent runs once at a time`() async throws {
    try await Scratch.with { scratch in
      let first = try scratch.starting(
        "agent-run", "--agent", "linter", "--", "sh", "-c", "echo on; cat", input: nil)
      try await scratch.until("it runs") { first.output == "on\n" }
      let second = try await scratch.shell("agent-run --agent linter -- echo no")
      #expect(second.statuses == [1] && second.output == "")
      #expect(
        second.errors == "agent-run: agent 'linter' is already running; check the current state\n")
      #expect(await first.ended().endings == [.exit(0)])
      try await scratch.shell("agent-run --agent linter -- true")
      #expect(scratch.runs.last?.statuses == [0])
    }
  }

  @Test func `a log that cannot be written holds up nothing`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("home/data/events.db", "no database")
      let run = try await scratch.shell("agent-run -- sh -c 'echo out; exit 3'")
      #expect(run.statuses == [3] && run.output == "out\n")
      #expect(
        run.errors.split(separator: "\n").filter { $0.contains("cannot store events") }.count == 1)
    }
  }

  @Test func `no event holds a secret of the command line or the environment`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "agent-run -- sh -c 'echo \"$TAVILY_API_KEY\"; echo \"error: $1\" >&2' x \"$TAVILY_API_KEY\" >/dev/null 2>&1"
      )
      let logs = try await scratch.shell("stream-tail --type log").records("log")
      #expect(Set(logs.map { $0["message"] }) == ["[redacted]", "error: [redacted]"])
    }
  }

  @Test func `the command's arguments are never told`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent a -- sh -c 'exit 3' argument-of-the-command")
      try await scratch.shell("agent-run --agent b -- ./none argument-of-the-command")
      try await scratch.shell("stream-tail; agent-stat agents; agent-stat audit")
      #expect(scratch.runs.suffix(1).allSatisfy { !$0.output.contains("of-the-command") })
      let kept = try await scratch.shell("grep -rl argument-of-the-command ../home")
      #expect(kept.output == "" && kept.statuses == [1])
    }
  }

  @Test func `a gate in the output can be decided`() async throws {
    try await Scratch.with { scratch in
      let line =
        #"{"type":"approvalGate","gateId":"deploy-1","status":"pending","summary":"Deploy?","context":{"why":"tests pass"}}"#
      try scratch.write("work/gate", line + "\n")
      try await scratch.shell("agent-run --swarm s --agent a -- cat gate")
      try await scratch.shell("agent-run --agent b -- cat gate")
      let gates = try await scratch.shell("gate-decide list").records
      #expect(Set(gates.map { $0["agentId"] }) == ["a", "b"])
      #expect(gates.filter { $0["gateId"] == "deploy-1" }.count == 1)
      #expect(gates.allSatisfy { $0["summary"] == "Deploy?" && $0["context.why"] == "tests pass" })
      let told = try await scratch.shell("stream-tail --type approvalGate").records
      #expect(Set(told.map { $0["gateId"] }) == Set(gates.map { $0["gateId"] }))
      let decided = try await scratch.shell("gate-decide approve deploy-1")
      #expect(decided.records("decisionReceipt").map(\.status) == ["approved"])
    }
  }

  @Test(arguments: ["", "--agent a"])
  func `a question that the command asks is one gate, which ends with the command`(
    _ option: String
  ) async throws {
    try await Scratch.with { scratch in
      let line = "exec agent-run --agent a --swarm s -- gate-decide ask 'Deploy?' \(option)"
      func ask() async throws -> (run: Running, id: String) {
        let run = try scratch.running(line)
        try await scratch.until("the agent waits") {
          let states = "gate-decide list | jq -r .swarmId; agent-stat agents | jq -r .status"
          return try scratch.output(of: states) == "s\nwaiting\n"
        }
        let gates = try await scratch.shell("gate-decide list").records
        #expect(gates.map { [$0["agentId"], $0["swarmId"]] } == [["a", "s"]])
        return (run, gates.first?["gateId"] ?? "")
      }
      let first = try await ask()
      try await scratch.shell("gate-decide approve \(first.id)")
      #expect(await first.run.ended().statuses == [0])
      let second = try await ask()
      second.run.child.signal(SIGINT)
      _ = await second.run.ended()
      let gates = try await scratch.shell("gate-decide list --all | jq -r .status | sort")
      #expect(gates.output == "approved\nexpired\n")
      let swarms = try await scratch.shell("agent-stat swarms").records("swarm")
      #expect(swarms.map(\.status) == ["terminated"])
    }
  }
}
