import Asking
public import Core
import Pipelines
import Requests
import Storage

/// What the store knows of runs, for whoever asks.
public struct StoredRuns: Sendable {
  private let store: Store?

  /// Reads the store of some directories, if there is one.
  ///
  /// - Throws: `StorageFailed`.
  public init(_ directories: Directories) throws(Failure) {
    store = try Store(existingIn: directories)
  }

  /// The pipelines of one status, or all, the newest first.
  ///
  /// - Parameters:
  ///   - status: The status; nil for any.
  ///   - limit: The largest number of pipelines; nil for all.
  /// - Returns: The pipelines.
  /// - Throws: `StorageFailed`.
  public func pipelines(
    _ status: PipelineStatus?, limit: Int? = nil
  ) throws(Failure) -> [Pipeline] {
    guard let store else { return [] }
    let stored = try store.pipelines(status: status).reversed()
    var pipelines = Array(stored.prefix(limit ?? .max))
    // What a run costs that goes on, or was killed, is in its calls alone.
    for index in pipelines.indices where pipelines[index].status == .running {
      pipelines[index].costUSD = try store.spending(pipelineId: pipelines[index].id).costUSD
    }
    return pipelines
  }

  /// A pipeline with its stages, results and gates.
  ///
  /// - Throws: `NotFound`, `StorageFailed`.
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
  /// The whole id of a pipeline that is named by a part of it; else the part.
  ///
  /// - Throws: `BadUsage` where it is a part of several, `StorageFailed`.
  func wholeId(ofPipeline part: String) throws(Failure) -> String {
    if try pipeline(part) != nil { return part }
    return try IdPart.whole(part, among: try pipelines().lazy.map(\.id), "pipeline") ?? part
  }
}
