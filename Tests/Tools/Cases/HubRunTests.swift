import Foundation
import Testing

/// Runs whose events go to a hub.
@Suite("stage-run --hub")
struct HubRunTests {
  @Test func `a run is told to a hub, steered from there, and its results are decided there`()
    async throws
  {
    try await HubPlace.with { place, _ in
      let scratch = place.scratch
      try await scratch.serveModels()
      let run = try scratch.running(
        "AGENTPIPES_HOME='\(scratch.path("host"))' exec stage-run --hub $HUB --wait --json",
        input: Plan.three)
      func gate() async throws -> String {
        var id = ""
        try await scratch.until("a result waits at the hub") {
          id = try scratch.output(of: "gate-decide list | jq -r .gateId")
            .trimmingCharacters(in: .newlines)
          return !id.isEmpty
        }
        return id
      }
      try await scratch.shell("gate-decide approve \(try await gate())")
      let second = try await gate()
      let paused = try await place.control(
        "pause swarm \(Plan.pipeline) --reason 'look at it'")
      #expect(paused.records.map { $0["outcome"] } == ["applied"])
      let resumed = try await place.control("resume swarm \(Plan.pipeline) --reason go")
      #expect(resumed.records.map { $0["outcome"] } == ["applied"])
      let rejected = try await scratch.shell(
        "gate-decide reject \(second) --reason 'this is not what was asked'")
      #expect(rejected.statuses == [0])
      let ended = await run.ended()
      #expect(ended.statuses == [1])
      let shown = try await scratch.shell(
        "AGENTPIPES_HOME='\(scratch.path("host"))' stage-run --show \(Plan.pipeline) | jq -c 'select(.type != \"artifact\") | [.type, .status]'"
      )
      #expect(
        shown.output == """
          ["pipeline","failed"]
          ["stage","approved"]
          ["approvalGate","approved"]
          ["stage","failed"]
          ["approvalGate","rejected"]
          ["stage","waiting"]

          """)
      let told = try place.told(
        "--type log --type control --type approvalGate | jq -r '[.type, .status, .action, .message] | map(strings) | join(\" \")'"
      )
      // The hub tells of gates and controls, and the run of its stages: each in its own order.
      let lines = told.split(separator: "\n")
      let logs = lines.filter { $0.hasPrefix("log ") }
      #expect(
        (logs + lines.filter { !$0.hasPrefix("log ") }).joined(separator: "\n") == """
          log the run of 'P' begins
          log researcher begins
          log researcher is completed
          log researcher is approved
          log producer begins
          log producer is completed
          log producer is failed: the producer's result was rejected: this is not what was asked
          log the run of 'P' is failed: the producer's result was rejected: this is not what was asked
          approvalGate pending
          approvalGate approved
          approvalGate pending
          control pause
          control pause
          control pause
          control resume
          control resume
          control resume
          approvalGate rejected
          """)
      #expect(place.spooled() == "")
    }
  }

  @Test func `a plan is told to a hub`() async throws {
    try await HubPlace.with { place, _ in
      let run = try await place.scratch.shell(
        "AGENTPIPES_HOME='\(place.scratch.path("host"))' ceo-plan --hub $HUB --model extractive 'Compare the two of them'"
      )
      #expect(run.statuses == [0])
      let told = try place.told("--type traceEvent | jq -r '.name + \" \" + .phase'")
      #expect(told.hasPrefix("plan start\n") && told.hasSuffix("plan end\n"))
    }
  }
}
