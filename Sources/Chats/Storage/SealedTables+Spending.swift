public import Core
import Foundation
import GRDB

/// What was spent on an answer.
public struct ChatSpending: Codable, Sendable, Hashable {
  /// When the answer came.
  public var createdAt = Timestamp.now
  /// The project it was for.
  public var projectId: String?
  /// The model.
  public var model: String?
  /// The tokens.
  public var usage: Usage?
  /// What they cost in US dollars; nil where the price is unknown.
  public var costUSD: Double?

  /// Spending of an answer.
  public init(_ message: Message, projectId: String?) {
    self.projectId = projectId
    (model, usage, costUSD) = (message.model, message.usage, message.costUSD)
    createdAt = message.createdAt ?? .now
  }
}

/// What answers cost, apart from them: it stays when they go.
extension SealedTables {
  /// Keeps what an answer cost, under its id.
  func put(_ spending: ChatSpending, id: String) throws {
    let row = SealedRow("chatSpending", id)
    try database.run(
      """
      INSERT INTO chatSpending (id, projectId, createdAt, sealed) VALUES (?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET projectId = excluded.projectId,
        createdAt = excluded.createdAt, sealed = excluded.sealed
      """,
      [
        id, spending.projectId, spending.createdAt.milliseconds,
        try key.seal(try JSONEncoder().encode(spending), for: row),
      ])
  }

  /// Keeps what an answer cost: an unknown cost if none was reported, as of an answer that was cut off,
  /// that nobody counted, or whose process was killed.
  ///
  /// A known cost stays if the answer is written again without one. An answer without a model that
  /// cost nothing was copied from elsewhere, and is no call.
  func putSpending(of message: Message, _ id: String) throws {
    guard message.role == "assistant",
      message.model != nil || message.usage != nil || message.costUSD != 0
    else { return }
    if message.usage == nil, message.costUSD == nil, let known = try spending("id = ?", [id]).first,
      known.usage != nil || known.costUSD != nil
    {
      return
    }
    let project = try String.fetchOne(
      database.cachedStatement(sql: "SELECT projectId FROM chat WHERE id = ?"),
      arguments: [message.chatId])
    try put(ChatSpending(message, projectId: project), id: id)
  }

  /// The spending that a condition holds for, the oldest first.
  func spending(
    _ condition: String = "TRUE", _ arguments: StatementArguments = []
  ) throws -> [ChatSpending] {
    try Row.fetchAll(
      database,
      sql: "SELECT id, sealed FROM chatSpending WHERE \(condition) ORDER BY createdAt, id",
      arguments: arguments
    ).map { row in
      let plain = try key.open(row["sealed"], of: SealedRow("chatSpending", row["id"]))
      return try JSONDecoder().decode(ChatSpending.self, from: plain)
    }
  }
}
