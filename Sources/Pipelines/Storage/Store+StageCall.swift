public import Asking
public import Core
import GRDB
import Requests
public import Storage

extension Store {
  /// Commits the given call before it is sent, because it may be billed even if the process dies.
  ///
  /// - Parameters:
  ///   - call: The call, in the state `running`.
  ///   - stage: The stage that makes the call.
  ///   - pipeline: The pipeline that contains the stage.
  /// - Throws: `StorageFailed` if the call cannot be stored; it must not be sent then.
  public func begin(_ call: Call, for stage: Stage, of pipeline: Pipeline) throws(Failure) {
    try file.write { database in
      try database.save(call)
      try database.save(stage)
      try database.save(pipeline)
    }
  }

  /// Commits the end of a stage's call, together with the stage's result and its gate.
  ///
  /// - Parameters:
  ///   - call: The call; nil if the last call is already committed.
  ///   - stage: The stage in its present state.
  ///   - artifact: The stage's result, if there is one.
  ///   - gate: The gate that waits for approval of the result, if there is one.
  /// - Throws: `StorageFailed` if they cannot be stored.
  public func end(
    _ call: Call?, _ stage: Stage, artifact: Artifact? = nil, gate: ApprovalGate? = nil
  ) throws(Failure) {
    let file = try file
    try file.write { database in
      if let call { try database.save(call) }
      try database.save(stage)
      if let artifact { try database.insert(artifact) }
      if let gate { try file.rows(database).save(gate) }
    }
  }
}
