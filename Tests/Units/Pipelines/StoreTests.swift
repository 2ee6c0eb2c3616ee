import Asking
import Core
import Foundation
import Requests
import Storage
import TestSupport
import Testing

@testable import Pipelines

struct StoreTests {
  private func plan(_ id: String = Identifier.make(), stages: Int = 3) -> StoredPipeline {
    StoredPipeline(
      pipeline: Pipeline(id: id, goal: "Compare").with { $0.createdAt = .now },
      stages: (0..<stages).map {
        Stage(
          id: Identifier.make(), pipelineId: id, position: $0, role: .producer, task: "part \($0)")
      })
  }

  private func artifact(_ stage: Stage) -> Artifact {
    Artifact(
      id: Identifier.make(), role: stage.role, title: "t", content: "c",
      createdAt: Timestamp(milliseconds: 1)
    ).with {
      $0.pipelineId = stage.pipelineId
      $0.stageId = stage.id
    }
  }

  private func call(
    _ stage: Stage, _ outcome: Call.Outcome, _ usage: Usage? = nil, cost: Double? = nil
  ) -> Call {
    let owner = Call.Owner(
      tool: "stage-run", pipelineId: stage.pipelineId, stageId: stage.id)
    var call = Call(for: owner, model: "m", estimatedTokens: 100, estimatedCostUSD: 0.5)
    call.outcome = outcome
    call.usage = usage
    call.costUSD = cost
    return call
  }

  private func gate(_ stage: Stage, expiresAt: Timestamp? = nil) -> ApprovalGate {
    var gate = ApprovalGate(
      ts: 1, gateId: Identifier.make(), status: .pending, summary: "s",
      requestedAt: Timestamp(milliseconds: 1))
    gate.expiresAt = expiresAt
    gate.pipelineId = stage.pipelineId
    gate.stageId = stage.id
    return gate
  }

  @Test func `a plan comes back as it was kept`() throws {
    let home = try Home()
    var plan = plan()
    plan.pages = [Page(url: "https://b"), Page(url: "https://a")]
    plan.options = "{\"yolo\":true}"
    plan.isBegun = true
    try Store(home.directories).save(plan)
    let stored = try #require(try Store(home.directories).pipeline(plan.pipeline.id))
    #expect(stored.pipeline == plan.pipeline)
    #expect(stored.stages == plan.stages)
    #expect(stored.pages == plan.pages)
    #expect(stored.options == plan.options)
    #expect(stored.isBegun)
  }

  @Test func `nothing is made where only an existing store is wanted`() throws {
    let home = try Home()
    #expect(try Store(existingIn: home.directories) == nil)
    #expect(!FileManager.default.fileExists(atPath: home.directories.data))
  }

