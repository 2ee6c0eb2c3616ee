package import Asking
package import Core
import Foundation
import GRDB
import Storage

/// Methods for the calls that produced answers.
///
/// Calls remain when the answers are deleted.
extension ChatStore: CallBook {
  /// Stores the given calls, sealed.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  package func save(_ calls: [Call]) throws(Failure) {
    try write { tables in
      for call in calls { try tables.store(call) }
    }
  }

  /// Returns the calls for plans and for answers in chats, but not for stages, oldest first.
  ///
  /// - Parameter instant: A time on the first day, in UTC, whose calls are returned; nil for all
  ///   calls.
  /// - Returns: The calls.
  /// - Throws: `StorageFailed` if the store cannot be read.
  func calls(sinceDayOf instant: Timestamp? = nil) throws(Failure) -> [Call] {
    let day = 86_400_000 as Int64
    let start = instant.map { $0.milliseconds - $0.milliseconds % day }
    return try read { tables in
      try tables.calls(
        "answerId IS NOT NULL AND (?1 IS NULL OR startedAt >= ?1) ORDER BY startedAt, id", [start])
    }
  }

  /// Converts the costs that older versions stored in a separate table into calls.
  ///
  /// A cost that cannot be read becomes unknown.
  func migrateSpending() throws(Failure) {
    let rows = "SELECT EXISTS (SELECT 1 FROM chatSpending)"
    guard try file.read({ try Bool.fetchOne($0, sql: rows) }) == true else { return }
    try write { try $0.migrateSpending() }
  }
}

extension SealedTables {
  /// Stores the given call, sealed.
  func store(_ call: Call) throws {
    try database.save(call) { try key.seal($0, for: SealedRow("call", $1)) }
  }

  fileprivate func calls(_ condition: String, _ arguments: StatementArguments) throws -> [Call] {
    try database.calls(condition, arguments) { try key.open($0, of: SealedRow("call", $1)) }
  }

  /// The data that an older version stored about an answer.
  private struct KeptSpending: Codable {
    var model: String?
    var tool: String?
    var usage: Usage?
    var costUSD: Double?
  }

  fileprivate func migrateSpending() throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT chatSpending.*, chat.isPlanning FROM chatSpending
        LEFT JOIN turn ON turn.id = chatSpending.id LEFT JOIN chat ON chat.id = turn.chatId
        """)
    for row in rows {
      let plain = try? key.open(row["sealed"], of: SealedRow("chatSpending", row["id"]))
      let known = plain.flatMap { try? JSONDecoder().decode(KeptSpending.self, from: $0) }
      // The oldest version did not store the tool, so it is derived from the chat.
      let isPlanning: Bool? = row["isPlanning"]
      let tool = known?.tool ?? isPlanning.map { $0 ? Call.Owner.planner : Call.Owner.chats }
      try count(
        Call(
          answer: row["id"], tool: tool, projectId: row["projectId"], sessionId: nil,
          model: known?.model, at: Timestamp(milliseconds: row["createdAt"]), known?.usage,
          known?.costUSD))
    }
    try database.execute(sql: "DELETE FROM chatSpending")
  }

  /// Records the given imported answer as one call.
  ///
  /// An answer with neither a model nor usage and with a cost of 0 is a copy. It is not recorded.
  func count(imported message: Message) throws {
    guard let id = message.id, message.role == "assistant",
      message.model != nil || message.usage != nil || message.costUSD != 0
    else { return }
    let chat = try message.chatId.flatMap { try self.chat($0) }
    let tool = chat?.agent ?? (chat?.isPlanning == true ? Call.Owner.planner : Call.Owner.chats)
    var call = Call(
      answer: id, tool: tool, projectId: chat?.projectId, sessionId: chat?.session,
      model: message.model, at: message.createdAt ?? .now, message.usage, message.costUSD)
    let isPriceUnknown = message.labels?["price"] != nil
    call.hasUnknownPrice = isPriceUnknown ? true : nil
    try count(call)
  }

  /// Stores the given call under the id of its answer, unless the stored call already contains
  /// more.
  private func count(_ call: Call) throws {
    let known = try calls("answerId = ?", [call.id])
    let isUnknown = call.usage == nil && call.costUSD == nil
    guard known.isEmpty || (known.map(\.id) == [call.id] && !isUnknown) else { return }
    if let same = known.first, same.usage == call.usage, same.costUSD == call.costUSD,
      same.owner == call.owner, same.model == call.model
    {
      return
    }
    try store(call)
  }
}

extension Call {
  /// Creates one call that stands for all requests for the given answer.
  ///
  /// Only their sum is known.
  fileprivate init(
    answer id: String, tool: String?, projectId: String?, sessionId: String?, model: String?,
    at instant: Timestamp, _ usage: Usage?, _ costUSD: Double?
  ) {
    self.init(
      for: Owner(tool: tool, answerId: id, projectId: projectId, sessionId: sessionId),
      model: model ?? "", estimatedTokens: 0, estimatedCostUSD: nil)
    end(.failed, usage, costUSD)
    (self.id, startedAt, finishedAt) = (id, instant, instant)
  }
}
