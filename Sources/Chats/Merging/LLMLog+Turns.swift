import Core
import Foundation
import GRDB

/// The tables that `llm` writes since version 0.32.
///
/// A turn is one call of a model. Its messages form a chain: each message names the previous one.
extension LLMLog {
  /// Adds the answer of each turn, and the earlier messages that its chat lacks.
  func addTurns(to chats: inout LLMChats, in database: Database) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT * FROM turns ORDER BY julianday(datetime_utc), id")
    while let row = try rows.next() {
      guard let id = Self.text(row, "id") else { continue }
      let key = Self.text(row, "thread_id") ?? id
      let parent = Self.text(row, "parent_message_hash")
      let tip = Self.text(row, "tip_message_hash")
      guard parent != nil || tip != nil else { continue }
      var output = try chain(from: tip, in: database) { $0 == parent }
      var input = try chain(from: parent, in: database) { chats.holds($0, in: key) }
      if let first = output.first, first.parent == nil {
        // The chain does not contain the prompt: the answer is the model's last messages.
        let start = output.lastIndex { $0.role != "assistant" }.map { $0 + 1 } ?? 0
        input += output[..<start].filter { !chats.holds($0.hash, in: key) }
        output.removeFirst(start)
      }
      add(input, to: &chats, key, turn: id, at: Self.began(row))
      chats.record(output, in: key)
      chats.add(
        LLMMessage(answerOf: output).record(Self.id(id, "response")).answering(row), to: key,
        at: Self.ended(row))
    }
  }

  /// Adds the messages of threads without turns, such as threads that programs write.
  func addThreads(to chats: inout LLMChats, in database: Database) throws {
    let rows = try Row.fetchCursor(database, sql: "SELECT * FROM threads ORDER BY id")
    while let row = try rows.next() {
      guard let key = Self.text(row, "id") else { continue }
      let messages = try chain(from: Self.text(row, "tip_message_hash"), in: database) {
        chats.holds($0, in: key)
      }
      add(messages, to: &chats, key, turn: nil, at: Self.began(row))
    }
  }

  /// Adds the given messages, which led to a call.
  ///
  /// Messages before the last answer belong to earlier calls. They are omitted if the chat has the
  /// same message under another hash, because different instructions or the older tables change the
  /// hash.
  private func add(
    _ messages: [LLMMessage], to chats: inout LLMChats, _ key: String, turn: String?,
    at instant: Int64
  ) {
    for message in messages where message.role == "system" {
      chats.instruct(key, message.text)
    }
    let answers = messages.lastIndex { $0.role == "assistant" }.map { $0 + 1 } ?? 0
    let start = turn == nil ? messages.count : answers
    let earlier = messages[..<start].filter { $0.role != "system" && !chats.has($0, in: key) }
    let later = messages[start...].filter { $0.role != "system" }
    let prompt = later.last { $0.role == "user" }?.hash
    for (index, message) in (earlier + later).enumerated() {
      var record = message.record(Self.id("\(key) \(message.hash)", "message"))
      if let turn, message.hash == prompt { record.id = Self.id(turn, "prompt") }
      // The call belongs to another chat, or was not logged.
      if message.role == "assistant" { (record.complete, record.costUSD) = (true, 0) }
      chats.add(record, to: key, at: instant - Int64(earlier.count + later.count - 1 - index))
    }
    chats.record(messages, in: key)
  }

  /// Returns the chain of messages that ends with the given message, oldest first.
  ///
  /// - Parameters:
  ///   - tip: The hash of the last message.
  ///   - database: The log.
  ///   - isKnown: Returns `true` for the hash of a message that is already known. The chain stops
  ///     before it.
  /// - Returns: The messages.
  /// - Throws: `BadInput` if a message is missing or the chain is a loop.
  private func chain(
    from tip: String?, in database: Database, until isKnown: (String) -> Bool
  ) throws -> [LLMMessage] {
    var (messages, seen): ([LLMMessage], Set<String>) = ([], [])
    var next = tip
    while let hash = next, !isKnown(hash) {
      guard seen.insert(hash).inserted,
        let row = try Row.fetchOne(
          database.cachedStatement(sql: "SELECT * FROM messages WHERE hash = ?"),
          arguments: [hash])
      else {
        throw Failure(
          .badInput, "the message '\(hash)' in '\(path)' is missing or refers to itself",
          input: path)
      }
      let message = try message(row, hash, in: database)
      messages.append(message)
      next = message.parent
    }
    return messages.reversed()
  }

  private func message(_ row: Row, _ hash: String, in database: Database) throws -> LLMMessage {
    var message = LLMMessage(
      hash: hash, parent: Self.text(row, "parent_hash"), role: Self.text(row, "role") ?? "user")
    let parts = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM parts WHERE message_hash = ? ORDER BY position"),
      arguments: [hash])
    for part in parts {
      let payload = try payload(part, of: hash)
      switch Self.text(part, "type") {
      case "text": message.text += try text(part, payload, in: database)
      case "reasoning": message.reasoning += try text(part, payload, in: database)
      case "tool_call":
        message.calls.append(
          ToolCall(
            id: payload?.toolCallId ?? "", name: payload?.name ?? "",
            arguments: payload?.arguments ?? .object([:])))
      case "tool_result" where message.role != "assistant":
        message.results.append(Self.result(payload))
      default: break
      }
      message.files += try files(ofPart: part, in: database)
    }
    return message
  }

  private static func result(_ payload: LLMMessage.Payload?) -> ToolResult {
    let text = JSONValue.object([
      "type": .string("text"), "text": .string(payload?.output ?? ""),
    ])
    var result = ToolResult(
      id: payload?.toolCallId ?? "", name: payload?.name ?? "", content: [text])
    // The log does not contain the duration. A result without one counts as missing.
    result.durationMs = 0
    return result
  }

  private func payload(_ part: Row, of hash: String) throws(Failure) -> LLMMessage.Payload? {
    guard let json = Self.text(part, "payload") else { return nil }
    do {
      return try JSONDecoder().decode(LLMMessage.Payload.self, from: Data(json.utf8))
    } catch {
      throw Failure(
        .badInput, "a part of the message '\(hash)' in '\(path)' cannot be read", input: path)
    }
  }

  /// Returns the text of the given part.
  ///
  /// As in `llm`, a deleted fragment counts as empty.
  private func text(
    _ part: Row, _ payload: LLMMessage.Payload?, in database: Database
  ) throws -> String {
    if let text = Self.text(part, "text") ?? payload?.text { return text }
    var text = ""
    for piece in payload?.textRef ?? [] {
      guard let fragment = piece.fragment, tables.contains("fragments") else {
        text += piece.literal ?? ""
        continue
      }
      let content = try String.fetchOne(
        database.cachedStatement(sql: "SELECT content FROM fragments WHERE id = ?"),
        arguments: [fragment])
      try append(content ?? "", to: &text)
    }
    return text
  }

  private func files(ofPart part: Row, in database: Database) throws -> [AttachedFile] {
    guard tables.isSuperset(of: ["part_attachments", "attachments"]),
      let number = Int64.fromDatabaseValue(part["id"])
    else { return [] }
    let sql = """
      SELECT attachments.* FROM part_attachments
      JOIN attachments ON attachments.id = part_attachments.attachment_id
      WHERE part_attachments.part_id = ? ORDER BY part_attachments."order"
      """
    return Self.files(try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [number]))
  }
}

extension LLMMessage {
  /// Creates one message from all messages of an answer.
  ///
  /// It has no hash.
  fileprivate init(answerOf messages: [LLMMessage]) {
    (hash, role) = ("", "assistant")
    text = messages.filter { $0.role == role }.map(\.text).joined()
    reasoning = messages.map(\.reasoning).joined()
    calls = messages.flatMap(\.calls)
    files = messages.flatMap(\.files)
  }
}
