import Foundation
import TestSupport
import Testing

/// The tools that ask a hub in place of their own machine.
@Suite("asking a hub")
struct HubClientTests {
  /// Long ago, so that nothing of it changes while a test asks twice.
  private static let events =
    [
      #"{"agentId":"linter","level":"info","message":"reads","srcId":"s1","swarmId":"nightly","ts":1735300001000,"type":"log"}"#,
      #"{"agentId":"linter","level":"error","message":"cannot parse","srcId":"s2","swarmId":"nightly","ts":1735300002000,"type":"log"}"#,
      #"{"agentId":"writer","attrs":{"gen_ai.conversation.id":"c1","gen_ai.operation.name":"chat","gen_ai.request.model":"opus","gen_ai.usage.input_tokens":1200,"gen_ai.usage.output_tokens":30},"name":"chat","phase":"end","spanId":"00000000000000a1","srcId":"s3","swarmId":"nightly","traceId":"000000000000000000000000000000a1","ts":1735300003000,"type":"traceEvent"}"#,
      #"{"agentId":"writer","attrs":{"agentpipes.duration_ms":120,"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"grep"},"name":"execute_tool grep","phase":"end","skillId":"grep","spanId":"00000000000000a2","srcId":"s4","swarmId":"nightly","traceId":"000000000000000000000000000000a1","ts":1735300004000,"type":"traceEvent"}"#,
    ].joined(separator: "\n") + "\n"

  private static let questions = [
    "overview", "swarms", "swarm nightly", "agents", "agents --status finished --swarm night",
    "agent writer", "agent linter --events 1", "incidents --all", "context", "skills",
    "usage", "usage --by model --since 2024-12-01T00:00:00Z", "usage --since 2100-01-01T00:00:00Z",
    "thresholds", "audit", "audit --last 1", "audit --last 0",
  ]

  private static func tell(_ scratch: Scratch) async throws {
    try scratch.write("work/events.ndjson", events)
    try await scratch.shell(
      "curl -sH \"$AUTH\" --data-binary @events.ndjson $HUB/v1/events | jq .accepted")
    try await scratch.shell(
      "agent-control threshold incident all 3 --request-id r0 --reason 'few are enough' >/dev/null")
  }

  /// Removes the stored answers of hubs, one of which would be shown if a new one came late.
  private static func forgetAnswers(_ home: String) {
    try? FileManager.default.removeItem(atPath: home + "/state/hubs/answers")
  }

  @Test func `who follows a hub starts with its last ten events`() async throws {
    try await Scratch.withHub { scratch, _ in
      func tell(_ numbers: String) async throws {
        try await scratch.shell(
          "seq \(numbers) | jq -c '{type:\"log\",ts:.,agentId:\"a\",level:\"info\",message:\"line \\(.)\"}' | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events | jq .accepted"
        )
      }
      try await tell("1 20")
      let first = ["": 11, "-n 3": 18, "--since 1970-01-01T00:00:00Z": 1]
      let hub = try #require(scratch.environment["HUB"])
      let followers = try ["http", "ws"].flatMap { scheme in
        try first.map { options, first in
          let url = scheme + hub.dropFirst(4)
          return (
            first, try scratch.starting("stream-tail -f \(options)", "--hub", url, input: nil)
          )
        }
      }
      for (_, follower) in followers {
        try await scratch.until("it is read") { follower.output.contains("line 20") }
      }
      try await tell("21 22")
      for (first, follower) in followers {
        try await scratch.until("it goes on") { follower.output.contains("line 22") }
        let messages = Record.all(in: follower.output).map { $0["message"] }
        #expect(messages == (first...22).map { "line \($0)" })
      }
      let both = try await scratch.shell(
        "curl -sH \"$AUTH\" \"$HUB/v1/events?last=3&after=0000000000000000-1\" | jq -r .code")
      #expect(both.output == "BadInput\n")
    }
  }

