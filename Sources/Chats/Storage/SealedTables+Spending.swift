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

  /// Keeps what a turn cost, if it did cost something.
  func putSpending(of message: Message, _ id: String) throws {
    guard message.usage != nil || message.costUSD != nil, message.role == "assistant" else {
      return
    }
    let project = try String.fetchOne(
      database.cachedStatement(sql: "SELECT projectId FROM chat WHERE id = ?"),
      arguments: [message.chatId])
    try put(ChatSpending(message, projectId: project), id: id)
  }

  /// All that was spent, the oldest first.
  func spending() throws -> [ChatSpending] {
    try Row.fetchAll(database, sql: "SELECT id, sealed FROM chatSpending ORDER BY createdAt, id")
      .map { row in
        let plain = try key.open(row["sealed"], of: SealedRow("chatSpending", row["id"]))
        return try JSONDecoder().decode(ChatSpending.self, from: plain)
      }
  }
}
