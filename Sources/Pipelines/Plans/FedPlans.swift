public import Core

/// Collects the plans that a runner is fed, and turns them into pipelines to run.
///
/// What is fed replaces what is stored: stages that are not fed are deleted, unknown ids are taken
/// in, and a stage without a known pipeline makes one of its own input.
public struct FedPlans: Sendable {
  private struct Plan {
    var pipeline: Pipeline?
    var stages: [Stage] = []
  }

  /// Pipelines in the order in which they were first named.
  private var order: [String] = []
  private var plans: [String: Plan] = [:]
  private var stageSources: [String: (line: [UInt8], pipelineId: String)] = [:]
  private var pages: [Page] = []

  /// Nothing was fed yet.
  public init() {}

  /// Adds a record.
  ///
  /// - Returns: Whether the record is of concern here.
  /// - Throws: `BadInput` for one that lacks something, or repeats an id with other content.
  public mutating func add(_ record: RawRecord) throws(Failure) -> Bool {
    switch record.type {
    case Pipeline.type: try add(try Pipeline(record), record)
    case Stage.type: try add(try Stage(record), record)
    case Page.type: pages.append(try Page(record))
    default: return false
    }
    return true
  }

  private mutating func add(_ fed: Pipeline, _ record: RawRecord) throws(Failure) {
    var pipeline = fed
    if pipeline.id.isEmpty { pipeline.id = Identifier.make() }
    if let earlier = plans[pipeline.id]?.pipeline, earlier != pipeline {
      throw Failure(
        .badInput, "pipeline '\(pipeline.id)' was given before with other content",
        input: record.source)
    }
    enter(pipeline.id)
    plans[pipeline.id]?.pipeline = pipeline
  }

  private mutating func add(_ fed: Stage, _ record: RawRecord) throws(Failure) {
    var stage = fed
    guard stage.task.contains(where: { !$0.isWhitespace }), !stage.role.rawValue.isEmpty else {
      throw Failure(.badInput, "stage: 'role' or 'task' is empty", input: record.source)
    }
    guard stage.role != .ceo else {
      throw Failure(.badInput, "stage: the role 'ceo' cannot run a stage", input: record.source)
    }
    if stage.id.isEmpty { stage.id = Identifier.make() }
    if stage.pipelineId.isEmpty { stage.pipelineId = implicitPipeline }
    if let earlier = stageSources[stage.id] {
      guard earlier.line == record.bytes else {
        throw Failure(
          .badInput, "stage '\(stage.id)' was given before with other content",
          input: record.source)
      }
      return
    }
    stageSources[stage.id] = (record.bytes, stage.pipelineId)
    enter(stage.pipelineId)
    let last = plans[stage.pipelineId]?.stages.map(\.position).max()
    if !record.contains("position") { stage.position = last.map { $0 == .max ? $0 : $0 + 1 } ?? 0 }
    plans[stage.pipelineId]?.stages.append(stage)
  }

  /// Stages that name no pipeline belong to the one given last, else to one made for them.
  private var implicitPipeline: String { order.last ?? Identifier.make() }

  private mutating func enter(_ id: String) {
    guard plans[id] == nil else { return }
    order.append(id)
    plans[id] = Plan()
  }

  /// The pipelines to run, merged with what a store knows of them.
  ///
  /// - Parameter stored: Looks a pipeline up.
  /// - Returns: The plans, in the order in which they were first named.
  /// - Throws: `BadInput` for a begun stage that was changed, or a pipeline without stages.
  public func merged(
    stored: (String) throws(Failure) -> StoredPipeline?
  ) throws(Failure) -> [StoredPipeline] {
    var result: [StoredPipeline] = []
    for id in order { result.append(try merged(id, stored: try stored(id))) }
    return result
  }

  /// The pipelines that were named, in the order in which they first were.
  public var pipelineIds: [String] { order }

  /// One of the pipelines, merged with what a store knows of it.
  ///
  /// - Parameters:
  ///   - id: The pipeline.
  ///   - stored: What is stored under that id.
  /// - Returns: The plan to run.
  /// - Throws: As ``merged(stored:)``; `NotFound` when it was not fed.
  public func merged(_ id: String, stored: StoredPipeline?) throws(Failure) -> StoredPipeline {
    guard let plan = plans[id] else {
      throw Failure(.notFound, "there is no record of pipeline '\(id)' in the input", input: id)
    }
    return try merge(plan, id, stored)
  }

  private func merge(
    _ plan: Plan, _ id: String, _ stored: StoredPipeline?
  ) throws(Failure) -> StoredPipeline {
    guard !plan.stages.isEmpty else {
      throw Failure(.badInput, "pipeline '\(id)' has no stages", input: id)
    }
    var known: [String: Stage] = [:]
    for stage in stored?.stages ?? [] { known[stage.id] = stage }
    var stages: [Stage] = []
    var asked = stored?.askedModels ?? [:]
    for stage in plan.stages {
      let merged = try Self.merge(stage, known[stage.id], askedModel: asked[stage.id])
      if merged.startedAt == nil { asked[stage.id] = stage.model }
      stages.append(merged)
    }
    var pipeline =
      plan.pipeline ?? stored?.pipeline
      ?? Pipeline(id: id, goal: plan.stages.map(\.task).joined(separator: "\n"))
    // The state of a run is the store's to tell; a record may come from another machine.
    pipeline.status = stored?.pipeline.status ?? .waiting
    pipeline.error = stored?.pipeline.error
    pipeline.emptyReason = stored?.pipeline.emptyReason
    pipeline.finishedAt = stored?.pipeline.finishedAt
    pipeline.createdAt = stored?.pipeline.createdAt ?? pipeline.createdAt ?? .now
    // The start of a goal that was edited since names no project: nobody named one.
    if let kept = stored?.pipeline, kept.namedProject == nil, pipeline.project == kept.project {
      pipeline.project = nil
    }
    pipeline.project = pipeline.projectName
    pipeline.stageCount = stages.count
    for index in stages.indices where stages[index].labels == nil {
      stages[index].labels = pipeline.labels
    }
    return StoredPipeline(
      pipeline: pipeline, stages: stages, pages: pages.isEmpty ? stored?.pages ?? [] : pages,
      options: stored?.options, isBegun: stored?.isBegun ?? false,
      askedModels: asked)
  }

  private static func merge(
    _ fed: Stage, _ stored: Stage?, askedModel: String?
  ) throws(Failure) -> Stage {
    guard let stored, stored.startedAt != nil else {
      var stage = fed
      stage.status = .waiting
      stage.approved = false
      stage.startedAt = nil
      stage.finishedAt = nil
      stage.error = nil
      stage.sources = nil
      stage.usage = nil
      stage.costUSD = nil
      stage.stopReason = nil
      return stage
    }
    let isChanged =
      fed.role != stored.role || fed.task != stored.task
      || (fed.researchURLs ?? []) != (stored.researchURLs ?? [])
      || (fed.model != nil && fed.model != stored.model && fed.model != askedModel)
    guard !isChanged else {
      throw Failure(
        .badInput,
        "stage '\(fed.id)' has started: its role, task, URLs and model cannot be changed",
        input: fed.id)
    }
    var stage = stored
    stage.position = fed.position
    stage.labels = fed.labels ?? stored.labels
    return stage
  }
}