  @Test func `a hub that lets nobody in is reported once, also to who follows`() async throws {
    try await Scratch.withHub { scratch, _ in
      let run = try await scratch.shell(
        "AGENTPIPES_HOME=$PWD/other stream-tail --follow --hub $HUB")
      #expect(run.statuses == [77])
      #expect(run.records("error").count == 1)
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `a hub tells what its machine tells, in the same words`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await Self.tell(scratch)
      for form in ["--json", "--text --color always"] {
        for question in Self.questions {
          let here = try await scratch.shell("agent-stat \(question) \(form)")
          Self.forgetAnswers(scratch.path("home"))
          let there = try await scratch.shell("agent-stat \(question) \(form) --hub $HUB")
          #expect(there.output == here.output, "\(question) \(form)")
          #expect(there.statuses == here.statuses && there.errors == here.errors, "\(question)")
        }
      }
      let incident = try await scratch.shell("agent-stat incidents --all | jq -r .id")
      let id = incident.output.trimmingCharacters(in: .newlines)
      let here = try await scratch.shell("agent-stat incident \(id)")
      let there = try await scratch.shell("agent-stat incident \(id) --hub $HUB")
      #expect(here.output == there.output && here.records.count > 1)
      // A part of an id names its incident at a hub, too.
      try await scratch.shell(
        "echo '{\"agentId\":\"linter\",\"incidentId\":\"\(id)\",\"level\":\"info\",\"message\":\"seen\",\"ts\":1735300009000,\"type\":\"log\"}' | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events | jq .accepted"
      )
      for place in ["", "--hub $HUB"] {
        let seen = try await scratch.shell(
          "stream-tail --incident \(id.suffix(8)) --type log \(place) | jq -r .message")
        #expect(seen.output == "seen\n")
      }
      // A skill is told of over the last hour, its plots by the minute.
      let sent = try await scratch.shell(
        "jq -c 'select(.skillId) | .ts = (now * 1000 | floor) | .srcId = \"s9\" | .spanId = \"00000000000000a3\"' events.ndjson | curl -sH \"$AUTH\" --data-binary @- $HUB/v1/events | jq .accepted"
      )
      #expect(sent.output != "0\n" && !sent.output.isEmpty)
      for form in ["--json", "--text | sed '/by minute/,$d'"] {
        let here = try await scratch.shell("agent-stat skill grep \(form)")
        Self.forgetAnswers(scratch.path("home"))
        let there = try await scratch.shell("agent-stat skill grep --hub $HUB \(form)")
        #expect(here.output == there.output && here.statuses[0] == 0)
        #expect(!here.output.isEmpty)
      }
      for question in [
        "agent nobody", "swarm nobody", "skill none", "incident none", "agent .", "agent ..",
        "swarm .",
      ] {
        let here = try await scratch.shell("agent-stat \(question)")
        let there = try await scratch.shell("agent-stat \(question) --hub $HUB")
        #expect(there.statuses == [66] && here.errors == there.errors, "\(question)")
      }
    }
  }

  @Test func `another machine asks by a name of its configuration, or of its environment`()
    async throws
  {
    try await Scratch.withHub { scratch, _ in
      try await Self.tell(scratch)
      let here = try await scratch.shell("agent-stat agents")
      try await scratch.leaveForAnotherMachine()
      try scratch.write(
        "other/config/config.toml", "[hub.build]\nurl = '\(scratch.environment["HUB"] ?? "")'\n")
      let named = try await scratch.shell("agent-stat agents --hub build")
      #expect(named.output == here.output && named.statuses == [0])
      Self.forgetAnswers(scratch.path("other"))
      let variable = try await scratch.shell("AGENTPIPES_HUB=build agent-stat agents")
      #expect(variable.output == here.output)
      #expect(try await scratch.shell("agent-stat agents").output == "")
      let unknown = try await scratch.shell("agent-stat --hub attic")
      #expect(unknown.statuses == [64])
      // The name of what lets it in may be asked for, as may any key's.
      let keys = try await scratch.shell(
        "key-store list | jq -r .name | grep ^hub- | grep -v device")
      let key = keys.output.trimmingCharacters(in: .newlines)
      #expect(try await scratch.shell("key-store get \(key) | wc -l").output == "1\n")
    }
  }

