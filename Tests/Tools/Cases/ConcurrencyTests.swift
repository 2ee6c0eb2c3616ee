import Foundation
import TestSupport
import Testing

@Suite("many processes")
struct ConcurrencyTests {
  @Test func `sixteen planners on one fresh store keep all of their pipelines`() async throws {
    try await Scratch.with { scratch in
      let goals = (1...100).map { #"{"text":"Goal \#($0)","type":"goal"}"# }
      let planners = try (1...16).map { _ in
        try scratch.starting(
          "ceo-plan", "--model", "extractive", input: goals.joined(separator: "\n"))
      }
      var told = Set<String>()
      for planner in planners {
        let run = await planner.ended()
        #expect(run.endings == [.exit(0)])
        #expect(run.errors == "")
        told.formUnion(run.records("pipeline").map(\.id))
      }
      #expect(told.count == 1600)
      let stored = try await scratch.shell("stage-run --list")
      #expect(Set(stored.records.map(\.id)) == told)
      #expect(stored.records.allSatisfy { $0["stageCount"] == "3" })
    }
  }

  @Test func `of two runners on one pipeline one runs and one is Busy`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"holdFile":"\#(scratch.path("go"))"}]"#)
      let first = try scratch.running("stage-run --yolo", input: Plan.one)
      try await scratch.until("the first has asked") { server.requests.count == 1 }
      try await scratch.shell("stage-run --yolo", input: Plan.one)
      try await scratch.shell("stage-run --resume")
      #expect(server.requests.count == 1)
      try scratch.write("go", "")
      let run = await first.ended()
      #expect(run.statuses == [0])
      #expect(server.requests.count == 1)
      try scratch.expectGolden("stage-run/busy")
    }
  }

  @Test func `two decide one gate at once, and one of them wins`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      try await scratch.shell("stage-run >/dev/null", input: Plan.one)
      let gate = try await scratch.shell("gate-decide list").records.first?["gateId"] ?? ""
      let deciders = try (1...8).map { _ in try scratch.starting("gate-decide", "approve", gate) }
      var endings: [Ending] = []
      var receipts = Set<String>()
      for decider in deciders {
        let run = await decider.ended()
        endings += run.endings
        receipts.formUnion(run.records("decisionReceipt").map { $0["requestId"] })
      }
      #expect(endings.filter { $0 == .exit(0) }.count == 1)
      #expect(endings.filter { $0 == .exit(1) }.count == 7)
      #expect(receipts.count == 1)
    }
  }

  @Test func `keys set by many at once are all kept`() async throws {
    try await Scratch.with { scratch in
      let setters = try (1...8).map {
        try scratch.starting("key-store", "set", "key\($0)", input: scratch.secret + "\n")
      }
      for setter in setters { #expect(await setter.ended().endings == [.exit(0)]) }
      let listed = try await scratch.shell("key-store list")
      #expect(listed.records.filter { $0["source"] == "file" }.count == 8)
    }
  }
}
