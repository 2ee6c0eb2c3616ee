import Foundation
import TestSupport
import Testing

/// Agents watched and steered from other shells.
@Suite("steering")
struct SteeringTests {
  @Test func `several incidents are closed at once, and opened again`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent a -- sh -c 'echo ERROR one; echo ERROR two'")
      let ids = "$(agent-stat incidents --all | jq -r .id | sort)"
      for (verb, status) in [("close", "closed"), ("reopen", "open")] {
        let run = try await scratch.shell("agent-control \(verb) incident \(ids)")
        #expect(run.records("incident").map(\.status) == [status, status])
        #expect(run.statuses == [0])
      }
      let some = try await scratch.shell("agent-control close incident none \(ids)")
      #expect(some.records.map { $0["type"] } == ["error", "incident", "incident"])
      #expect(some.statuses == [66])
      let named = try await scratch.shell("agent-control close incident a b --request-id r")
      #expect(named.statuses == [64])
    }
  }

  @Test func `from the demo's alert to a paused agent, and to the end of the swarm`() async throws {
    try await Scratch.with { scratch in
      let demo = try scratch.running(
        ["\(Places.tests)/../scripts/demo", "--rate", "500", "--lines", "1000000"], "demo")
      let alerts = try scratch.starting("stream-tail", "--follow", "--type", "alert")
      try await scratch.until("the incident is told") { alerts.output.contains("cannot parse") }
      let alert = try #require(
        Record.all(in: alerts.output).first { $0["kind"] == "incident" })
      let agent = alert["agentId"]
      #expect(agent == "linter" && alert["severity"] == "error")
      let shown = try await scratch.shell("agent-stat incident \(alert["incidentId"])")
      #expect(shown.records.first?["status"] == "open" && shown.records.count > 2)

      let command = try #require(Self.processes(scratch, running: "bash -c lint").first)
      let paused = try await scratch.shell(
        "agent-control pause agent \(agent) --reason 'too red' --wait 4m")
      #expect(paused.records.map { $0["outcome"] } == ["applied"] && paused.statuses == [0])
      #expect(Self.state(command) == "T")
      let standing = try await scratch.shell("agent-stat agents --status paused")
      #expect(standing.records.map(\.id) == ["linter"])

      let resumed = try await scratch.shell(
        "agent-control resume agent linter --reason 'seen' --wait 4m")
      #expect(resumed.records.map { $0["outcome"] } == ["applied"])
      #expect(Self.state(command) != "T")
      try await scratch.shell("gate-decide approve $(gate-decide list | jq -r .gateId)")
      try await scratch.until("it is deployed") {
        let events = try Self.said(by: "deployer", scratch)
        return events.contains("deployed")
      }
      try await scratch.until("the review is done") {
        Record.all(in: try Self.output(of: "agent-stat agents --status finished", scratch))
          .map(\.id).contains("reviewer")
      }
      let ended = try await scratch.shell(
        "agent-control terminate swarm demo --reason 'enough' --confirm TERMINATE --wait 4m")
      #expect(ended.records.map { $0["outcome"] } == ["applied"])
      await demo.ended()
      #expect(Self.processes(scratch, running: "bash -c").isEmpty)
      let last = try await scratch.shell("agent-stat agents | jq -r '.id + \" \" + .status' | sort")
      #expect(last.output == "deployer finished\nlinter terminated\nreviewer finished\n")
      let audit = try await scratch.shell("agent-stat audit | jq -r '.action + \" \" + .outcome'")
      #expect(
        audit.output.split(separator: "\n") == [
          "pause accepted", "pause applied", "resume accepted", "resume applied",
          "approve approved", "terminate accepted", "terminate applied",
        ])
    }
  }

  @Test func `a run holds before its next call, goes on, and ends in the middle of one`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"holdFile":"\#(scratch.path("one"))"},{"holdFile":"\#(scratch.path("two"))"}]"#)
      let run = try scratch.starting("stage-run", "--yolo", "--json", input: Plan.three)
      try await scratch.until("the first is asked") { server.requests.count == 1 }
      try await scratch.shell(
        "agent-control pause swarm \(Plan.pipeline) --reason 'wait' --wait 4m")
      try scratch.write("one", "")
      try await scratch.until("the first is done") { run.output.contains(#""status":"approved""#) }
      let standing = try await scratch.shell(
        "agent-stat swarm \(Plan.pipeline) | jq -c '[.type, .status]'")
      #expect(standing.output.hasPrefix(#"["swarm","paused"]"#))
      #expect(server.requests.count == 1)
      try await scratch.shell("agent-control resume swarm \(Plan.pipeline) --reason 'go' --wait 4m")
      try await scratch.until("the second is asked") { server.requests.count == 2 }
      try await scratch.shell(
        "agent-control terminate agent \(Plan.id(1)) --reason 'enough' --confirm TERMINATE --wait 4m"
      )
      await run.ended()
      try await scratch.shell("stage-run --show \(Plan.pipeline) | jq -c '[.type, .status]'")
      try await scratch.shell("stage-run --resume; stage-run --resume \(Plan.pipeline) --text")
      try await scratch.shell("stage-run", input: Plan.three)
      try await scratch.shell("agent-stat agents | jq -c '[.id, .status]'")
      try await scratch.shell(
        "agent-control pause swarm \(Plan.pipeline) --reason 'too late' | jq -r .outcome,.code")
      #expect(server.requests.count == 2)
      try scratch.expectGolden("agent-control/run")
    }
  }

  @Test func `a killed agent is lost, is told of, and cannot be steered`() async throws {
    try await Scratch.with { scratch in
      let agent = try scratch.starting(
        "agent-run", "--agent", "a", "--heartbeat", "8s", "--", "sleep", "1000")
      try await scratch.until("it runs") {
        try Self.output(of: "agent-stat agents", scratch).contains(#""status":"running""#)
      }
      // The start is in the log before the command is there.
      try await scratch.until("its command is there") {
        !Self.processes(scratch, running: "sleep 1000").isEmpty
      }
      let command = try #require(Self.processes(scratch, running: "sleep 1000").first)
      let other = try await scratch.shell("agent-run --agent a -- true")
      #expect(other.statuses == [1])
      agent.child.signal(SIGKILL)
      try await scratch.until("it is lost") {
        try Self.output(of: "agent-stat agents", scratch).contains(#""status":"lost""#)
      }
      try await scratch.until("its command is ended") { Self.state(command) == nil }
      let alerts = try await scratch.shell("stream-tail --type alert | jq -r .summary")
      #expect(alerts.output == "no more events from 'a'\n")
      let control = try await scratch.shell("agent-control pause agent a --reason x")
      #expect(
        control.records.map { $0["outcome"] + $0["code"] } == ["unreachable", "AgentUnreachable"])
      #expect(control.statuses == [69])
      let after = try await scratch.shell("agent-stat agents | jq -r .status")
      #expect(after.output == "lost\n")
    }
  }

  @Test func `of many who steer and decide at once each request acts once`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("home/config/config.toml", "[limits]\ncontrols_per_minute = 1000\n")
      _ = try scratch.starting("agent-run", "--agent", "a", "--", "sleep", "1000")
      let askers = try (0..<4).map { try scratch.starting("gate-decide", "ask", "Gate \($0)?") }
      var gates: [String] = []
      try await scratch.until("all wait") {
        gates = Record.all(in: try Self.output(of: "gate-decide list", scratch))
          .map { $0["gateId"] }
        let agents = try Self.output(of: "agent-stat agents", scratch)
        return gates.count == 4 && agents.contains("running")
      }
      // Sixteen requests, each made four times at once.
      let requests = (0..<16).map { number -> [String] in
        number % 2 == 0
          ? ["agent-control", number % 4 == 0 ? "pause" : "resume", "agent", "a", "--reason", "r"]
          : ["gate-decide", "approve", gates[number / 2 % 4]]
      }
      let all = try (0..<64).map { number in
        let words = requests[number % 16] + ["--request-id", "request-\(number % 16)"]
        return try scratch.running(
          ["\(Places.tools)/\(words[0])"] + words.dropFirst(), words.joined(separator: " "))
      }
      for one in all { await one.ended() }
      for asker in askers { #expect(await asker.ended().statuses == [0]) }
      try await scratch.until("all are answered") {
        let outcomes = Record.all(in: try Self.output(of: "agent-stat audit", scratch))
          .filter { $0["target"] == "agent" && $0["outcome"] == "applied" && $0["replayed"] == "0" }
        return outcomes.count == 8
      }
      let audit = try await scratch.shell("agent-stat audit")
      let entries = Dictionary(grouping: audit.records) { $0["requestId"] }
      #expect(entries.count == 16)
      for (number, request) in requests.enumerated() {
        let mine = entries["request-\(number)"] ?? []
        let fresh = mine.filter { $0["replayed"] == "0" }.map { $0["outcome"] }
        #expect(mine.count - fresh.count == 3)
        if request[0] == "agent-control" {
          #expect(fresh == ["accepted", "applied"])
        } else {
          #expect(fresh == ["approved"] || fresh == ["Conflict"])
        }
      }
      let winners = audit.records.filter { $0["outcome"] == "approved" && $0["replayed"] == "0" }
      #expect(winners.map(\.id).sorted() == gates.sorted())
      let told = try await scratch.shell("stream-tail --type control | jq -r .requestId | sort")
      #expect(
        told.output.split(separator: "\n").count == 8
          && Set(told.output.split(separator: "\n")).count == 8)
    }
  }

  @Test func `what cannot be done is refused, and kept in the audit`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/config.toml",
        "confirm_command = [\"false\"]\n")
      for line in [
        "agent-control pause agent nobody --reason x", "agent-control pause agent nobody",
        "agent-control pause gate g --reason x", "agent-control pause agent a --reason ' '",
        "agent-control terminate agent nobody --reason x --confirm terminate",
        "agent-control terminate agent nobody --reason x --confirm TERMINATE",
        "agent-control terminate agent nobody --reason x </dev/null",
        "agent-control threshold contextCapacity all 2",
        "agent-control threshold unheardOf all 2",
        "agent-control threshold contextCapacity all 0.5 --request-id t",
        "agent-control threshold contextCapacity all 0.5 --request-id t",
        "agent-control threshold contextCapacity all 0.6 --request-id t",
        "agent-control close incident 1234", "agent-control resume swarm s --reason x",
        "agent-stat agent nobody", "agent-stat swarm nobody", "agent-stat skill nothing",
        "agent-stat incident 1234", "agent-stat agents --status odd", "agent-stat audit",
        "agent-stat thresholds --text",
        #"agent-stat audit --last 2 --text | sed "s/  $(id -un)  /  WHO  /""#,
      ] {
        try await scratch.shell(line)
      }
      try scratch.expectGolden("agent-control/refused")
      try scratch.write("home/config/config.toml", "[limits]\nterminations_per_minute = 4\n")
      let late = try await scratch.shell(
        "for n in 1 2 3 4 5; do agent-control terminate agent nobody --reason x --confirm TERMINATE; done"
      )
      #expect(late.records.first?["code"] == "NotFound")
      #expect(late.records.last?["code"] == "RateLimited" && late.statuses == [75])
    }
  }

  @Test func `a gate that a script opens is decided, or ends with the script`() async throws {
    try await Scratch.with { scratch in
      let gate = "$(gate-decide list | jq -r .gateId)"
      func asking() async throws -> Running {
        let asker = try scratch.starting(
          "gate-decide", "ask", "Deploy?", "--why", "a fix", "--risk", "high", "--swarm", "s",
          "--agent", "a")
        try await scratch.until("it waits") { asker.output.contains("pending") }
        return asker
      }
      let first = try await asking()
      try await scratch.shell("agent-stat | jq -c '[.pendingGates[].summary]'")
      try await scratch.shell("gate-decide approve \(gate) --reason 'looks good' >approved")
      await first.ended()
      let second = try await asking()
      try await scratch.shell("gate-decide reject \(gate) --reason 'not today, please' >rejected")
      await second.ended()
      let third = try await asking()
      third.child.signal(SIGTERM)
      await third.ended()
      try await scratch.shell("gate-decide ask 'Now?' --timeout 0.1s --text")
      try await scratch.shell("gate-decide ask ' '")
      try await scratch.shell("gate-decide list --all | jq -c '[.summary, .status, .revision]'")
      try await scratch.shell(
        "stream-tail --type approvalGate | jq -c '[.summary, .status, .swarmId]'")
      try await scratch.shell("agent-stat agents | jq -c '[.id, .status]'")
      try scratch.expectGolden("gate-decide/ask")
    }
  }

  @Test func `how agents stand is shown for people and as records`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "agent-run --swarm s --agent a --task Lint -- sh -c 'echo fine; echo \"ERROR no disk\"'")
      try await scratch.shell("agent-run --swarm s --agent b -- sh -c 'exit 3'")
      let shown = "jq -c 'del(.history, .throughput, .errorRate, .createdAt, .updatedAt, .id)'"
      try await scratch.shell("agent-stat swarms | \(shown)")
      try await scratch.shell("agent-stat agents | jq -c '[.id, .status, .taskSummary, .errors]'")
      try await scratch.shell("agent-stat agents --swarm none; agent-stat swarms --status paused")
      try await scratch.shell("agent-stat incidents | \(shown)")
      try await scratch.shell(
        "agent-stat agent a --events 2 | jq -c '[.type, .status, .message, .phase]'")
      try await scratch.shell("agent-stat agent a --text")
      try await scratch.shell("agent-stat overview | jq -c '.summaryCards'")
      try await scratch.shell(
        "agent-control close incident $(agent-stat incidents | jq -r .id | head -n 1) | \(shown)")
      try await scratch.shell("agent-stat incidents | wc -l; agent-stat incidents --all | wc -l")
      try await scratch.shell("agent-stat agents --limit 1 | jq -r .id")
      try scratch.expectGolden("agent-stat/shown")
      let watching = try scratch.starting("agent-stat", "agents", "--watch")
      try await scratch.until("it is shown") { watching.output.contains(#""id":"b""#) }
      try await scratch.shell("agent-run --swarm s --agent c -- true")
      try await scratch.until("what is new is shown") { watching.output.contains(#""id":"c""#) }
      watching.child.signal(SIGTERM)
      let run = await watching.ended()
      #expect(run.endings == [.signal(SIGTERM)])
      #expect(run.records.count { $0.id == "a" } == 1)
    }
  }

  @Test func `tmux sessions are listed with the agents that work in them`() async throws {
    try await Scratch.with { scratch in
      // A server of the test's own.
      try scratch.write("user/tmux/.keep", "")
      scratch.set("TMUX_TMPDIR", scratch.path("user/tmux"))
      scratch.set("TERM", "xterm")
      let none = try await scratch.shell("agent-stat terminals")
      #expect(none.output == "" && none.statuses == [0])
      try await scratch.shell(
        "tmux -f /dev/null new-session -d -s 'odd  name é' -x 90 -y 30 'agent-run --swarm s --agent a -- sleep 1000'"
      )
      try await scratch.shell("tmux new-session -d -s other -x 80 -y 24 'sleep 1000'")
      try await scratch.until("the agent runs") {
        try Self.output(of: "agent-stat agents", scratch).contains("running")
      }
      let listed = try await scratch.shell("agent-stat terminals")
      let shown = listed.records("terminalSession").map { record in
        ["id", "name", "windows", "attached", "width", "height", "agentId", "swarmId", "status"]
          .map { record[$0] }.joined(separator: "|")
      }
      #expect(shown == ["$0|odd  name é|1|0|90|30|a|s|running", "$1|other|1|0|80|24|||"])
      #expect(listed.records.allSatisfy { $0["path"] == scratch.path("work") })
      try await scratch.shell("tmux kill-server")
      scratch.set("PATH", Places.tools)
      let missing = try await scratch.starting("agent-stat", "terminals").ended()
      #expect(missing.records.map { $0["code"] } == ["TmuxNotFound"])
      #expect(missing.statuses == [69])
    }
  }

  @Test func `hostile text is shown harmless, and each record is one line`() async throws {
    try await Scratch.with { scratch in
      let nasty = "\\033]52;c;aGk=\\007\\033[2J\\342\\200\\256evil\\000\\r\\302\\233x"
      try await scratch.shell(
        "agent-run --swarm \"$(printf '\(nasty)' | tr -d '\\000')\" --agent \"$(printf 'a\\033[1m')\" --task \"$(printf 't\\033[2J')\" -- sh -c 'printf \"ERROR \(nasty)\\n\" >&2; head -c 1000000 /dev/zero | tr \"\\\\0\" x; echo' >/dev/null 2>&1"
      )
      for line in [
        "stream-tail", "agent-stat", "agent-stat agents", "agent-stat swarms",
        "agent-stat incidents",
      ] {
        let records = try await scratch.shell(line)
        let lines = records.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(records.records.count == lines.count - 1 && lines.count > 1, "\(line)")
        let text = try await scratch.shell("\(line) --text")
        #expect(text.statuses == [0])
        let scalars = text.output.unicodeScalars.filter {
          $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
        }
        #expect(scalars.isEmpty, "\(line)")
      }
    }
  }

  // MARK: Processes

  /// The processes of a place whose command line begins so.
  private static func processes(_ scratch: Scratch, running command: String) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      let line = String(decoding: words.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
      let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
      return line.hasPrefix(command)
        && String(decoding: environment, as: UTF8.self).contains(scratch.path("home"))
    }
  }

  /// The state of a process as proc(5) has it; nil for none.
  private static func state(_ process: pid_t) -> String? {
    guard let line = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
      return nil
    }
    let text = String(decoding: line, as: UTF8.self)
    let state = text.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    return state == "Z" ? nil : state
  }

  /// What a tool writes, without a place in the transcript.
  private static func output(of line: String, _ scratch: Scratch) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    let process = Process()
    process.executableURL = URL(filePath: "\(Places.tools)/\(words[0])")
    process.arguments = Array(words.dropFirst())
    process.environment = scratch.environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func said(by agent: String, _ scratch: Scratch) throws -> [String] {
    Record.all(in: try output(of: "stream-tail --type log --agent \(agent)", scratch))
      .map { $0["message"] }
  }

  @Test func `a control that names a session goes to its agent`() async throws {
    try await Scratch.withHub { scratch, _ in
      try scratch.write(
        "work/events",
        #"{"agentId":"writer","attrs":{"gen_ai.operation.name":"chat","gen_ai.usage.input_tokens":1200,"gen_ai.usage.output_tokens":30},"name":"chat","phase":"end","sessionId":"chat-17","spanId":"00000000000000a1","srcId":"s3","traceId":"000000000000000000000000000000a1","ts":\#(Int(Date().timeIntervalSince1970 * 1000)),"type":"traceEvent"}"#
          + "\n")
      try await scratch.shell("curl -s -H \"$AUTH\" --data-binary @events $HUB/v1/events")
      for hub in ["", "--hub $HUB "] {
        let run = try await scratch.shell(
          "agent-control pause \(hub)session chat-1 --reason 'too full' | jq -c 'select(.outcome) | [.target, .id]'"
        )
        #expect(run.output == "[\"agent\",\"writer\"]\n", "\(run.errors)")
        let other = try await scratch.shell("agent-control pause \(hub)session none --reason x")
        #expect(other.statuses == [66] && other.errors.contains("there is no session 'none'"))
      }
    }
  }
}
