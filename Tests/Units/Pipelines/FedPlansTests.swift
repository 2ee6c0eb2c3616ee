import Core
import Testing

@testable import Pipelines

struct FedPlansTests {
  private func fed(_ lines: String...) throws -> FedPlans {
    var plans = FedPlans()
    for line in lines { #expect(try plans.add(RawRecord(line: Array(line.utf8)))) }
    return plans
  }

  private func merged(_ plans: FedPlans, _ stored: StoredPipeline? = nil) throws -> [StoredPipeline]
  {
    try plans.merged { (_) throws(Failure) in stored }
  }

  private let producer =
    #"{"type":"stage","id":"s1","pipelineId":"p","role":"producer","task":"t"}"#

  @Test func `stages alone make one pipeline, in the order given`() throws {
    let plans = try fed(
      #"{"type":"stage","role":"researcher","task":"look"}"#,
      #"{"type":"stage","role":"producer","task":"write"}"#)
    let plan = try #require(try merged(plans).first)
    #expect(plan.stages.map(\.position) == [0, 1])
    #expect(Set(plan.stages.map(\.pipelineId)) == [plan.pipeline.id])
    #expect(plan.pipeline.goal == "look\nwrite")
    #expect(plan.pipeline.stageCount == 2)
  }

  @Test func `positions that are given decide the order`() throws {
    let plans = try fed(
      #"{"type":"stage","id":"b","pipelineId":"p","role":"producer","task":"t","position":5}"#,
      #"{"type":"stage","id":"a","pipelineId":"p","role":"researcher","task":"t","position":1}"#)
    #expect(try merged(plans).first?.stages.map(\.position) == [5, 1])
  }

  @Test func `a run's state in a record from elsewhere does not count`() throws {
    let plans = try fed(
      #"{"type":"pipeline","id":"p","goal":"g","status":"completed"}"#,
      #"{"type":"stage","id":"s","pipelineId":"p","role":"producer","task":"t","status":"approved","approved":true}"#
    )
    let plan = try #require(try merged(plans).first)
    #expect(plan.pipeline.status == .waiting)
    #expect(plan.stages.map(\.status) == [.waiting])
    #expect(plan.stages.map(\.approved) == [false])
  }

  @Test func `a pipeline without stages is bad input`() throws {
    let plans = try fed(#"{"type":"pipeline","id":"p","goal":"g"}"#)
    #expect(throws: Failure.self) { try merged(plans) }
  }

  @Test func `the same id with other content is bad input, the same line is not`() throws {
    var plans = try fed(producer, producer)
    #expect(try merged(plans).first?.stages.count == 1)
    let changed = producer.replacing("\"t\"", with: "\"u\"")
    #expect(throws: Failure.self) { try plans.add(RawRecord(line: Array(changed.utf8))) }
  }

  @Test func `a stage that has begun keeps its state and cannot be changed`() throws {
    var begun = Stage(id: "s1", pipelineId: "p", position: 0, role: .producer, task: "t")
    begun.status = .approved
    begun.startedAt = Timestamp(milliseconds: 1)
    begun.model = "claude-sonnet-4-6"
    let stored = StoredPipeline(
      pipeline: Pipeline(id: "p", goal: "g"), stages: [begun], isBegun: true,
      askedModels: ["s1": "anthropic/claude-sonnet-4-6"])
    #expect(try merged(try fed(producer), stored).first?.stages.first?.status == .approved)
    for model in ["claude-sonnet-4-6", "anthropic/claude-sonnet-4-6"] {
      let again = producer.replacing("\"task\"", with: "\"model\":\"\(model)\",\"task\"")
      #expect(try merged(try fed(again), stored).first?.stages.first?.status == .approved)
    }
    for change in ["\"model\":\"other\",\"task\"", "\"researchURLs\":[\"http://a/\"],\"task\""] {
      let changed = producer.replacing("\"task\"", with: change)
      #expect(throws: Failure.self) { try merged(try fed(changed), stored) }
    }
  }

  @Test func `labels of a pipeline are handed down to stages without any`() throws {
    let plans = try fed(
      #"{"type":"pipeline","id":"p","goal":"g","labels":{"a":"b"}}"#, producer)
    #expect(try merged(plans).first?.stages.first?.labels == ["a": "b"])
  }

  @Test func `the ceo runs no stage`() throws {
    #expect(throws: Failure.self) {
      try fed(#"{"type":"stage","role":"ceo","task":"t"}"#)
    }
  }
}
