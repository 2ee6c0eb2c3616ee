import Asking
public import Core
import Extraction
public import Pipelines
import Providers
import Requests
import Storage

/// A runner of pipelines.
///
/// Each result is committed before it is emitted. A run can therefore resume after any
/// interruption.
public struct PipelineRunner: Sendable {
  private let services: RunServices
  private let options: RunOptions

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - services: The services for the runs.
  ///   - options: The options of the runs. Where an option is not set, a pipeline's stored option
  ///     applies.
  public init(_ services: RunServices, options: RunOptions) {
    self.services = services
    self.options = options
  }

  private var store: Store { services.store }
  private var directories: Directories { services.directories }
  private var events: RunEvents { services.events }

  /// Runs the pipeline with the given id, from its start or from the point where an earlier run
  /// stopped.
  ///
  /// The given plans are merged with the stored plan while the pipeline is locked, because another
  /// process may have run it in the meantime.
  ///
  /// - Returns: The reason why the pipeline did not complete; nil if it did.
  public func run(_ id: String, of plans: FedPlans) async -> Failure? {
    await locked(id) { () async throws(Failure) in
      try await begin(try plans.merged(id, stored: try store.pipeline(id)))
    }
  }

  /// Resumes the stored pipeline with the given id.
  ///
  /// - Returns: The reason why the pipeline did not complete; nil if it did.
  public func resume(_ id: String) async -> Failure? {
    await locked(id) { () async throws(Failure) in
      guard let plan = try store.pipeline(id) else {
        throw Failure(.notFound, "there is no pipeline '\(id)'", input: id)
      }
      return try await begin(plan)
    }
  }

  private func begin(_ plan: StoredPipeline) async throws(Failure) -> Failure? {
    guard plan.pipeline.status != .cancelled else {
      throw plan.pipeline.error ?? Failure(.userRejected, "the pipeline was terminated")
    }
    var plan = plan
    for stage in plan.stages {
      guard let owner = try store.pipelineId(ofStage: stage.id), owner != plan.pipeline.id else {
        continue
      }
      throw Failure(
        .badInput, "stage '\(stage.id)' belongs to pipeline '\(owner)'", input: stage.id)
    }
    try checkEffort(plan)
    let options = options.over(plan.options)
    plan.options = options.json
    plan.isBegun = true
    try store.save(plan)
    return await execute(plan, options)
  }

  /// Rejects an effort that a stage's model does not support, before the effort is stored.
  private func checkEffort(_ plan: StoredPipeline) throws(Failure) {
    guard let effort = options.effort else { return }
    for stage in plan.stages where stage.status == .waiting {
      let choice = try services.models.directory.choose(
        role: stage.role, flag: options.model, team: options.teamSettings, record: stage.model,
        plan: plan.pipeline.stageModel)
      try choice.check(temperature: nil, effort: effort)
    }
  }

  /// Runs the given closure while it holds the lock of the given pipeline.
  ///
  /// Only one process at a time can hold the lock. It is released when that process ends.
  private func locked(
    _ id: String, _ work: () async throws(Failure) -> Failure?
  ) async -> Failure? {
    do throws(Failure) {
      guard let lock = try FileLock.ifFree("\(directories.state)/\(Self.lock(id))") else {
        throw Failure(.busy, "another process is running pipeline '\(id)'", input: id)
      }
      defer { withExtendedLifetime(lock) {} }
      return try await work()
    } catch {
      return error.at(id)
    }
  }

  /// Returns the name of the given pipeline's lock in the state directory.
  static func lock(_ id: String) -> String {
    let name = id.allSatisfy { $0.isHexDigit || $0 == "-" } ? id : "\(id.utf8.map(Int.init))"
    return "locks/\(name.prefix(200)).lock"
  }

