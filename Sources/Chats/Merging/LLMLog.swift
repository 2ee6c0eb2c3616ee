import CodingAgents
public import Core
import Foundation
import GRDB

/// A log of the program `llm` (https://llm.datasette.io, `logs.db`), in either format.
///
/// Up to version 0.31, a log has the tables `conversations` and `responses`. Since 0.32, it also
/// has `threads` and `turns`.
public struct LLMLog {
  /// The tables whose rows are neither chats nor messages.
  private static let asides: Set<String> = [
    "attachments", "collections", "embeddings", "fragment_aliases", "fragments", "schemas",
    "tool_instances", "tools",
  ]

  /// The largest size of an attached file, in bytes.
  private static let largestFile = 11 << 20

  /// The longest text that is assembled from shared fragments, in bytes.
  private static let longestText = 64 << 20

  private let database: ForeignDatabase
  let path: String
  private(set) var tables: Set<String> = []
  private var holdsResponses: Bool { tables.isSuperset(of: ["responses", "conversations"]) }
  private var holdsTurns: Bool { tables.isSuperset(of: ["threads", "turns", "messages", "parts"]) }

  /// Opens the log at the given path without changing it.
  ///
  /// - Throws: `NotFound` if there is no such file; `BadInput` if the file is not a log of `llm`.
  public init(_ path: String) throws(Failure) {
    self.path = path
    guard access(path, F_OK) == 0 else {
      throw Failure(.notFound, "there is no file '\(path)'", input: path)
    }
    do {
      var database = try ForeignDatabase(path)
      tables = try database.tables()
      self.database = database
    } catch {
      throw Self.failure(error, path)
    }
    guard holdsResponses || holdsTurns else {
      throw Failure(.badInput, "'\(path)' is not a log of llm", input: path)
    }
  }

  /// Reads the whole log: a conversation becomes a chat, and a call of a model becomes a prompt and
  /// an answer.
  ///
  /// Ids are derived from those of `llm`. A second import therefore adds nothing, even if a later
  /// version of `llm` has moved a chat to its new tables.
  ///
  /// - Throws: `BadInput` if the log cannot be read, or if it has rows but no readable prompt or
  ///   answer.
  public func material() throws(Failure) -> ChatMaterial {
    do {
      var log = database
      return try log.read { database in
        var chats = LLMChats()
        if holdsResponses {
          try addNames(of: "conversations", to: &chats, in: database)
          try addResponses(to: &chats, in: database)
        }
        if holdsTurns {
          try addNames(of: "threads", to: &chats, in: database)
          try addTurns(to: &chats, in: database)
          try addThreads(to: &chats, in: database)
        }
        if chats.isEmpty { try checkEmpty(database) }
        return try chats.material()
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  private func addNames(
    of table: String, to chats: inout LLMChats, in database: Database
  ) throws {
    for row in try Row.fetchAll(database, sql: "SELECT id, name FROM \(table)") {
      guard let id = Self.text(row, "id"), let name = Self.text(row, "name") else { continue }
      chats.names[id] = name
    }
  }

  /// Checks that a log without readable messages has no rows that could be messages.
  private func checkEmpty(_ database: Database) throws {
    let filled = try tables.sorted().filter { name in
      guard !Self.asides.contains(name), !name.hasPrefix("_"), !name.hasPrefix("sqlite_"),
        !name.contains("_fts")
      else { return false }
      return try Row.fetchOne(
        database, sql: "SELECT 1 FROM \(name.quotedDatabaseIdentifier) LIMIT 1") != nil
    }
    guard !filled.isEmpty else { return }
    throw Failure(
      .badInput,
      "no prompt or answer in '\(path)' could be read, though there are rows in "
        + filled.map { "'\($0)'" }.joined(separator: ", "), input: path)
  }

  /// Returns the attachments in the given rows.
  ///
  /// `llm` stores a file only as its path. It is left out if it was moved or changed since it was
  /// sent, and so are attachments that are a URL.
  static func files(_ rows: [Row]) -> [AttachedFile] {
    rows.compactMap { row in
      let path = text(row, "path")
      guard let content = Data.fromDatabaseValue(row["content"]) ?? content(of: row, at: path)
      else { return nil }
      var file = AttachedFile(
        name: path.map { ($0 as NSString).lastPathComponent } ?? text(row, "id") ?? "file",
        contentType: text(row, "type") ?? "application/octet-stream", content: Array(content))
      file.data = content.base64EncodedString()
      return file
    }
  }

  /// Returns the content of the file at the given path; nil if it is not what was sent.
  private static func content(of row: Row, at path: String?) -> Data? {
    guard let path, path.hasPrefix("/"), let digest = text(row, "id"),
      let file = try? PlainFile(path, atMost: largestFile),
      SHA256Digest.hexadecimal(file.bytes) == digest
    else { return nil }
    return Data(file.bytes)
  }

  /// Appends a shared fragment to a text.
  ///
  /// - Throws: `BadInput` if the text would be too long. A short log may repeat a fragment often.
  func append(_ fragment: String, to text: inout String) throws(Failure) {
    guard text.utf8.count + fragment.utf8.count <= Self.longestText else {
      throw Failure(
        .badInput, "a text in '\(path)' is longer than \(Self.longestText >> 20) MiB", input: path)
    }
    text += fragment
  }

  /// Returns the given column as text; nil if it is missing or NULL.
  static func text(_ row: Row, _ name: String) -> String? {
    (row[name] as DatabaseValue?).flatMap { value in
      String.fromDatabaseValue(value) ?? Int64.fromDatabaseValue(value).map(String.init)
    }
  }

  /// Returns the given column as a number; nil if it is missing or NULL.
  static func number(_ row: Row, _ name: String) -> Double? {
    (row[name] as DatabaseValue?).flatMap(Double.fromDatabaseValue)
  }

  /// Returns the token counts of the call in the given row; nil if the log lacks them.
  ///
  /// OpenAI's APIs include cached tokens in the input and reasoning tokens in the output.
  static func usage(_ row: Row) -> Usage? {
    let (input, output) = (number(row, "input_tokens"), number(row, "output_tokens"))
    guard input != nil || output != nil else { return nil }
    var usage = Usage(inputTokens: count(input), outputTokens: count(output))
    let details = text(row, "token_details").flatMap {
      try? JSONDecoder().decode(LLMTokenDetails.self, from: Data($0.utf8))
    }
    usage.cacheReadTokens = min(usage.inputTokens, max(0, details?.cached ?? 0))
    usage.reasoningTokens = details?.reasoning.map { min(usage.outputTokens, max(0, $0)) }
    return usage
  }

  private static func count(_ number: Double?) -> Int {
    max(0, number.flatMap { Int(exactly: $0.rounded()) } ?? 0)
  }

  /// Returns the time in the given text.
  ///
  /// It is in UTC, and has no time zone in older logs.
  static func instant(_ text: String) -> Timestamp? {
    let text = text.replacing(" ", with: "T")
    return Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "Z")
  }

  /// Returns a UUID that is derived from the given id and kind.
  static func id(_ id: String, _ kind: String) -> String { DerivedId.make("llm \(kind) \(id)") }

  private static func failure(_ error: any Error, _ path: String) -> Failure {
    (error as? Failure)
      ?? Failure(
        .badInput, "'\(path)' cannot be read as a log of llm: \(ForeignDatabase.reason(error))",
        input: path)
  }
}
