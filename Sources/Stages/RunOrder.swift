public import Core
public import Pipelines
public import Storage

/// The pipelines that are to run, one after the other or side by side, and the store that they are in.
public struct RunOrder: Sendable {
  /// Where the pipelines are kept.
  public let store: Store
  /// The pipelines, in the order in which they are begun.
  public let ids: [String]
  /// What was fed; nil where stored pipelines go on.
  let plans: FedPlans?

  /// Runs what was fed; a plan that cannot be run stops all of them before anything is sent.
  ///
  /// - Throws: As ``FedPlans/merged(stored:)``; `StorageFailed`.
  public init(_ plans: FedPlans, in directories: Directories) throws(Failure) {
    let store = try Store(directories)
    _ = try plans.merged { (id) throws(Failure) in try store.pipeline(id) }
    self.store = store
    self.plans = plans
    ids = plans.pipelineIds
  }

  /// Goes on with one pipeline, or with all that are begun; nil where nothing was ever run.
  ///
  /// - Throws: `NotFound` for a pipeline where there is no store; `StorageFailed`.
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
  ///   - order: What is to run.
  ///   - jobs: How many run at once.
  ///   - fail: Is told why one did not complete.
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
