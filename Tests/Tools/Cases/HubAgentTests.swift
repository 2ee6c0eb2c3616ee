import Foundation
import TestSupport
import Testing

/// Agents whose events go to a hub, and whose controls come from there.
@Suite("agent-run --hub")
struct HubAgentTests {
  @Test func `what an agent says is in the hub's log once, and nowhere here`() async throws {
    try await HubPlace.with { place, _ in
      let agent = try place.agent(
        "--swarm s --agent a -- sh -c 'echo out; echo \"error: wrong\"; exit 3'")
      let run = await agent.ended()
      #expect(run.output == "out\nerror: wrong\n" && run.errors == "" && run.statuses == [3])
      let events = try place.told(
        "--type log --type traceEvent | jq -c '[.type, .phase, .level, .message, .swarmId]'")
      #expect(
        events == """
          ["traceEvent","start",null,null,"s"]
          ["log",null,"info","out","s"]
          ["log",null,"error","error: wrong","s"]
          ["log",null,"error","the command ended with status 3: error: wrong","s"]
          ["traceEvent","end",null,null,"s"]

          """)
      let death = try await place.scratch.shell("agent-stat incidents | jq -r .summary | sort")
      #expect(
        death.output == "error: wrong\n")
      let here = try await place.scratch.shell(
        "cd ../host && ls data state; find state -name '*.ndjson'")
      #expect(!here.output.contains("events.db") && !here.output.contains("ndjson"))
    }
  }

  @Test func `through a hub that is away, is killed and comes back, each line comes once`()
    async throws
  {
    try await HubPlace.with { place, first in
      let scratch = place.scratch
      await place.kill(first)
      try scratch.write(
        "work/parts.sh",
        """
        for part in 1 2 3 4; do
          for line in $(seq 300); do echo "line $part $line"; done
          until [ -e "go$part" ]; do sleep 0.02; done
        done
        """)
      let agent = try place.agent("--agent a -- sh parts.sh")
      try await scratch.until("the lines wait on disk") { place.spooled().contains("line 1 300") }
      for part in 1...3 {
        let hub = try await place.hub()
        try scratch.write("work/go\(part)", "")
        try await scratch.until("some of them came") {
          try place.told("--type log").contains("line \(part + 1) ")
        }
        await place.kill(hub)
      }
      _ = try await place.hub()
      try scratch.write("work/go4", "")
      let run = await agent.ended()
      #expect(run.statuses == [0])
      #expect(run.output.split(separator: "\n").count == 1200)
      let told = try place.told("--type log | jq -r .message")
      #expect(told == run.output)
      #expect(place.spooled() == "")
      #expect(run.errors.contains("storing events on disk"))
    }
  }

  @Test func `what is too much for the disk is counted, and errors are kept`() async throws {
    try await HubPlace.with { place, first in
      let scratch = place.scratch
      await place.kill(first)
      try scratch.write(
        "work/much.sh",
        """
        for line in $(seq 1000); do echo "line $line"; done
        for line in $(seq 20); do echo "error: $line"; done
        until [ -e go ]; do sleep 0.02; done
        echo last
        """)
      let agent = try place.agent("--spool 20000 --agent a -- sh much.sh")
      try await scratch.until("errors wait on disk") { place.spooled().contains("error: 20") }
      #expect(place.spooled().utf8.count < 30_000)
      _ = try await place.hub()
      try await scratch.until("they came") { try place.told("--type log").contains("error: 20") }
      try scratch.write("work/go", "")
      #expect(await agent.ended().statuses == [0])
      let logs = Record.all(in: try place.told("--type log"))
      let lines = logs.count { $0["message"].hasPrefix("line ") }
      let lost = logs.filter { $0["message"].contains("dropped ") }
        .reduce(0) { $0 + Int($1.number("count") ?? 0) }
      #expect(logs.count { $0["message"].hasPrefix("error: ") } == 20)
      #expect(logs.last?["message"] == "last")
      #expect(lost > 0 && lines > 0 && lines + lost == 1000)
    }
  }

  @Test func `what a killed agent-run leaves, the next one sends`() async throws {
    try await HubPlace.with { place, first in
      let scratch = place.scratch
      await place.kill(first)
      let agent = try place.agent("--agent a -- sh -c 'echo one; echo two; sleep 1000'")
      try await scratch.until("the lines wait on disk") { place.spooled().contains("two") }
      agent.child.signal(SIGKILL)
      await agent.ended()
      let away = await (try place.agent("--agent b -- true")).ended()
      #expect(away.statuses == [0])
      #expect(away.errors.contains("2 events are waiting for "))
      _ = try await place.hub()
      let next = await (try place.agent("--agent c -- echo three")).ended()
      #expect(next.output == "three\n" && next.errors == "")
      let told = try place.told("--type log | jq -r '.agentId + \" \" + .message'")
      #expect(told.split(separator: "\n").sorted() == ["a one", "a two", "c three"])
      #expect(place.spooled() == "")
    }
  }

  // MARK: Controls

  /// Starts an agent that counts, and waits until the hub has it and it is connected.
  private func counting(_ place: HubPlace, _ words: String, on host: String = "host") async throws
    -> Running
  {
    let agent = try place.agent(
      "\(words) -- sh -c 'while :; do echo tick; sleep 0.05; done'", on: host)
    try await place.scratch.until("it is heard of") {
      try place.told("--type log").contains("tick") && agent.output.contains("tick")
    }
    return agent
  }

  /// Asks for a control of an agent until that has an outcome.
  ///
  /// It may not be connected yet: its events come another way. The pauses between the tries grow,
  /// because a hub takes 30 controls in a minute.
  private func control(
    _ place: HubPlace, _ words: String, until outcome: String = "applied"
  ) async throws {
    var outcomes: [String] = []
    while outcomes.last != outcome {
      try #require(outcomes.count < 20, "\(words): \(outcomes)")
      try await Task.sleep(for: .milliseconds(100 * outcomes.count * outcomes.count))
      let run = try await place.control(words)
      outcomes.append((run.records.first?["outcome"] ?? run.records.first?["code"]) ?? "")
    }
  }

  private func paused(
    _ place: HubPlace, _ id: String, until outcome: String = "applied"
  ) async throws {
    try await control(place, "pause agent \(id) --reason look", until: outcome)
  }

  private func status(_ place: HubPlace, _ id: String) throws -> String {
    try place.scratch.output(
      of: "agent-stat agent \(id) | jq -r 'select(.type == \"agent\").status'")
  }

  @Test func `the hub's operator pauses, resumes and ends an agent elsewhere, each once`()
    async throws
  {
    try await HubPlace.with { place, _ in
      let agent = try await counting(place, "--swarm s --agent a")
      try await paused(place, "a")
      #expect(try status(place, "a") == "paused\n")
      let resumed = try await place.control("resume agent a --reason go --request-id r1")
      #expect(resumed.records.map { $0["outcome"] } == ["applied"])
      #expect(try status(place, "a") == "running\n")
      try await paused(place, "a")
      // The same request again is answered and does nothing.
      let again = try await place.control("resume agent a --reason go --request-id r1")
      #expect(again.records.map { $0["replayed"] } == ["1"])
      #expect(try status(place, "a") == "paused\n")
      try place.scratch.write("home/config/config.toml", "confirm_command = [\"false\"]\n")
      let refused = try await place.control(
        "terminate agent a --reason enough --confirm TERMINATE")
      #expect(refused.records("error").first?["code"] == "PermissionDenied")
      #expect(refused.statuses == [77])
      try place.scratch.write("home/config/config.toml", "confirm_command = [\"true\"]\n")
      let ended = try await place.control("terminate agent a --reason enough --confirm TERMINATE")
      #expect(ended.records.map { $0["outcome"] } == ["applied"])
      #expect(await agent.ended().endings == [.signal(SIGTERM)])
      #expect(try status(place, "a") == "terminated\n")
      let late = try await place.control("pause agent a --reason late")
      #expect(late.records.first?["outcome"] == "refused" && late.statuses == [1])
      let told = try place.told("--type control | jq -r '.action + \" \" + .outcome'")
      #expect(
        told.split(separator: "\n") == [
          "pause applied", "resume applied", "pause applied", "terminate applied",
          "pause refused",
        ])
    }
  }

  @Test func `agents of one swarm on two hosts are paused together, and one that is gone is not`()
    async throws
  {
    try await HubPlace.with(hosts: ["host", "other"]) { place, _ in
      _ = try await counting(place, "--swarm s --agent one")
      let two = try await counting(place, "--swarm s --agent two", on: "other")
      try await paused(place, "one")
      try await paused(place, "two")
      let resumed = try await place.control("resume swarm s --reason go")
      #expect(resumed.records.map { $0["outcome"] } == ["applied"])
      #expect(try status(place, "one") + status(place, "two") == "running\nrunning\n")
      // Of one name, one is steered.
      let same = try place.agent(
        "--agent one -- sh -c 'until [ -e go ]; do sleep 0.02; done'", on: "other")
      try await place.scratch.until("it is told") { same.errors.contains("cannot be steered") }
      try place.scratch.write("work/go", "")
      #expect(await same.ended().statuses == [0])
      two.child.signal(SIGKILL)
      await two.ended()
      try await paused(place, "two", until: "unreachable")
      let left = try await place.control("pause swarm s --reason x")
      #expect(left.records.map { $0["outcome"] } == ["applied"])
    }
  }

  @Test func `agents of a device that is shut out are steered no more`() async throws {
    try await HubPlace.with { place, _ in
      _ = try await counting(place, "--agent a")
      try await paused(place, "a")
      let revoked = try await place.scratch.shell("hub-serve revoke host | jq .revoked")
      #expect(revoked.output == "true\n")
      try await paused(place, "a", until: "unreachable")
    }
  }

  @Test func `a hub that was killed finds its agents again`() async throws {
    try await HubPlace.with { place, first in
      let agent = try await counting(place, "--agent a")
      try await paused(place, "a")
      await place.kill(first)
      // Nobody serves: there is nobody to ask.
      let nobody = try await place.control("resume agent a --reason go")
      #expect(nobody.records.first?["outcome"] == "unreachable")
      _ = try await place.hub()
      // An agent that returns late to the new hub was given up there, and is then registered again.
      try await control(place, "resume agent a --reason go")
      let ended = try await place.control("terminate agent a --reason enough --confirm TERMINATE")
      #expect(ended.records.map { $0["outcome"] } == ["applied"])
      #expect(await agent.ended().endings == [.signal(SIGTERM)])
    }
  }

  @Test func `a hub that is no hub, and a name that nobody knows, are told`() async throws {
    try await Scratch.with { scratch in
      let unknown = try await scratch.shell("agent-run --hub nowhere -- echo hi")
      #expect(unknown.statuses == [64] && unknown.output == "")
      try scratch.write("home/config/config.toml", "[hub.build]\nurl = \"http://127.0.0.1:9\"\n")
      let away = try await scratch.shell("AGENTPIPES_HUB=build agent-run -- echo hi")
      #expect(away.statuses == [0] && away.output == "hi\n")
      #expect(away.errors.contains("storing events on disk"))
      let modes = try await scratch.shell(
        "find ../home/state/hubs -type f -printf '%m\\n' | sort -u; find ../home/state/hubs -type d -printf '%m\\n' | sort -u"
      )
      #expect(modes.output == "600\n700\n")
      try scratch.write("home/config/config.toml", "[models.mine]\ncontextTokens = -1\n")
      let wrong = try await scratch.shell("AGENTPIPES_HUB=build agent-run -- echo hi")
      #expect(wrong.statuses == [78] && wrong.output == "")
      let negative = try await scratch.shell("agent-run --spool -1 -- echo hi")
      #expect(negative.statuses == [64])
    }
  }
}
