import Foundation
import Testing

/// Plans that are ended or removed without a run.
@Suite("plan ending")
struct PlanEndingTests {
  private static let plan =
    "plan=$(ceo-plan --model extractive 'Compare the two' | jq -r '.id' | head -n 1)"

  @Test func `a plan is cancelled once, and is not run any more`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      try await scratch.shell(
        """
        \(Self.plan); stage-run --cancel $plan; stage-run --cancel $plan; stage-run --resume $plan; \
        stage-run --show $plan | stage-run --yolo; stage-run --list | jq -c .status
        """)
      #expect(server.requests.isEmpty)
      try scratch.expectGolden("stage-run/cancel")
    }
  }

  @Test func `a run that waits is cancelled with its gate, one that is at work is not`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"text":"Text"},{"holdFile":"\#(scratch.path("go"))"}]"#)
      try await scratch.shell("stage-run >/dev/null", input: Plan.three)
      let ended = try await scratch.shell("stage-run --cancel \(Plan.pipeline)")
      #expect(ended.records.map(\.status) == ["cancelled"] && ended.statuses == [0])
      let gates = try await scratch.shell("gate-decide list --all")
      #expect(gates.records.map(\.status) == ["expired"])
      let other = "01900000-0000-7000-8000-000000000002"
      let run = try scratch.running(
        "stage-run --yolo",
        input: #"{"pipelineId":"\#(other)","role":"producer","task":"T","type":"stage"}"#)
      try await scratch.until("it is asked") { server.requests.count == 2 }
      for verb in ["cancel", "delete"] {
        let busy = try await scratch.shell("stage-run --\(verb) \(other)")
        #expect(busy.records.map { $0["code"] } == ["Busy"] && busy.statuses == [75])
      }
      try scratch.write("go", "")
      #expect(await run.ended().statuses == [0])
    }
  }

  @Test func `a plan is deleted, its cost is not, and a run is kept`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"Text","times":0}]"#)
      try await scratch.shell("stage-run --yolo >/dev/null", input: Plan.one)
      try await scratch.shell(
        """
        \(Self.plan); stage-run --delete $plan | jq -c .status; stage-run --delete $plan; \
        stage-run --show $plan; stage-run --delete \(Plan.pipeline); stage-run --list | jq -c .status; \
        stage-run --delete $plan --list
        """)
      let calls = try await scratch.shell(
        "sqlite3 ~/../home/data/store.db 'SELECT count(*), count(pipelineId) FROM call'")
      #expect(calls.output == "2|1\n")
      try scratch.expectGolden("stage-run/delete")
    }
  }
}
