public import Core
import Foundation
import GRDB
import Storage

/// What was spent on an answer.
public struct ChatSpending: Codable, Sendable, Hashable {
  /// When the answer came.
  public var createdAt = Timestamp.now
  /// The project it was for.
  public var projectId: String?
  /// The model.
  public var model: String?
  /// What asked for it; nil of what an older version kept without its chat.
  public var tool: String?
  /// The tokens.
  public var usage: Usage?
  /// What they cost in US dollars; nil where the price is unknown.
  public var costUSD: Double?

  /// Spending of an answer: of a plan, or of a question in a chat.
  public init(_ message: Message, projectId: String?, isPlanning: Bool) {
    self.projectId = projectId
    tool = Self.tool(isPlanning: isPlanning)
    (model, usage, costUSD) = (message.model, message.usage, message.costUSD)
    createdAt = message.createdAt ?? .now
  }

  static func tool(isPlanning: Bool) -> String { isPlanning ? "ceo-plan" : "chat-send" }
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
    if message.usage == nil, message.costUSD == nil,
      let known = try spending("chatSpending.id = ?", [id]).first,
      known.usage != nil || known.costUSD != nil
    {
      return
    }
    let chat = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT projectId, isPlanning FROM chat WHERE id = ?"),
      arguments: [message.chatId])
    let spending = ChatSpending(
      message, projectId: chat?["projectId"], isPlanning: chat?["isPlanning"] ?? false)
    try put(spending, id: id)
  }

  /// The spending from the day of an instant on, UTC, or all of it, the oldest first.
  func spending(sinceDayOf instant: Timestamp?) throws -> [ChatSpending] {
    guard let milliseconds = instant?.milliseconds else { return try spending() }
    let day = 86_400_000 as Int64
    return try spending("chatSpending.createdAt >= ?", [milliseconds - milliseconds % day])
  }

  /// The spending that a condition holds for, the oldest first.
  func spending(
    _ condition: String = "TRUE", _ arguments: StatementArguments = []
  ) throws -> [ChatSpending] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT chatSpending.id, chatSpending.sealed, chat.isPlanning FROM chatSpending
        LEFT JOIN turn ON turn.id = chatSpending.id LEFT JOIN chat ON chat.id = turn.chatId
        WHERE \(condition) ORDER BY chatSpending.createdAt, chatSpending.id
        """,
      arguments: arguments
    ).map { row in
      let plain = try key.open(row["sealed"], of: SealedRow("chatSpending", row["id"]))
      var spending = try JSONDecoder().decode(ChatSpending.self, from: plain)
      // Only the chat tells it of what an older version kept.
      if spending.tool == nil, let isPlanning: Bool = row["isPlanning"] {
        spending.tool = ChatSpending.tool(isPlanning: isPlanning)
      }
      return spending
    }
  }
}
