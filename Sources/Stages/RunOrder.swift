public import Core
public import Pipelines
public import Storage

/// The pipelines to run, in sequence or in parallel, and their store.
public struct RunOrder: Sendable {
  /// The store of the pipelines.
  public let store: Store
  /// The ids of the pipelines, in starting order.
  public let ids: [String]
  /// The plans from the input; nil if stored pipelines are resumed.
  let plans: FedPlans?

  /// Creates an order for plans from the input; a plan that cannot run stops all before any
  /// request.
  ///
  /// - Throws: As ``FedPlans/merged(stored:)``; `StorageFailed`.
  public init(_ plans: FedPlans, in directories: Directories) throws(Failure) {
    let store = try Store(directories)
    _ = try plans.merged { (id) throws(Failure) in try store.pipeline(id) }
    self.store = store
    self.plans = plans
    ids = plans.pipelineIds
  }

  /// Creates an order to resume one pipeline, or all started ones; nil if there is no store.
  ///
  /// - Throws: `NotFound` for a pipeline if there is no store; `StorageFailed`.
  public init?(resuming id: String?, in directories: Directories) throws(Failure) {
    guard let store = try Store(existingIn: directories) else {
      if let id { throw Failure(.notFound, "there is no pipeline '\(id)'", input: id) }
      return nil
    }
    self.store = store
    plans = nil
    ids = if let id { [try store.wholeId(ofPipeline: id)] } else { try store.unfinishedPipelines() }
  }
}

extension PipelineRunner {
  /// Runs all pipelines of an order.
  ///
  /// - Parameters:
  ///   - order: The pipelines to run.
  ///   - jobs: The maximum number of pipelines that run at once.
  ///   - fail: Receives the reason that a pipeline did not complete.
  public func run(
    _ order: RunOrder, jobs: Int, fail: @Sendable (Failure) -> Void
  ) async {
    await withTaskGroup(of: Failure?.self) { group in
      for (index, id) in order.ids.enumerated() {
        if index >= jobs, let failure = await group.next() ?? nil { fail(failure) }
        guard !Task.isCancelled else { break }
        group.addTask {
          guard let plans = order.plans else { return await resume(id) }
          return await run(id, of: plans)
        }
      }
      for await failure in group { if let failure { fail(failure) } }
    }
  }
}
