public import Asking
public import Core
import GRDB
import Requests
public import Storage

extension Store {
  /// Notes that a stage's call is about to be sent: from here on it may be billed, whatever becomes of us.
  ///
  /// - Parameters:
  ///   - call: The call, running.
  ///   - stage: The stage that it is for.
  ///   - pipeline: The pipeline of the stage.
  /// - Throws: `StorageFailed`; then nothing may be sent.
  public func begin(_ call: Call, for stage: Stage, of pipeline: Pipeline) throws(Failure) {
    try file.write { database in
      try database.save(call)
      try database.save(stage)
      try database.save(pipeline)
    }
  }

  /// Commits how a stage's call ended, with its result and the gate that waits for approval.
  ///
  /// - Parameters:
  ///   - call: The call; nil when none was sent since the last one was committed.
  ///   - stage: The stage as it stands now.
  ///   - artifact: Its result, if there is one.
  ///   - gate: What waits for approval of the result, if anything does.
  /// - Throws: `StorageFailed`.
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
