import Asking
import Catalogue
import Core
import Fetching
import Foundation
import Pipelines
import Providers
import Requests
import Storage

/// A run of one pipeline.
struct PipelineRun: Sendable {
  let services: RunServices
  let pipeline: Pipeline
  let options: RunOptions
  /// The stages of the plan, sorted by position.
  let stages: [Stage]
  let pages: [Page]
  let budget: Budget
  /// The models of the stages that may still send requests, by stage id.
  let choices: [String: ModelChoice]
  /// The control state of the run.
  let control: RunControl

  var store: Store { services.store }

  /// Creates a run, and chooses the models of all stages.
  ///
  /// A missing key or price is therefore found before the first call.
  ///
  /// - Throws: `MissingAPIKey` if there is no key for a model; `NotFound` if a model is unknown;
  ///   `BadConfiguration` if the budget needs a price that is unknown.
  init(
    services: RunServices, plan: StoredPipeline, pipeline: Pipeline, options: RunOptions,
    control: RunControl
  ) throws(Failure) {
    self.services = services
    self.control = control
    self.pipeline = pipeline
    self.options = options
    stages = plan.stages.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    pages = plan.pages
    budget = Budget(
      maxCost: options.maxCost, maxTokens: options.maxTotalTokens,
      spent: try services.store.spending(pipelineId: pipeline.id))
    var choices: [String: ModelChoice] = [:]
    for stage in plan.stages where stage.status == .waiting || !stage.isFinished {
      let choice = try services.models.directory.choose(
        role: stage.role, flag: options.model, team: options.teamSettings, record: stage.model,
        plan: pipeline.stageModel)
      if options.maxCost != nil { choice.reportOldPrice() }
      guard options.maxCost == nil || choice.hasKnownPrice else {
        throw Failure(
          .badConfiguration,
          "the price of model '\(choice.name)' is unknown: --max-cost needs one",
          kind: .unknownPrice, input: choice.name)
      }
      choices[stage.id] = choice
    }
    self.choices = choices
  }

  /// Runs the given stages, one position after the other.
  func run(all stages: [Stage]) async throws(Failure) {
    for position in Set(stages.map(\.position)).sorted() {
      try await run(stages.filter { $0.position == position })
    }
  }

  /// Runs the given stages in parallel.
  ///
  /// If one fails, the failure is thrown after all of them have ended.
  private func run(_ stages: [Stage]) async throws(Failure) {
    // A stage that already has a result only waits for approval and calls no model.
    await budget.start(stages.map(\.id).filter { choices[$0]?.isFree == false })
    let failures = await withTaskGroup(of: Failure?.self) { group in
      for stage in stages {
        group.addTask {
          let ended = await control.run(stage.id) { await failure(of: stage) }
          await budget.leave(stage.id)
          return ended
        }
      }
      var failures: [Failure] = []
      for await failure in group { if let failure { failures.append(failure) } }
      return failures
    }
    // A rejection or an interruption takes precedence over other failures.
    let order: [FailureCode] = [.interrupted, .userRejected]
    if let failure = order.compactMap({ code in failures.first { $0.code == code } }).first
      ?? failures.first(where: { $0.code != .paused }) ?? failures.first
    {
      throw failure
    }
  }

  /// Emits the given record and reports its events.
  ///
  /// Records that end a stage with a failure are emitted with `try?`: their failure matters more
  /// than an output that cannot be written.
  func emit(_ record: any StreamRecord) throws(Failure) {
    services.events.saw(record, of: pipeline)
    try services.emit(record)
  }

  private func failure(of stage: Stage) async -> Failure? {
    do throws(Failure) {
      switch stage.status {
      case .approved: try repeatResult(of: stage)
      case .completed: try await judge(stage, repeatResult(of: stage), isNew: false)
      case .failed where stage.error?.code == .userRejected:
        try? emit(stage)
        throw stage.error ?? Failure(.userRejected, "the stage was rejected")
      default:
        try await control.ready(stage.id)
        try await send(stage)
      }
      return nil
    } catch {
      return end(stage, control.cause(of: error)).at(stage.id)
    }
  }

  /// Ends the given stage if the run was terminated while it waited for a gate or before it was
  /// sent.
  private func end(_ stage: Stage, _ failure: Failure) -> Failure {
    guard failure.kind == .terminated else { return failure }
    do throws(Failure) {
      guard
        var stored = try store.pipeline(pipeline.id)?.stages.first(where: { $0.id == stage.id }),
        stored.status != .failed, stored.status != .approved
      else { return failure }
      if let gate = try store.gate(ofStage: stage.id), gate.status == .pending {
        try store.expire(gate: gate.gateId, reason: failure.explanation)
        if let gate = try store.gate(gate.gateId) { try? emit(gate) }
      }
      stored.status = .failed
      stored.error = failure
      stored.finishedAt = .now
      try store.update(stored)
      try? emit(stored)
    } catch {
      return error
    }
    return failure
  }

  /// Emits the stored result of a finished stage again.
  @discardableResult
  private func repeatResult(of stage: Stage) throws(Failure) -> Artifact {
    let artifacts = try store.artifacts(of: pipeline.id)
    guard let artifact = artifacts.last(where: { $0.stageId == stage.id }) else {
      throw Failure(.storageFailed, "the result of stage '\(stage.id)' is missing")
    }
    try emit(artifact)
    try emit(stage)
    return artifact
  }
}

extension Stage {
  /// `true` if the stage has a result, or was rejected.
  fileprivate var isFinished: Bool {
    switch status {
    case .approved, .completed: true
    case .failed: error?.code == .userRejected
    case .waiting, .running: false
    }
  }
}