  @Test func `without a hub its last answer is told, as old as it is`() async throws {
    try await Scratch.withHub { scratch, hub in
      try await Self.tell(scratch)
      try await scratch.shell("agent-stat >/dev/null")
      let proxy = try await scratch.serveProxy(to: scratch.hubPort)
      scratch.set("HUB", proxy.url(""))
      try await scratch.leaveForAnotherMachine()
      let first = try await scratch.shell("agent-stat agents --hub $HUB")
      #expect(first.records("agent").map(\.id) == ["linter", "writer"])
      // Nothing comes through, and nothing tells so.
      proxy.child.signal(SIGSTOP)
      let stale = try await scratch.shell("agent-stat agents --hub $HUB")
      #expect(stale.statuses == [0])
      #expect(stale.records.map { $0["stale"] } == ["1", "1"])
      #expect(stale.records.allSatisfy { ($0.number("ageSeconds") ?? -1) >= 0 })
      let bare = try await scratch.shell(
        "agent-stat agents --hub $HUB | jq -cS 'del(.stale, .ageSeconds)'")
      let lines = try await scratch.shell("jq -cS .", input: first.output)
      #expect(bare.output == lines.output)
      let text = try await scratch.shell(
        "agent-stat agents --hub $HUB --text | sed 's/from [^:]*:/from WHEN:/; 2,$d'")
      #expect(
        text.output
          == "stale, from WHEN: '\(proxy.url(""))' did not answer within 400 ms\n")
      // Each question has an answer of its own: what was never asked has none.
      proxy.child.signal(SIGCONT)
      proxy.child.signal(SIGKILL)
      _ = await proxy.child.ended()
      let gone = try await scratch.shell("agent-stat agents --hub $HUB")
      #expect(gone.records.map { $0["stale"] } == ["1", "1"] && gone.statuses == [0])
      #expect(gone.errors.contains("cannot be queried"))
      let never = try await scratch.shell("agent-stat swarms --hub $HUB")
      #expect(never.statuses == [69] && never.records("swarm").isEmpty)
      let modes = try await scratch.shell("stat -c %a $AGENTPIPES_HOME/state/hubs/answers/*")
      #expect(Set(modes.output.split(separator: "\n")) == ["600"])
      let tokens = try await scratch.shell(
        "grep -rlE 'ap1[a-z]_' $AGENTPIPES_HOME/state/hubs/answers; true")
      #expect(tokens.output == "")
      hub.child.signal(SIGTERM)
      _ = await hub.ended()
    }
  }

  @Test func `who is let in no more is told that, and nothing old`() async throws {
    try await Scratch.withHub { scratch, _ in
      let home = scratch.environment["AGENTPIPES_HOME"]
      try await scratch.leaveForAnotherMachine()
      #expect(try await scratch.shell("agent-stat thresholds --hub $HUB").statuses == [0])
      scratch.set("AGENTPIPES_HOME", home)
      try await scratch.shell("hub-serve revoke laptop >/dev/null")
      scratch.set("AGENTPIPES_HOME", scratch.path("other"))
      var refused: ToolRun?
      try await scratch.until("it is refused before its last answer is shown instead") {
        refused = try await scratch.shell("agent-stat thresholds --hub $HUB")
        return refused?.records.first?["stale"] != "1"
      }
      #expect(refused?.records("threshold").isEmpty == true && refused?.statuses == [77])
      let kept = try await scratch.shell("ls $AGENTPIPES_HOME/state/hubs/answers | wc -l")
      #expect(kept.output == "0\n")
    }
  }

  @Test func `agents are steered by way of a hub, each request once`() async throws {
    try await Scratch.withHub { scratch, _ in
      let agent = try scratch.starting("agent-run", "--agent", "lint", "--", "sleep", "1000")
      try await scratch.shell(
        "timeout 280 sh -c 'until agent-stat agent lint --hub $HUB 2>&1 | grep -q running; do :; done'"
      )
      try await scratch.leaveForAnotherMachine()
      let verbs = [
        "pause agent lint --reason wait --request-id r1 --wait 4m",
        "pause agent lint --reason wait --request-id r1",
        "pause agent lint --reason other --request-id r1",
        "resume agent lint --reason 'go on' --wait 4m", "pause agent nobody --reason wait",
        "terminate agent nobody --reason enough", "terminate agent lint --reason enough",
        "terminate agent lint --reason enough --confirm TERMINATE --wait 4m",
        "pause agent lint --reason late",
        "threshold incident all 4 --request-id r2", "threshold incident all 4 --request-id r2",
        "threshold incident all 5 --request-id r2", "close incident none",
      ]
      for verb in verbs { try await scratch.shell("agent-control \(verb) --hub $HUB") }
      _ = await agent.ended()
      try await scratch.shell(
        "agent-stat audit --hub $HUB | jq -c '[.target, .action, .outcome, .replayed]'")
      try scratch.expectGolden("agent-control/hub")
    }
  }

  @Test func `gates are decided by way of a hub, and the first decision wins`() async throws {
    try await Scratch.withHub { scratch, _ in
      let asking = try scratch.starting("gate-decide", "ask", "Deploy the fix?", input: nil)
      try await scratch.until("it is asked") { asking.output.contains("pending") }
      let gate = Record.all(in: asking.output)[0]["gateId"]
      try await scratch.leaveForAnotherMachine()
      scratch.set("GATE", gate)
      for verb in [
        "list", "reject $GATE --reason 'too risky for a Friday' --request-id r1",
        "reject $GATE --reason 'too risky for a Friday' --request-id r1", "approve $GATE",
        "approve $GATE --request-id r1", "show $GATE", "list", "list --all", "show nothing",
        "approve nothing", "reject $GATE --reason short",
      ] {
        try await scratch.shell("gate-decide \(verb) --hub $HUB")
      }
      try scratch.expectGolden("gate-decide/hub")
      let asked = await asking.ended()
      #expect(asked.statuses == [1] && asked.records("error").first?["code"] == "UserRejected")
    }
  }

  @Test func `a gate is opened at a hub and waited for`() async throws {
    try await Scratch.withHub { scratch, _ in
      try await scratch.leaveForAnotherMachine()
      scratch.set("AGENTPIPES_HUB", scratch.environment["HUB"])
      let asking = try scratch.starting(
        "gate-decide", "ask", "Deploy the fix?", "--risk", "downtime", input: nil)
      try await scratch.until("it is asked") { asking.output.contains("pending") }
      try await scratch.shell("gate-decide approve $(gate-decide list | jq -r .gateId) >/dev/null")
      let asked = await asking.ended()
      #expect(asked.records.map { $0["status"] } == ["pending", "approved"])
      #expect(asked.statuses == [0])
      let left = try scratch.starting("gate-decide", "ask", "Deploy it again?", input: nil)
      try await scratch.until("it is asked") { left.output.contains("pending") }
      left.child.signal(SIGTERM)
      #expect(await left.ended().statuses == [128 + SIGTERM])
      let gates = try await scratch.shell("gate-decide list --all | jq -r .status")
      #expect(gates.output == "approved\nrejected\n")
    }
  }

  @Test func `the terminal of an agent is found by way of a hub`() async throws {
    try await Scratch.with { scratch in
      try await scratch.withTmux {
        try await scratch.makeSession("work", columns: 60, lines: 5)
        let hub = try scratch.starting("hub-serve", "--listen", "127.0.0.1:0", input: nil)
        try await scratch.until("it listens") { hub.errors.contains("listening on ") }
        let words = hub.errors.split(whereSeparator: \.isWhitespace)
        scratch.set("HUB", String(words.last { $0.hasPrefix("http") } ?? ""))
        try scratch.type(
          "agent-run --agent lint -- sh -c 'echo seen here; sleep 1000'", into: "work")
        try await scratch.until("it runs") { try scratch.screen("work").contains("seen here") }
        try await scratch.leaveForAnotherMachine()
        let shown = try await scratch.shell("tmux-attach snapshot --agent lint --hub $HUB")
        #expect(shown.records("terminalSnapshot").map { $0["width"] } == ["60"])
        let nobody = try await scratch.shell("tmux-attach snapshot --agent nobody --hub $HUB")
        #expect(nobody.statuses == [66])
        #expect(try await scratch.shell("tmux-attach snapshot work --hub $HUB").statuses == [64])
      }
    }
  }
}
