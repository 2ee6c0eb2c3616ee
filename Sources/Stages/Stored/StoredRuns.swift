import Asking
public import Core
import Pipelines
import Requests
import Storage

/// The stored state of runs.
public struct StoredRuns: Sendable {
  private let store: Store?

  /// Opens the store in the given directories, if it exists.
  ///
  /// - Throws: `StorageFailed` if the store cannot be opened.
  public init(_ directories: Directories) throws(Failure) {
    store = try Store(existingIn: directories)
  }

  /// Returns the pipelines with the given status, the newest first.
  ///
  /// - Parameters:
  ///   - status: The status; nil for all.
  ///   - limit: The maximum number of pipelines; nil for all.
  /// - Returns: The pipelines.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func pipelines(
    _ status: PipelineStatus?, limit: Int? = nil
  ) throws(Failure) -> [Pipeline] {
    guard let store else { return [] }
    let stored = try store.pipelines(status: status).reversed()
    var pipelines = Array(stored.prefix(limit ?? .max))
    // The cost of a running or killed pipeline is recorded only in its calls.
    for index in pipelines.indices where pipelines[index].status == .running {
      let spending = try store.spending(pipelineId: pipelines[index].id)
      pipelines[index].costUSD = spending.costUSD
      pipelines[index].knownCostUSD = spending.knownPart
    }
    return pipelines
  }

  /// Returns the pipeline with the given id, with its stages, results and gates.
  ///
  /// - Throws: `NotFound` if there is no such pipeline; `StorageFailed` if the store cannot be
  ///   read.
  public func records(of id: String) throws(Failure) -> [any StreamRecord] {
    guard let store, let plan = try store.pipeline(try store.wholeId(ofPipeline: id)) else {
      throw Failure(.notFound, "there is no pipeline '\(id)'", input: id)
    }
    var records: [any StreamRecord] = [plan.pipeline]
    let artifacts = try store.artifacts(of: plan.pipeline.id)
    for stage in plan.stages {
      records.append(stage)
      for artifact in artifacts where artifact.stageId == stage.id { records.append(artifact) }
      if let gate = try store.gate(ofStage: stage.id) { records.append(gate) }
    }
    return records
  }
}

extension Store {
  /// Returns the id of the only pipeline whose id begins with or contains `part`; `part` itself if
  /// there is none.
  ///
  /// - Throws: `BadUsage` if several ids match; `StorageFailed` if the store cannot be read.
  func wholeId(ofPipeline part: String) throws(Failure) -> String {
    if try pipeline(part) != nil { return part }
    return try IdPart.whole(part, among: try pipelines().lazy.map(\.id), "pipeline") ?? part
  }
}
