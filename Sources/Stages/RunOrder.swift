public import Core
public import Pipelines
public import Storage

/// The pipelines that are to run, and the store that contains them.
public struct RunOrder: Sendable {
  /// The store of the pipelines.
  public let store: Store
  /// The ids of the pipelines, in the order in which they start.
  public let ids: [String]
  /// The plans in the input; nil if stored pipelines are resumed.
  let plans: FedPlans?

  /// Creates an order to run the plans in the input.
  ///
  /// If one of them cannot run, none of them runs.
  ///
  /// - Throws: As ``FedPlans/merged(stored:)``; `StorageFailed` if the store cannot be opened.
  public init(_ plans: FedPlans, in directories: Directories) throws(Failure) {
    let store = try Store(directories)
    _ = try plans.merged { (id) throws(Failure) in try store.pipeline(id) }
    self.store = store
    self.plans = plans
    ids = plans.pipelineIds
  }

  /// Creates an order to resume the pipeline with the given id, or all unfinished ones if it is
  /// nil.
  ///
  /// - Returns: The order; nil if there is no store.
  /// - Throws: `NotFound` if `id` is set and there is no store; `StorageFailed` if the store cannot
  ///   be read.
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
  /// Runs the pipelines of the given order.
  ///
  /// - Parameters:
  ///   - order: The pipelines to run.
  ///   - jobs: The maximum number of pipelines that run at the same time.
  ///   - fail: Receives the reason why a pipeline did not complete.
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
