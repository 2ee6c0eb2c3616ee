import Core
import Foundation
import Requests
import Storage
import TestSupport
import Testing

/// Gates of runs that are told to a hub, which one place decides.
@Suite("gates of a hub")
struct HubGateTests {
  /// A run on another host whose results wait at gates.
  private struct Host {
    let place: HubPlace
    let home: String

    init(_ place: HubPlace) async throws {
      self.place = place
      home = "AGENTPIPES_HOME='\(place.scratch.path("host"))'"
      try await place.scratch.serveModels()
    }

    func run(_ words: String = "--wait", input: String? = Plan.three) throws -> Running {
      try place.scratch.running(
        "\(home) exec stage-run --hub $HUB --json \(words)", input: input)
    }

    /// What a command of this host writes.
    func output(_ line: String) throws -> String {
      try place.scratch.output(of: "export \(home); \(line)")
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func shell(_ line: String) async throws -> ToolRun {
      try await place.scratch.shell("\(home) \(line)")
    }

    /// The gate that waits here.
    func gate(after other: String = "") async throws -> String {
      var id = ""
      try await place.scratch.until("a result waits") {
        id = try output("gate-decide list | jq -r .gateId")
        return !id.isEmpty && id != other
      }
      return id
    }

    /// The gate that waits here, once the hub has said that it has it.
    func gateOfHub() async throws -> String {
      let id = try await gate()
      let directories = Directories(environment: ["AGENTPIPES_HOME": place.scratch.path("host")])
      try await place.scratch.until("the gate is the hub's") {
        try Store(existingIn: directories)?.hub(ofGate: id)?.isOwner ?? false
      }
      return id
    }

    /// How a gate was decided, here and at the hub.
    func records(_ gate: String) throws -> (here: String, hub: String) {
      let shown =
        "gate-decide show \(gate) | jq -c '[.status, .requestId, .decision, .reason, .actor]'"
      return (
        try output(shown),
        try place.scratch.output(of: shown).trimmingCharacters(in: .whitespacesAndNewlines)
      )
    }

    func end(_ run: Running) async {
      run.child.signal(SIGTERM)
      await run.ended()
    }
  }

  @Test func `what is decided at the hub is a receipt here`() async throws {
    try await HubPlace.with { place, _ in
      let host = try await Host(place)
      let run = try host.run()
      let gate = try await host.gateOfHub()
      try await place.scratch.shell("gate-decide approve \(gate) --reason 'it is well so'")
      _ = try await host.gate(after: gate)
      let (here, hub) = try host.records(gate)
      #expect(here == hub && here.contains("it is well so"))
      await host.end(run)
    }
  }

  @Test func `what the hub has is decided there, whoever decides it here`() async throws {
    try await HubPlace.with { place, _ in
      let host = try await Host(place)
      let run = try host.run()
      let gate = try await host.gateOfHub()
      let decided = try await host.shell("gate-decide approve \(gate) --reason 'it is well so'")
      #expect(decided.statuses == [0])
      let (here, hub) = try host.records(gate)
      #expect(here == hub && here.contains("approve"))
      #expect(decided.records.first?["actor"] == "host")
      let late = try await host.shell("gate-decide reject \(gate) --reason 'it is not well so'")
      #expect(late.statuses == [1])
      #expect(late.records.map { $0["status"] }.first == "approved")
      _ = try await host.gate(after: gate)
      await host.end(run)
    }
  }

  @Test func `of two decisions at once one counts, and the other gets its receipt`() async throws {
    try await HubPlace.with { place, _ in
      let host = try await Host(place)
      let run = try host.run()
      let gate = try await host.gateOfHub()
      let there = try place.scratch.running("gate-decide approve \(gate)")
      let here = try place.scratch.running(
        "\(host.home) gate-decide reject \(gate) --reason 'it is not well so'")
      let ended = [await there.ended(), await here.ended()]
      #expect(ended.flatMap(\.statuses).sorted() == [0, 1])
      let receipts = ended.compactMap { $0.records("decisionReceipt").first }
      #expect(receipts.count == 2)
      #expect(Set(receipts.compactMap { $0["requestId"] }).count == 1)
      let error = ended.flatMap { $0.records("error") }
      #expect(error.map { $0["code"] } == ["Conflict"])
      if receipts.first?["status"] == "approved" {
        _ = try await host.gate(after: gate)
        await host.end(run)
      } else {
        #expect(await run.ended().statuses == [1])
      }
      // Of the hub's decisions that which lost is kept there alone.
      #expect(try host.records(gate).hub.contains(try host.records(gate).here.prefix(12)))
    }
  }

