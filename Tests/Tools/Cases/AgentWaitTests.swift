import Foundation
import TestSupport
import Testing

/// `agent-stat wait` beside agents that begin, wait and end, and budgets of swarms.
@Suite("waiting for agents")
struct AgentWaitTests {
  @Test func `what is already so ends the wait at once, and what never is ends it late`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent done -- true")
      try await scratch.shell("agent-run --agent failed -- false")
      let ended = try await scratch.shell("agent-stat wait --agent done")
      #expect(ended.records.map(\.id) == ["done"] && ended.records.map(\.status) == ["finished"])
      let failed = try await scratch.shell("agent-stat wait --agent fail --status error")
      #expect(failed.records.map(\.id) == ["failed"] && failed.statuses == [0])
      for (options, words) in [
        ("--status waiting", "no agent reached 'waiting' within 0.1s"),
        ("", "no agent reached 'ended' within 0.1s"),
        ("--status error", "no agent reached 'error' within 0.1s"),
        ("--agent done --status error", "agent 'done' did not reach 'error' within 0.1s"),
        ("--agent later --status waiting", "agent 'later' did not reach 'waiting' within 0.1s"),
      ] {
        let late = try await scratch.shell("agent-stat wait \(options) --timeout 0.1")
        #expect(
          late.statuses == [75] && late.errors == "agent-stat: \(words); check with agent-stat\n")
        #expect(late.records.map { $0["code"] + " " + $0["kind"] } == ["Timeout wait"])
      }
      let causes = try await scratch.shell(
        "agent-stat wait --for permission --for question --timeout 0.1")
      #expect(
        causes.errors
          == "agent-stat: no agent reached 'waiting' for 'permission' or 'question' within 0.1s; check with agent-stat\n"
      )
      for wrong in ["--for nothing", "--for permission --status ended"] {
        #expect(try await scratch.shell("agent-stat wait \(wrong)").statuses == [64])
      }
      let unknown = try await scratch.shell("agent-stat wait --agent nobody")
      #expect(unknown.statuses == [66])
      #expect(
        unknown.errors == "agent-stat: there is no agent 'nobody'; check the name or address\n")
      let wrong = try await scratch.shell("agent-stat wait --status running")
      #expect(wrong.statuses == [64])
    }
  }

  @Test func `a wait ends when an agent waits, fails or ends`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent old -- false")
      let waits = try ["waiting", "error", "ended"].map {
        try scratch.starting("agent-stat", "wait", "--status", $0, "--timeout", "280")
      }
      let named = try scratch.starting("agent-stat", "wait", "--agent", "a", "--status", "error")
      // The waits may begin later than the agents, which therefore begin again.
      let agents = try scratch.running(
        "until [ -e over ]; do agent-run --agent a -- sh -c 'gate-decide ask go --agent a --timeout 0.5; exit 3'; done"
      )
      var found: [[String]] = []
      for wait in waits + [named] {
        let run = await wait.ended()
        #expect(run.endings == [.exit(0)])
        found.append(Array(Set(run.records.map { "\($0.id) \($0.status)" })))
      }
      try scratch.write("work/over", "")
      await agents.ended()
      #expect(found == [["a waiting"], ["a error"], ["a error"], ["a error"]])
    }
  }

  @Test func `a swarm over its budget is paused by its threshold`() async throws {
    try await Scratch.with { scratch in
      let set = try await scratch.shell("agent-control threshold swarmCost s 1 --then pause")
      #expect(set.records.map { $0["then"] } == ["pause"])
      let step =
        #"{"type":"step_finish","timestamp":1,"sessionID":"ses_1","part":{"id":"p","cost":1.5,"tokens":{"input":9}}}"#
      try scratch.write("work/step", step + "\n")
      let agent = try scratch.starting(
        "agent-run", "--swarm", "s", "--agent", "a", "--", "sh", "-c", "cat step; exec sleep 600")
      try await scratch.until("it is paused") {
        try await scratch.shell("agent-stat agents --status paused").records.map(\.id) == ["a"]
      }
      let audit = try await scratch.shell("agent-stat audit").records
      #expect(
        audit.filter { $0["action"] == "pause" }.map { $0["actor"] + " " + $0["outcome"] }
          == ["threshold accepted", "threshold applied"])
      let alerts = try await scratch.shell("stream-tail --type alert").records
      #expect(alerts.map { $0["summary"] } == ["'s' has spent 1.50 dollars"])
      let wrong = try await scratch.shell("agent-control threshold incident all 3 --then pause")
      #expect(wrong.statuses == [64])
      try await scratch.shell("agent-control terminate agent a --reason x --confirm TERMINATE")
      await agent.ended()
    }
  }
}
