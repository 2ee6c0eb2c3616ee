public import Core
import Events
import Pipelines
import Requests
import Storage

/// Plans and runs that are ended or removed while nobody runs them.
public struct StoredPlans: Sendable {
  private let directories: Directories

  /// The plans of some directories.
  public init(_ directories: Directories) { self.directories = directories }

  /// Ends a pipeline that waits or has stopped, so that it is never run or resumed; gates that wait for it
  /// are closed.
  ///
  /// - Parameters:
  ///   - id: The pipeline.
  ///   - actor: Who ends it.
  ///   - now: The present.
  /// - Returns: The pipeline as it is then.
  /// - Throws: `NotFound`; `Busy` where somebody runs it; `Conflict` for one that has ended;
  ///   `StorageFailed`.
  public func cancel(
    _ id: String, by actor: String, at now: Timestamp = .now
  ) throws(Failure) -> Pipeline {
    try change(id) { (store, plan) throws(Failure) in
      var pipeline = plan.pipeline
      guard ![.completed, .cancelled].contains(pipeline.status) else {
        throw Failure(
          .conflict, "pipeline '\(id)' is \(pipeline.status.rawValue) already", input: id)
      }
      let reason = "cancelled by \(actor)"
      for stage in plan.stages {
        guard let gate = try store.gate(ofStage: stage.id) else { continue }
        try store.expire(gate: gate.gateId, reason: reason, at: now)
      }
      let id = pipeline.id
      pipeline.status = .cancelled
      pipeline.error = Failure(.userRejected, reason, kind: .terminated, input: id)
      pipeline.finishedAt = now
      try store.update(pipeline)
      RunEvents(EventJournal(directories)).ended(pipeline)
      return pipeline
    }
  }

  /// Removes a plan that was never run; what planning it cost stays known.
  ///
  /// - Parameter id: The pipeline.
  /// - Returns: The pipeline as it was.
  /// - Throws: `NotFound`; `Busy` where somebody runs it; `Conflict` for one that was run;
  ///   `StorageFailed`.
  public func delete(_ id: String) throws(Failure) -> Pipeline {
    try change(id) { (store, plan) throws(Failure) in
      guard !plan.isBegun else {
        let mayGoOn = ![.completed, .cancelled].contains(plan.pipeline.status)
        throw Failure(
          .conflict,
          "cannot delete pipeline '\(id)': it was run"
            + (mayGoOn ? "; use --cancel to end it" : ""),
          input: id)
      }
      try store.remove(pipeline: plan.pipeline.id)
      return plan.pipeline
    }
  }

  /// Changes a pipeline that nobody runs, and that nobody begins to run meanwhile.
  private func change(
    _ id: String,
    _ change: (Store, StoredPipeline) throws(Failure) -> Pipeline
  ) throws(Failure) -> Pipeline {
    let found = try Store(existingIn: directories)
    guard let store = found, let id = try found?.wholeId(ofPipeline: id),
      try store.pipeline(id) != nil
    else { throw Failure(.notFound, "there is no pipeline '\(id)'", input: id) }
    guard let lock = try FileLock.ifFree("\(directories.state)/\(PipelineRunner.lock(id))") else {
      throw Failure(.busy, "another process is running pipeline '\(id)'", input: id)
    }
    defer { withExtendedLifetime(lock) {} }
    guard let plan = try store.pipeline(id) else {
      throw Failure(.notFound, "there is no pipeline '\(id)'", input: id)
    }
    return try change(store, plan)
  }
}
