public import Core
import Events
import Pipelines
import Requests
import Storage

/// Operations on stored plans and runs that no process executes at the moment.
public struct StoredPlans: Sendable {
  private let directories: Directories

  /// Creates operations on the store in the given directories.
  public init(_ directories: Directories) { self.directories = directories }

  /// Cancels a pipeline that waits or has stopped.
  ///
  /// The pipeline can no longer run or resume, and its gates are closed.
  ///
  /// - Parameters:
  ///   - id: The id of the pipeline.
  ///   - actor: The name of the person or program that cancels the pipeline.
  ///   - now: The current time.
  /// - Returns: The cancelled pipeline.
  /// - Throws: `NotFound` if there is no such pipeline; `Busy` if another process runs it;
  ///   `Conflict` if it has ended; `StorageFailed` if the store fails.
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

  /// Removes a plan that was never run.
  ///
  /// The cost of its planning is retained.
  ///
  /// - Parameter id: The id of the pipeline.
  /// - Returns: The pipeline that was removed.
  /// - Throws: `NotFound` if there is no such pipeline; `Busy` if another process runs it;
  ///   `Conflict` if it was run; `StorageFailed` if the store fails.
  public func delete(_ id: String) throws(Failure) -> Pipeline {
    try change(id) { (store, plan) throws(Failure) in
      guard !plan.isBegun else {
        let mayGoOn = ![.completed, .cancelled].contains(plan.pipeline.status)
        throw Failure(
          .conflict,
          "cannot delete pipeline '\(id)': it was run", input: id,
          nextStep: mayGoOn ? "use --cancel to end it" : nil)
      }
      try store.remove(pipeline: plan.pipeline.id)
      return plan.pipeline
    }
  }

  /// Changes the given pipeline under its lock, so that no other process runs it in the meantime.
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
