import Core
import GRDB

/// The tables that `llm` wrote up to version 0.31.
extension LLMLog {
  /// Adds each response as a prompt and an answer, except responses that are also stored as turns.
  func addResponses(to chats: inout LLMChats, in database: Database) throws {
    let moved = try tables.contains("turns") ? ids(of: "turns", in: database) : []
    let rows = try Row.fetchCursor(
      database, sql: "SELECT * FROM responses ORDER BY datetime_utc, id")
    while let row = try rows.next() {
      guard let id = Self.text(row, "id"), !moved.contains(id) else { continue }
      let key = Self.text(row, "conversation_id") ?? id
      let files = try files(ofResponse: id, in: database)
      let asked = Message(role: "user", text: try prompt(row, id, in: database)).with {
        $0.id = Self.id(id, "prompt")
        $0.attachments = files.isEmpty ? nil : files
      }
      chats.instruct(key, Self.text(row, "system"))
      chats.add(asked, to: key, at: Self.began(row))
      let answer = Message(role: "assistant", text: Self.text(row, "response") ?? "")
      chats.add(
        answer.with { $0.id = Self.id(id, "response") }.answering(row), to: key, at: Self.ended(row)
      )
    }
  }

  private func ids(of table: String, in database: Database) throws -> Set<String> {
    Set(
      try Row.fetchAll(database, sql: "SELECT id FROM \(table)").compactMap { Self.text($0, "id") })
  }

  private func prompt(_ row: Row, _ id: String, in database: Database) throws -> String {
    var text = ""
    if tables.isSuperset(of: ["prompt_fragments", "fragments"]) {
      let sql = """
        SELECT fragments.content FROM prompt_fragments
        JOIN fragments ON fragments.id = prompt_fragments.fragment_id
        WHERE prompt_fragments.response_id = ? ORDER BY prompt_fragments."order"
        """
      let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: [id])
      while let row = try rows.next() {
        if let content = Self.text(row, "content") { try append(content + "\n", to: &text) }
      }
    }
    return text + (Self.text(row, "prompt") ?? "")
  }

  private func files(ofResponse id: String, in database: Database) throws -> [AttachedFile] {
    guard tables.isSuperset(of: ["prompt_attachments", "attachments"]) else { return [] }
    let sql = """
      SELECT attachments.* FROM prompt_attachments
      JOIN attachments ON attachments.id = prompt_attachments.attachment_id
      WHERE prompt_attachments.response_id = ? ORDER BY prompt_attachments."order"
      """
    return Self.files(try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [id]))
  }

  /// Returns the time at which the given row's call began, in milliseconds since 1970.
  static func began(_ row: Row) -> Int64 {
    text(row, "datetime_utc").flatMap(instant)?.milliseconds ?? 0
  }

  /// Returns the time of the given row's answer, in milliseconds since 1970.
  ///
  /// It is always later than the prompt.
  static func ended(_ row: Row) -> Int64 {
    let took = number(row, "duration_ms").flatMap { Int64(exactly: $0.rounded()) } ?? 0
    return began(row) + max(1, min(took, 86_400_000))
  }
}

extension Message {
  /// Returns the message with the given row's data: the model, the duration and the token counts.
  func answering(_ row: Row) -> Message {
    with {
      $0.model = LLMLog.text(row, "resolved_model") ?? LLMLog.text(row, "model")
      $0.complete = true
      $0.totalMs = LLMLog.number(row, "duration_ms")
      $0.usage = LLMLog.usage(row)
    }
  }
}
