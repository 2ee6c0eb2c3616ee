import Foundation
import TestSupport
import Testing

/// What agent-run does with more than can be told of.
@Suite("agent-run in a flood")
struct AgentFloodTests {
  /// How many lines the events of an agent stand for: those that are kept, and those that are counted.
  private func told(_ scratch: Scratch, _ agent: String) async throws -> (kept: Int, counted: Int) {
    let logs = try await scratch.shell("stream-tail --agent \(agent) --type log").records("log")
    let counts = logs.compactMap { Int($0["count"]) }
    #expect(logs.filter { $0["count"] != "" }.allSatisfy { $0["level"] == "warn" })
    return (logs.count - counts.count, counts.reduce(0, +))
  }

  @Test func `every line of a flood is told or counted, and all of it is passed on`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(
        "agent-run --agent a -- seq 1000000 | cmp - <(seq 1000000) && seq 1000000 | agent-run --agent b -- sh -c 'cat >&2' 2>&1 | cmp - <(seq 1000000)"
      )
      #expect(run.output == "" && run.errors == "" && run.statuses == [0, 0, 0])
      for agent in ["a", "b"] {
        let (kept, counted) = try await told(scratch, agent)
        #expect(kept + counted == 1_000_000)
        #expect(kept > 0 && counted > 0)
      }
      // The end of a flood tells the most.
      let last = try await scratch.shell("stream-tail --agent a --type log --last 1")
      #expect(last.records.first?["message"] == "1000000")
    }
  }

  @Test func `the command is never held up for the events`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--agent", "a", "--", "sh", "-c",
        "echo ready; read -r go; yes 'error: no disk' | head -n 300000; echo done", input: nil)
      try await scratch.until("it is told") { scratch.read("home/data/events.db") != "" }
      try await scratch.until("it runs") { running.output == "ready\n" }
      // Nobody can write the log from now on, and none of these lines may be dropped when they are
      // few.
      let holder = try scratch.running(
        [
          "python3", "-c",
          """
          import sqlite3, sys
          database = sqlite3.connect(sys.argv[1], isolation_level=None)
          database.execute("BEGIN IMMEDIATE")
          print("held", flush=True)
          sys.stdin.read()
          """, scratch.path("home/data/events.db"),
        ], "holds the log", input: nil)
      try await scratch.until("it is held") { holder.output == "held\n" }
      running.writer?.write("go\n")
      try await scratch.until("all is passed on") { running.output.hasSuffix("done\n") }
      #expect(!holder.child.hasEnded)
      await holder.ended()
      #expect(await running.ended().endings == [.exit(0)])
      let bytes = "ready\ndone\n".utf8.count + 300_000 * "error: no disk\n".utf8.count
      #expect(running.output.utf8.count == bytes)
      let (kept, counted) = try await told(scratch, "a")
      #expect(kept + counted == 300_002)
    }
  }

  @Test func `records among a flood of lines are kept`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        #"agent-run --agent a -- awk 'BEGIN { for (i = 1; i <= 150000; i++) { print "line " i; if (i % 750 == 0) print "{\"type\":\"metric\",\"name\":\"n\",\"value\":" i "}" } }' | wc -l"#
      )
      let metrics = try await scratch.shell("stream-tail --agent a --type metric").records
      #expect(metrics.count == 200)
      #expect(metrics.last?["value"] == "150000")
      let (kept, counted) = try await told(scratch, "a")
      #expect(kept + counted == 150_000)
    }
  }
}