  @Test func `the files of a store are its owner's alone`() throws {
    let home = try Home()
    try Store(home.directories).save(plan())
    #expect(try home.mode(home.directories.data) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: home.directories.data) {
      #expect(try home.mode("\(home.directories.data)/\(name)") == 0o600, "\(name)")
    }
  }

  @Test func `a plan that is replaced loses its other stages, not what was paid for`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    var plan = plan()
    try store.save(plan)
    let stage = plan.stages[0]
    try store.begin(call(stage, .running), for: stage, of: plan.pipeline)
    try store.end(
      call(stage, .complete, Usage(inputTokens: 5), cost: 0.25), stage, artifact: artifact(stage),
      gate: gate(stage))
    plan.stages.removeFirst()
    try store.save(plan)
    #expect(try store.pipeline(plan.pipeline.id)?.stages == plan.stages)
    #expect(try store.artifacts(of: plan.pipeline.id).count == 1)
    #expect(try store.spending(pipelineId: plan.pipeline.id).usage.inputTokens == 5)
    #expect(try store.gate(ofStage: stage.id) != nil)
  }

  @Test func `a stage that was dropped and fed again can be finished again`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    let whole = plan()
    try store.save(whole)
    let stage = whole.stages[0]
    try store.end(call(stage, .complete), stage, artifact: artifact(stage), gate: gate(stage))
    var less = whole
    less.stages.removeFirst()
    try store.save(less)
    try store.save(whole)
    let second = gate(stage)
    try store.end(call(stage, .complete), stage, artifact: artifact(stage), gate: second)
    #expect(try store.gate(ofStage: stage.id) == second)
    #expect(try store.artifacts(of: whole.pipeline.id).count == 2)
  }

  @Test func `begun pipelines that can go on are named, the oldest first`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    var expected: [String] = []
    for status in PipelineStatus.allCases {
      for code in [nil, FailureCode.timeout, .userRejected] {
        var plan = plan(stages: 1)
        plan.pipeline.status = status
        plan.pipeline.error = code.map { Failure($0, "x") }
        plan.isBegun = true
        try store.save(plan)
        if status != .completed, status != .cancelled, code != .userRejected {
          expected.append(plan.pipeline.id)
        }
      }
    }
    try store.save(plan())
    #expect(try store.unfinishedPipelines() == expected)
  }

  @Test func `spending adds up what calls used, also failed ones`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    let plan = plan(stages: 2)
    try store.save(plan)
    let usage = Usage(inputTokens: 10, outputTokens: 2, cacheReadTokens: 4)
    for (index, outcome) in [Call.Outcome.complete, .failed].enumerated() {
      let stage = plan.stages[index]
      try store.end(call(stage, outcome, usage, cost: 0.1), stage)
    }
    let all = try store.spending(pipelineId: plan.pipeline.id)
    #expect(all.usage == usage + usage)
    #expect(all.costUSD == 0.2)
    #expect(all.lostTokens == 0)
    let one = try store.spending(pipelineId: plan.pipeline.id, stageId: plan.stages[0].id)
    #expect(one.usage == usage)
  }

  @Test func `a part without a price makes the sum unknown`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    let plan = plan(stages: 2)
    try store.save(plan)
    try store.end(call(plan.stages[0], .complete, Usage(), cost: 0.1), plan.stages[0])
    try store.end(call(plan.stages[1], .complete, Usage(), cost: nil), plan.stages[1])
    #expect(try store.spending(pipelineId: plan.pipeline.id).costUSD == nil)
  }

  @Test func `a call without an end counts as lost, and no more once it has one`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    let plan = plan(stages: 1)
    let stage = plan.stages[0]
    try store.save(plan)
    var call = call(stage, .running)
    try store.begin(call, for: stage, of: plan.pipeline)
    #expect(try store.spending(pipelineId: plan.pipeline.id).lostTokens == 100)
    #expect(try store.spending(pipelineId: plan.pipeline.id).costUSD == nil)
    #expect(try store.spending(pipelineId: plan.pipeline.id, without: call.id).costUSD == 0)
    call.outcome = .complete
    call.usage = Usage(inputTokens: 7)
    call.costUSD = 0.01
    try store.end(call, stage)
    let spending = try store.spending(pipelineId: plan.pipeline.id)
    #expect(spending.lostTokens == 0)
    #expect(spending.usage.totalTokens == 7)
  }

  @Test func `a file's path is noted at its artifact`() throws {
    let home = try Home()
    let store = try Store(home.directories)
    let plan = plan(stages: 1)
    try store.save(plan)
    let artifact = artifact(plan.stages[0])
    try store.end(call(plan.stages[0], .complete), plan.stages[0], artifact: artifact)
    try store.setFilePath("/x.md", ofArtifact: artifact.id)
    try store.setFilePath("/y.md", ofArtifact: "unknown")
    #expect(try store.artifacts(of: plan.pipeline.id).map(\.filePath) == ["/x.md"])
  }

  @Test func `a file that is no database is a storage failure`() throws {
    let home = try Home()
    try Directories.make(home.directories.data)
    _ = try home.file("data/store.db", String(repeating: "no database ", count: 100))
    let failure = #expect(throws: Failure.self) { try Store(home.directories) }
    #expect(failure?.code == .storageFailed)
  }

  @Test func `sixteen openings of a fresh store at once all succeed`() async throws {
    let home = try Home()
    let directories = home.directories
    let plans = (0..<16).map { _ in plan(stages: 2) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for plan in plans { group.addTask { try Store(directories).save(plan) } }
      try await group.waitForAll()
    }
    #expect(try Store(directories).pipelines().count == 16)
  }
}
