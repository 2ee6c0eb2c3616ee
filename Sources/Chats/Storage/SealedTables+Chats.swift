import CodingAgents
public import Core
import Foundation
import GRDB
import Storage

/// Methods for the rows of projects and chats.
///
/// The time of the last change is stored unsealed, because every turn updates it.
extension SealedTables {
  /// Stores a project, replacing its earlier state.
  func store(_ project: Project) throws {
    var kept = project
    kept.lastUpdatedAt = nil
    try database.run(
      """
      INSERT INTO project (id, updatedAt, sealed) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET updatedAt = excluded.updatedAt, sealed = excluded.sealed
      """,
      [
        project.id, (project.lastUpdatedAt ?? .now).milliseconds,
        try seal(kept, for: SealedRow("project", project.id)),
      ])
  }

  /// Stores a chat, replacing its earlier state but not its turns.
  func store(_ chat: Chat) throws {
    var kept = chat
    let createdAt = chat.createdAt ?? chat.lastUpdatedAt ?? .now
    kept.createdAt = createdAt
    kept.lastUpdatedAt = nil
    kept.nextCursor = nil
    try database.run(
      """
      INSERT INTO chat (id, projectId, isPlanning, createdAt, updatedAt, sealed)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET projectId = excluded.projectId,
        isPlanning = excluded.isPlanning, createdAt = excluded.createdAt,
        updatedAt = excluded.updatedAt, sealed = excluded.sealed
      """,
      [
        chat.id, chat.projectId, chat.isPlanning, createdAt.milliseconds,
        (chat.lastUpdatedAt ?? createdAt).milliseconds,
        try seal(kept, for: SealedRow("chat", chat.id)),
      ])
  }

  /// Sets the time at which the given chat and its project last changed, unless theirs is later.
  func touch(chat id: String, at instant: Timestamp) throws {
    try database.run(
      "UPDATE chat SET updatedAt = max(updatedAt, ?) WHERE id = ?", [instant.milliseconds, id])
    try database.run(
      """
      UPDATE project SET updatedAt = max(updatedAt, ?)
      WHERE id = (SELECT projectId FROM chat WHERE id = ?)
      """, [instant.milliseconds, id])
  }

  /// Returns all projects, the most recently changed first.
  func projects() throws -> [Project] {
    try Row.fetchAll(
      database, sql: "SELECT id, updatedAt, sealed FROM project ORDER BY updatedAt DESC, id DESC"
    ).map(project)
  }

  /// Returns the project with the given canonical path.
  func project(at path: String) throws -> Project? {
    try projects().first { $0.localPath == path }
  }

  /// Returns the project with the given id.
  func project(_ id: String) throws -> Project? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT id, updatedAt, sealed FROM project WHERE id = ?"),
      arguments: [id]
    ).map(project)
  }

  /// Returns the chats that meet the given SQL condition, the most recently changed first.
  func chats(
    _ condition: String, _ arguments: StatementArguments = [], atMost limit: Int = -1
  ) throws -> [Chat] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, updatedAt, sealed FROM chat WHERE \(condition) ORDER BY updatedAt DESC, id DESC
        LIMIT \(limit)
        """, arguments: arguments
    ).map(chat)
  }

  /// Returns the chat with the given id.
  func chat(_ id: String) throws -> Chat? { try chats("id = ?", [id]).first }

  private func project(_ row: Row) throws -> Project {
    let id: String = row["id"]
    var project = try record(Project.self, row["sealed"], of: SealedRow("project", id))
    project.lastUpdatedAt = Timestamp(milliseconds: row["updatedAt"])
    return project
  }

  private func chat(_ row: Row) throws -> Chat {
    let id: String = row["id"]
    var chat = try record(Chat.self, row["sealed"], of: SealedRow("chat", id))
    chat.lastUpdatedAt = Timestamp(milliseconds: row["updatedAt"])
    return chat
  }
}

extension Chat {
  private static let planner = "ceo-plan"

  /// `true` if the chat holds the exchanges of a planning.
  ///
  /// Only `ceo-plan` continues such a chat.
  public internal(set) var isPlanning: Bool {
    get { labels?["tool"] == Self.planner }
    set { labels = newValue ? ["tool": Self.planner] : nil }
  }

  /// The name of the agent whose session was imported as the chat; nil for other chats.
  var agent: String? {
    guard labels?["session"] != nil, let name = labels?["agent"] else { return nil }
    return CodingAgent(rawValue: name)?.rawValue
  }

  /// The session that owns the calls of the chat: the imported session, even if the chat is one of
  /// its subagents; otherwise the chat itself.
  var session: String {
    guard agent != nil, let name = labels?["session"] else { return id }
    return String(name.prefix { $0 != "/" })
  }

  /// Returns the title for a chat that begins with the given text: its first line, at most 80
  /// characters.
  public static func title(from text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).lazy
      .map { $0.trimmingCharacters(in: .whitespaces) }.first { !$0.isEmpty }
    guard let line else { return "" }
    return line.count > 80 ? line.prefix(79) + "…" : line
  }
}