  @Test func `a gate of a hub that is away waits for it, or is taken back`() async throws {
    try await HubPlace.with { place, hub in
      let host = try await Host(place)
      let run = try host.run()
      let gate = try await host.gateOfHub()
      await place.kill(hub)
      let refused = try await host.shell("gate-decide approve \(gate)")
      #expect(refused.statuses == [69])
      #expect(refused.records("error").map { $0["code"] } == ["NetworkUnavailable"])
      let taken = try await host.shell("gate-decide approve --here \(gate) --reason 'no time'")
      #expect(taken.statuses == [0])
      let next = try await host.gate(after: gate)
      let later = try await place.hub()
      try await place.scratch.until("the hub is told") {
        try host.records(gate).hub.contains("no time")
      }
      let (here, there) = try host.records(gate)
      #expect(here.hasPrefix("[\"approved\"") && there.hasPrefix("[\"approved\""))
      #expect(!(try place.scratch.output(of: "gate-decide list")).contains(gate))
      // What came meanwhile is the hub's from now on.
      try await place.scratch.until("the next gate is there") {
        try place.scratch.output(of: "gate-decide list").contains(next)
      }
      await host.end(run)
      await place.kill(later)
    }
  }

  @Test func `at a terminal, too, a gate of a hub waits for it`() async throws {
    try await HubPlace.with { place, hub in
      let (host, scratch) = (try await Host(place), place.scratch)
      try scratch.write("work/plan.ndjson", Plan.one)
      let terminal = try Terminal(
        scratch, "\(host.home) exec stage-run --hub $HUB <plan.ndjson >records.ndjson")
      let gate = try await host.gateOfHub()
      try await scratch.until("it asks") { terminal.text.contains("[s]how? ") }
      await place.kill(hub)
      terminal.type("a")
      try await scratch.until("it asks again") {
        terminal.text.components(separatedBy: "[s]how? ").count == 3
      }
      #expect(terminal.text.contains("owns gate '\(gate)' but does not answer"))
      let later = try await place.hub()
      terminal.type("a")
      #expect(await terminal.running.ended().endings == [.exit(0)])
      let (here, there) = try host.records(gate)
      #expect(here == there && here.contains("\"approve\",null,\"host\""))
      await place.kill(later)
    }
  }

  @Test func `what a hub never heard of is decided here, and told when it comes`() async throws {
    try await HubPlace.with { place, hub in
      let host = try await Host(place)
      await place.kill(hub)
      let run = try host.run()
      let gate = try await host.gate()
      let decided = try await host.shell("gate-decide approve \(gate)")
      #expect(decided.statuses == [0])
      _ = try await host.gate(after: gate)
      let later = try await place.hub()
      try await place.scratch.until("the hub is told") {
        try host.records(gate).hub.hasPrefix("[\"approved\"")
      }
      await host.end(run)
      await place.kill(later)
    }
  }

  @Test func `a run that goes on without the hub asks it for its decision`() async throws {
    try await HubPlace.with { place, _ in
      let host = try await Host(place)
      let paused = await (try host.run("")).ended()
      #expect(paused.statuses == [75])
      let gate = try await host.gateOfHub()
      try await place.scratch.shell("gate-decide approve \(gate) --reason 'it is well so'")
      #expect(try host.records(gate).here.hasPrefix("[\"pending\""))
      let resumed = try await host.shell("stage-run --resume --json")
      #expect(resumed.statuses == [75])
      let (here, hub) = try host.records(gate)
      #expect(here == hub && here.contains("it is well so"))
      let next = try await host.gate(after: gate)
      #expect(!(try place.scratch.output(of: "gate-decide list --all")).contains(next))
    }
  }

  @Test func `a gate of a run that is given up closes at the hub`() async throws {
    try await HubPlace.with { place, _ in
      let host = try await Host(place)
      let run = try host.run()
      let gate = try await host.gateOfHub()
      await host.end(run)
      let cancelled = try await host.shell("stage-run --cancel \(Plan.pipeline)")
      #expect(cancelled.statuses == [0])
      #expect(try host.records(gate).hub.hasPrefix("[\"rejected\""))
    }
  }

  @Test func `a hub that has the run's store decides at the run's gate itself`() async throws {
    try await HubPlace.with { place, _ in
      let scratch = place.scratch
      try await scratch.serveModels()
      let run = try scratch.running("exec stage-run --hub $HUB --wait --json", input: Plan.one)
      try await scratch.until("a result waits") {
        !(try scratch.output(of: "gate-decide list")).isEmpty
      }
      let decided = try await scratch.shell(
        "gate-decide approve --hub $HUB $(gate-decide list | jq -r .gateId)")
      #expect(decided.statuses == [0])
      #expect(await run.ended().statuses == [0])
      let types = try scratch.output(
        of: "gate-decide show $(gate-decide list --all | jq -r .gateId) | jq -r .type")
      #expect(types == "approvalGate\ndecisionReceipt\n")
    }
  }

  @Test func `a gate is taken back from no hub that is named`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("gate-decide approve --here --hub http://127.0.0.1:9 x")
      #expect(run.statuses == [64])
    }
  }
}
