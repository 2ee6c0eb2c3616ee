public import Core

/// The plans in the input of stage-run, which become the pipelines to run.
///
/// A plan in the input replaces the stored plan with the same id. Stored stages that it lacks are
/// deleted, and stages with unknown ids are added. Stages that name no pipeline belong to the last
/// pipeline before them, or else to a new one.
public struct FedPlans: Sendable {
  private struct Plan {
    var pipeline: Pipeline?
    var stages: [Stage] = []
  }

  /// The ids of the pipelines, in the order of their first occurrence.
  private var order: [String] = []
  private var plans: [String: Plan] = [:]
  private var stageSources: [String: (line: [UInt8], pipelineId: String)] = [:]
  private var pages: [Page] = []

  /// Creates an empty collection.
  public init() {}

  /// Adds the given record if it is part of a plan.
  ///
  /// - Returns: `true` if the record is part of a plan.
  /// - Throws: `BadInput` if a member is missing, or if the input already has a different record
  ///   with the same id.
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

  /// The id of the pipeline for stages that name none.
  ///
  /// It is the last pipeline of the input so far, or a new one.
  private var implicitPipeline: String { order.last ?? Identifier.make() }

  private mutating func enter(_ id: String) {
    guard plans[id] == nil else { return }
    order.append(id)
    plans[id] = Plan()
  }

  /// Returns the pipelines to run, merged with their stored state.
  ///
  /// - Parameter stored: Returns the stored pipeline with the given id; nil if there is none.
  /// - Returns: The pipelines, in the order of their first occurrence.
  /// - Throws: `BadInput` if a stage that has started was changed, or if a pipeline has no stages.
  public func merged(
    stored: (String) throws(Failure) -> StoredPipeline?
  ) throws(Failure) -> [StoredPipeline] {
    var result: [StoredPipeline] = []
    for id in order { result.append(try merged(id, stored: try stored(id))) }
    return result
  }

  /// The ids of the pipelines, in the order of their first occurrence.
  public var pipelineIds: [String] { order }

  /// Returns the pipeline with the given id, merged with its stored state.
  ///
  /// - Parameters:
  ///   - id: The id of the pipeline.
  ///   - stored: The stored pipeline with that id; nil if there is none.
  /// - Returns: The pipeline to run.
  /// - Throws: As ``merged(stored:)``; `NotFound` if the input does not contain the pipeline.
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
    // Only the store knows the state of a run, because a record may come from another machine.
    pipeline.status = stored?.pipeline.status ?? .waiting
    pipeline.error = stored?.pipeline.error
    pipeline.emptyReason = stored?.pipeline.emptyReason
    pipeline.finishedAt = stored?.pipeline.finishedAt
    pipeline.createdAt = stored?.pipeline.createdAt ?? pipeline.createdAt ?? .now
    // If the user named no project, the stored project was derived from the goal, which may have
    // been edited since.
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
      (stage.costUSD, stage.knownCostUSD) = (nil, nil)
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
