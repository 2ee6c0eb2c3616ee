public import Chats
public import Core
import Foundation
import GRDB
import Requests
public import Storage

extension Store {
  /// Keeps a new plan with the call that made it and the words that were exchanged.
  ///
  /// - Parameters:
  ///   - plan: The plan; nil when the reply held none.
  ///   - calls: The requests that it took, ended.
  ///   - messages: The goal and the reply.
  ///   - chatId: Joins the turns of one planning.
  ///   - chats: Where they are kept, sealed: chats of this store.
  /// - Throws: `StorageFailed`.
  public func save(
    plan: StoredPipeline?, calls: [Call], messages: [Message], chatId: String, in chats: ChatStore
  ) throws(Failure) {
    try chats.keep(messages, ofPlanning: chatId) { database in
      if let plan {
        try database.save(plan.pipeline)
        for stage in plan.stages { try database.save(stage) }
      }
      for call in calls {
        var call = call
        call.pipelineId = plan?.pipeline.id
        try database.save(call)
      }
    }
  }

  /// Removes a plan; the calls that made it stay, as calls of no pipeline.
  ///
  /// - Throws: `StorageFailed`.
  package func remove(pipeline id: String) throws(Failure) {
    try file.write { database in
      try database.execute(
        sql: "UPDATE call SET pipelineId = NULL WHERE pipelineId = ?", arguments: [id])
      try database.execute(sql: "DELETE FROM pipeline WHERE id = ?", arguments: [id])
    }
  }

  /// Notes that a call is about to be sent: from here on it may be billed, whatever becomes of us.
  ///
  /// - Parameters:
  ///   - call: The call, running.
  ///   - stage: The stage that it is for, and its pipeline; nil for planning.
  /// - Throws: `StorageFailed`; then nothing may be sent.
  public func begin(
    _ call: Call, for stage: (stage: Stage, pipeline: Pipeline)? = nil
  ) throws(Failure) {
    try file.write { database in
      try database.save(call)
      if let stage {
        try database.save(stage.stage)
        try database.save(stage.pipeline)
      }
    }
  }

  /// Commits how a call ended that is followed by another one.
  ///
  /// - Throws: `StorageFailed`.
  public func end(_ call: Call) throws(Failure) {
    try file.write { try $0.save(call) }
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

  /// What the calls of a pipeline, or of one of its stages, add up to.
  ///
  /// - Parameters:
  ///   - pipelineId: The pipeline.
  ///   - stageId: The stage; nil for all of them, and planning.
  ///   - callId: A call that is not counted; nil to count all.
  /// - Returns: The sum.
  /// - Throws: `StorageFailed`.
  public func spending(
    pipelineId: String, stageId: String? = nil, without callId: String? = nil
  ) throws(Failure) -> Spending {
    try file.read { database in
      var spending = Spending()
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT * FROM call WHERE pipelineId = ? AND (? IS NULL OR stageId = ?) AND id IS NOT ?
            ORDER BY id
            """),
        arguments: [pipelineId, stageId, stageId, callId])
      while let row = try rows.next() { spending.add(Call(row)) }
      return spending
    }
  }
}

extension Database {
  fileprivate func save(_ call: Call) throws {
    let usage = try call.usage.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try run(
      """
      INSERT INTO call (id, pipelineId, stageId, model, outcome, startedAt, finishedAt, usage,
        costUSD, estimatedTokens, estimatedCostUSD) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, model = excluded.model,
        pipelineId = coalesce(excluded.pipelineId, pipelineId),
        finishedAt = excluded.finishedAt, usage = excluded.usage, costUSD = excluded.costUSD
      """,
      [
        call.id, call.pipelineId, call.stageId, call.model, call.outcome.rawValue,
        call.startedAt.milliseconds, call.finishedAt?.milliseconds, usage, call.costUSD,
        call.estimatedTokens, call.estimatedCostUSD,
      ])
  }
}

extension Call {
  fileprivate init(_ row: Row) {
    self.init(
      pipelineId: row["pipelineId"], stageId: row["stageId"], model: row["model"],
      estimatedTokens: row["estimatedTokens"] ?? 0, estimatedCostUSD: row["estimatedCostUSD"])
    id = row["id"]
    outcome = Outcome(rawValue: row["outcome"]) ?? .failed
    startedAt = Timestamp(milliseconds: row["startedAt"])
    finishedAt = (row["finishedAt"] as Int64?).map(Timestamp.init(milliseconds:))
    usage = (row["usage"] as String?).flatMap {
      try? JSONDecoder().decode(Usage.self, from: Data($0.utf8))
    }
    costUSD = row["costUSD"]
  }
}
