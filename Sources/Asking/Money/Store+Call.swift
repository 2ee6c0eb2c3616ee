public import Core
package import Foundation
package import GRDB
public import Storage

/// A store of calls.
///
/// It holds them in plaintext or encrypted.
package protocol CallBook: Sendable {
  /// The database that holds the calls.
  var store: Store { get }

  /// Commits the given calls in their present state.
  ///
  /// - Throws: `StorageFailed` if they cannot be stored; no request may be sent then.
  func save(_ calls: [Call]) throws(Failure)
}

extension Store: CallBook {
  /// The store itself, which stores calls in plaintext.
  package var store: Store { self }

  /// Commits calls in plaintext.
  ///
  /// - Throws: `StorageFailed` if they cannot be stored.
  package func save(_ calls: [Call]) throws(Failure) {
    try file.write { database in
      for call in calls { try database.save(call) }
    }
  }

  /// Returns the total of a pipeline's calls, or of the calls of one of its stages.
  ///
  /// - Parameters:
  ///   - pipelineId: The id of the pipeline.
  ///   - stageId: The id of the stage; nil for the whole pipeline, planning included.
  ///   - callId: The id of a call to exclude; nil to count all calls.
  /// - Returns: The total.
  /// - Throws: `StorageFailed` if the calls cannot be read.
  public func spending(
    pipelineId: String, stageId: String? = nil, without callId: String? = nil
  ) throws(Failure) -> Spending {
    try file.read { database in
      let calls = try database.calls(
        "pipelineId = ? AND (? IS NULL OR stageId = ?) AND id IS NOT ? ORDER BY id",
        [pipelineId, stageId, stageId, callId])
      return calls.reduce(into: Spending()) { $0.add($1) }
    }
  }
}

extension Database {
  /// Stores the given call in place of its earlier state.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - seal: A closure that encrypts the encoded call for the given id. The model and the amounts
  ///     are then stored only in encrypted form. If nil, the call is stored in plaintext.
  /// - Throws: The error of `seal`, or of SQLite.
  package func save(_ call: Call, sealing seal: ((Data, String) throws -> Data)? = nil) throws {
    let sealed = try seal.map { try $0(try JSONEncoder().encode(call), call.id) }
    let open = sealed == nil ? call : nil
    let usage = try open?.usage.map {
      String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
    }
    try run(
      """
      INSERT INTO call (id, pipelineId, stageId, answerId, model, outcome, startedAt, finishedAt,
        usage, costUSD, estimatedTokens, estimatedCostUSD, sealed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, model = excluded.model,
        finishedAt = excluded.finishedAt, usage = excluded.usage, costUSD = excluded.costUSD,
        sealed = excluded.sealed
      """,
      [
        call.id, call.owner.pipelineId, call.owner.stageId, call.owner.answerId,
        open?.model ?? "", call.outcome.rawValue, call.startedAt.milliseconds,
        call.finishedAt?.milliseconds, usage, open?.costUSD, open?.estimatedTokens,
        open?.estimatedCostUSD, sealed,
      ])
  }

  /// Assigns the calls for the given reply to the pipeline that was planned by them, if any.
  package func join(callsOf answerId: String, to pipelineId: String?) throws {
    try run("UPDATE call SET pipelineId = ? WHERE answerId = ?", [pipelineId, answerId])
  }

  /// Returns the calls that satisfy the given condition.
  ///
  /// - Parameters:
  ///   - condition: The SQL condition, followed by the order of the calls.
  ///   - arguments: The arguments of the condition.
  ///   - open: A closure that decrypts the call with the given id. If a call cannot be decrypted,
  ///     its cost is unknown.
  /// - Returns: The calls.
  /// - Throws: An error of SQLite.
  package func calls(
    _ condition: String, _ arguments: StatementArguments,
    opening open: ((Data, String) throws -> Data)? = nil
  ) throws -> [Call] {
    try Row.fetchAll(
      cachedStatement(sql: "SELECT * FROM call WHERE \(condition)"), arguments: arguments
    ).map { row in
      let plain = try? (row["sealed"] as Data?).flatMap { try open?($0, row["id"]) }
      return plain.flatMap { try? JSONDecoder().decode(Call.self, from: $0) } ?? Call(row)
    }
  }
}

extension Call {
  fileprivate init(_ row: Row) {
    let (stage, sealed): (String?, Data?) = (row["stageId"], row["sealed"])
    self.init(
      for: Owner(
        tool: sealed == nil ? stage == nil ? Owner.planner : Owner.runner : nil,
        pipelineId: row["pipelineId"], stageId: stage, answerId: row["answerId"]),
      model: row["model"], estimatedTokens: row["estimatedTokens"] ?? 0,
      estimatedCostUSD: row["estimatedCostUSD"])
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