  private func execute(_ plan: StoredPipeline, _ options: RunOptions) async -> Failure? {
    var pipeline = plan.pipeline
    pipeline.error = nil
    pipeline.finishedAt = nil
    pipeline.emptyReason = nil
    pipeline.status = .running
    // The cost is unknown until the run ends, and stays unknown if the process is killed during a
    // call.
    (pipeline.costUSD, pipeline.knownCostUSD) = (nil, nil)
    events.began(pipeline)
    let beats = Task { [pipeline, events] in await events.beat(pipeline) }
    let failure = await steered(plan, pipeline, options)
    beats.cancel()
    pipeline.status = failure.map(PipelineStatus.init(after:)) ?? .completed
    pipeline.error = failure
    pipeline.finishedAt = pipeline.status == .paused ? nil : .now
    var ending = failure
    do throws(Failure) {
      let spending = try store.spending(pipelineId: pipeline.id)
      pipeline.usage = spending.countedUsage
      (pipeline.costUSD, pipeline.knownCostUSD) = (spending.costUSD, spending.knownPart)
      pipeline.emptyReason = try emptyReason(of: plan) ?? failure?.emptyReason
      try store.update(pipeline)
    } catch {
      ending = failure ?? error
      pipeline.error = ending
      if failure == nil { pipeline.status = .failed }
    }
    // The run is ended in the output even if the store fails.
    events.ended(pipeline)
    do throws(Failure) { try services.emit(pipeline) } catch { ending = ending ?? error }
    return ending
  }

  /// Returns the reason why the results of the given plan have no content; nil if any has content.
  private func emptyReason(of plan: StoredPipeline) throws(Failure) -> String? {
    let researchers = plan.stages.filter { $0.role == .researcher }
    let stages = Set((researchers.isEmpty ? plan.stages : researchers).map(\.id))
    let results = try store.artifacts(of: plan.pipeline.id).filter {
      $0.stageId.map(stages.contains) ?? false
    }
    return results.contains { $0.emptyReason == nil } ? nil : results.first?.emptyReason
  }

  /// Runs the stages of the given plan, and applies control requests during the run.
  private func steered(
    _ plan: StoredPipeline, _ pipeline: Pipeline, _ options: RunOptions
  ) async -> Failure? {
    let control = RunControl(pipelineId: pipeline.id, stageIds: plan.stages.map(\.id))
    let session = Identifier.make()
    let agents = [pipeline.id] + plan.stages.filter { $0.status != .approved }.map(\.id)
    let runners = agents.map {
      Runner(
        agentId: $0, swarmId: pipeline.id, sessionId: session, lock: Self.lock(pipeline.id))
    }
    let close: @Sendable () async -> Void
    if let steer = services.steer {
      close = steer(runners) { control.apply($0) }
    } else {
      do throws(Failure) {
        let post = try post(runners, control)
        close = { post.close() }
      } catch {
        return error.at(pipeline.id)
      }
    }
    let failure = await outcome(of: plan, pipeline, options, control)
    control.finish()
    await close()
    return failure
  }

  /// Starts to apply the control requests in the store to the run.
  ///
  /// Each request is answered.
  private func post(
    _ runners: [Runner], _ control: RunControl
  ) throws(Failure) -> ControlPost {
    try ControlPost(runners, store: store, report: services.report) {
      [events, report = services.report] (post, asked) in
      do throws(Failure) {
        if let event = try post.answer(asked, control.apply(asked)) { events.steered(event) }
      } catch {
        report("cannot answer a control: \(error.explanation)")
      }
    }
  }

  private func outcome(
    of plan: StoredPipeline, _ pipeline: Pipeline, _ options: RunOptions, _ control: RunControl
  ) async -> Failure? {
    do {
      try await PipelineRun(
        services: services, plan: plan, pipeline: pipeline, options: options, control: control
      ).run(all: plan.stages)
      return nil
    } catch {
      return error.at(pipeline.id)
    }
  }
}

extension PipelineStatus {
  /// Creates the status of a pipeline that was stopped by the given failure.
  fileprivate init(after failure: Failure) {
    switch failure.code {
    case .userRejected where failure.kind == .terminated: self = .cancelled
    case .paused, .budgetExceeded, .interrupted: self = .paused
    default: self = .failed
    }
  }
}
