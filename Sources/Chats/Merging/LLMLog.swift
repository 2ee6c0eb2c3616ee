public import Core
import Foundation
import GRDB

/// What the program `llm` (https://llm.datasette.io, `logs.db`) kept: conversations and responses.
public struct LLMLog {
  private let queue: DatabaseQueue
  private let path: String
  private var tables: Set<String> = []

  /// Opens a log, which is only read.
  ///
  /// - Throws: `NotFound` where there is no file, `BadInput` where it is no such log.
  public init(_ path: String) throws(Failure) {
    self.path = path
    guard access(path, F_OK) == 0 else {
      throw Failure(.notFound, "there is no file '\(path)'", input: path)
    }
    do {
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      queue = try DatabaseQueue(path: path, configuration: configuration)
      tables = try queue.read { database in
        Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_master"))
      }
    } catch {
      throw Self.failure(error, path)
    }
    guard tables.contains("responses"), tables.contains("conversations") else {
      throw Failure(.badInput, "'\(path)' is no log of llm", input: path)
    }
  }

  /// All of it: each conversation is a chat, each response a prompt and an answer.
  ///
  /// Ids are made of theirs, so that a second time nothing is new.
  ///
  /// - Throws: `BadInput`.
  public func material() throws(Failure) -> ChatMaterial {
    do {
      return try queue.read { database in
        var material = ChatMaterial()
        var chats: [String: Chat] = [:]
        var order: [String] = []
        let names = Dictionary(
          try Row.fetchAll(database, sql: "SELECT id, name FROM conversations").map {
            (Self.text($0, "id") ?? "", Self.text($0, "name"))
          }, uniquingKeysWith: { $1 })
        let rows = try Row.fetchCursor(
          database, sql: "SELECT * FROM responses ORDER BY datetime_utc, id")
        while let row = try rows.next() {
          guard let id = Self.text(row, "id") else { continue }
          let conversation = Self.text(row, "conversation_id") ?? id
          let turns = try self.turns(row, id, in: database)
          var chat = chats[conversation] ?? Chat(id: Self.id(conversation, "conversation"))
          if chats[conversation] == nil {
            order.append(conversation)
            chat.title = Chat.title(from: names[conversation].flatMap(\.self) ?? turns[0].text)
            chat.createdAt = turns[0].createdAt
          }
          chat.system = chat.system ?? Self.text(row, "system").flatMap { $0.isEmpty ? nil : $0 }
          chat.lastUpdatedAt = [chat.lastUpdatedAt, turns[1].createdAt].compactMap(\.self).max()
          chats[conversation] = chat
          for turn in turns { try material.add(turn.with { $0.chatId = chat.id }) }
        }
        for conversation in order { chats[conversation].map { material.add($0) } }
        return material
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// The prompt and the answer of a response.
  private func turns(_ row: Row, _ id: String, in database: Database) throws -> [Message] {
    let began = Self.text(row, "datetime_utc").flatMap(Self.instant) ?? Timestamp(milliseconds: 0)
    let took = Self.number(row, "duration_ms").flatMap { Int64(exactly: $0.rounded()) } ?? 0
    let fragments = try texts(
      "prompt_fragments", id, in: database,
      """
      SELECT fragments.content FROM prompt_fragments
      JOIN fragments ON fragments.id = prompt_fragments.fragment_id
      WHERE prompt_fragments.response_id = ? ORDER BY prompt_fragments."order"
      """)
    let prompt = fragments + [Self.text(row, "prompt") ?? ""]
    let files = try files(of: id, in: database)
    let asked = Message(role: "user", text: prompt.joined(separator: "\n")).with {
      $0.id = Self.id(id, "prompt")
      $0.attachments = files.isEmpty ? nil : files
      $0.createdAt = began
    }
    let answered = Message(role: "assistant", text: Self.text(row, "response") ?? "").with {
      $0.id = Self.id(id, "response")
      $0.model = Self.text(row, "resolved_model") ?? Self.text(row, "model")
      $0.complete = true
      $0.totalMs = Self.number(row, "duration_ms")
      let (input, output) = (Self.number(row, "input_tokens"), Self.number(row, "output_tokens"))
      if input != nil || output != nil {
        $0.usage = Usage(inputTokens: Self.count(input), outputTokens: Self.count(output))
      }
      // Behind its prompt, however fast it came.
      $0.createdAt = Timestamp(milliseconds: began.milliseconds + max(1, min(took, 86_400_000)))
    }
    return [asked, answered]
  }

  private func texts(
    _ table: String, _ id: String, in database: Database, _ sql: String
  ) throws -> [String] {
    guard tables.contains(table) else { return [] }
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [id]).compactMap {
      String.fromDatabaseValue($0[0])
    }
  }

  private func files(of id: String, in database: Database) throws -> [AttachedFile] {
    guard tables.contains("prompt_attachments"), tables.contains("attachments") else { return [] }
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT attachments.* FROM prompt_attachments
          JOIN attachments ON attachments.id = prompt_attachments.attachment_id
          WHERE prompt_attachments.response_id = ? ORDER BY prompt_attachments."order"
          """), arguments: [id])
    return rows.compactMap { row in
      let path = Self.text(row, "path")
      // What lies in a file now need not be what was sent.
      guard let content = Data.fromDatabaseValue(row["content"]) else { return nil }
      var file = AttachedFile(
        name: path.map { ($0 as NSString).lastPathComponent } ?? Self.text(row, "id") ?? "file",
        contentType: Self.text(row, "type") ?? "application/octet-stream", content: Array(content))
      file.data = content.base64EncodedString()
      return file
    }
  }

  private static func text(_ row: Row, _ name: String) -> String? {
    (row[name] as DatabaseValue?).flatMap { value in
      String.fromDatabaseValue(value) ?? Int64.fromDatabaseValue(value).map(String.init)
    }
  }

  private static func number(_ row: Row, _ name: String) -> Double? {
    (row[name] as DatabaseValue?).flatMap(Double.fromDatabaseValue)
  }

  private static func count(_ number: Double?) -> Int {
    max(0, number.flatMap { Int(exactly: $0.rounded()) } ?? 0)
  }

  /// `llm` writes UTC, in older logs without saying so.
  private static func instant(_ text: String) -> Timestamp? {
    Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "Z")
      ?? Timestamp(iso8601: text.replacing(" ", with: "T") + "Z")
  }

  /// A UUID (RFC 9562, 5.8) of what has that id there.
  private static func id(_ id: String, _ kind: String) -> String {
    var digits = Array(SHA256Digest.hexadecimal(Array("llm \(kind) \(id)".utf8)).prefix(32))
    digits[12] = "8"
    digits[16] = "8"
    var result = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }

  private static func failure(_ error: any Error, _ path: String) -> Failure {
    (error as? Failure)
      ?? Failure(
        .badInput,
        "'\(path)' cannot be read as a log of llm: "
          + ((error as? DatabaseError)?.message ?? "\(error)"), input: path)
  }
}
