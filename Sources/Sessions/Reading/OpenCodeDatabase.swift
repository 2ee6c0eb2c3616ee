import Core
import Foundation
import GRDB

/// A database of OpenCode, opened for reading only, with its write-ahead log.
///
/// Version 2 leaves the tables of version 1 behind; a session that is in both is read from the new
/// ones.
struct OpenCodeDatabase {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Reads all sessions; each is a group.
  ///
  /// - Throws: `BadInput` if the file is not a database of OpenCode; `Interrupted`; and what the
  ///   closure throws.
  func read(
    _ limits: SessionLimits, _ interruption: Interruption, to deliver: ([SessionEntry]) -> Void,
    endingGroup end: () throws(Failure) -> Void
  ) throws(Failure) {
    let transcript = OpenCodeTranscript(limits: limits)
    do {
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let tables = try queue.read { database in
        Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_master"))
      }
      let newer = tables.isSuperset(of: ["session_v2", "session_message"])
      let older = tables.isSuperset(of: ["session", "message", "part"])
      guard newer || older else {
        throw Failure(
          .badInput, "'\(Visible.line(path))' is not a database of OpenCode", input: path)
      }
      var known: Set<String> = []
      for table in [newer ? "session_v2" : nil, older ? "session" : nil].compactMap(\.self) {
        // Each session is read in a transaction of its own, so that writers are not held up.
        for id in try queue.read({ try Self.ids(in: table, $0) }) where known.insert(id).inserted {
          if interruption.signal != nil { throw interruption.failure }
          deliver(try queue.read { try entries(of: id, in: table, transcript, $0) })
          try end()
        }
      }
    } catch {
      throw (error as? Failure)
        ?? Failure(
          .badInput,
          "'\(Visible.line(path))' cannot be read: "
            + ((error as? DatabaseError)?.message ?? "\(error)"), input: path)
    }
  }

  private static func ids(in table: String, _ database: Database) throws -> [String] {
    try Row.fetchAll(database, sql: "SELECT id FROM \(table) ORDER BY time_created, id")
      .compactMap { text($0, "id") }
  }

  private func entries(
    of id: String, in table: String, _ transcript: OpenCodeTranscript, _ database: Database
  ) throws -> [SessionEntry] {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM \(table) WHERE id = ?", arguments: [id])
    else { return [] }
    let facts = transcript.facts(
      folder: Self.text(row, "directory"), title: Self.text(row, "title"),
      version: Self.text(row, "version"), parent: Self.text(row, "parent_id"),
      forkedFrom: Self.text(row, "fork_session_id"))
    let first = SessionEntry(SessionKey(.opencode, id), .facts(facts), at: nil)
    let messages =
      table == "session"
      ? try older(id, database) : try newer(id, database)
    return [first] + messages.flatMap(transcript.entries)
  }

  private func newer(
    _ session: String, _ database: Database
  ) throws -> [OpenCodeTranscript.Message] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM session_message WHERE session_id = ? ORDER BY seq, id",
      arguments: [session]
    ).compactMap { row in
      Self.text(row, "id").map { id in
        OpenCodeTranscript.Message(
          id: id, sessionId: session, type: Self.text(row, "type") ?? "",
          created: Self.created(row), data: Array((Self.text(row, "data") ?? "").utf8))
      }
    }
  }

  private func older(
    _ session: String, _ database: Database
  ) throws -> [OpenCodeTranscript.Message] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id",
      arguments: [session]
    ).compactMap { row in
      guard let id = Self.text(row, "id") else { return nil }
      let parts = try Row.fetchAll(
        database.cachedStatement(sql: "SELECT data FROM part WHERE message_id = ? ORDER BY id"),
        arguments: [id])
      return OpenCodeTranscript.Message(
        id: id, sessionId: session, created: Self.created(row),
        data: Array((Self.text(row, "data") ?? "").utf8),
        parts: parts.map { Array((Self.text($0, "data") ?? "").utf8) })
    }
  }

  private static func text(_ row: Row, _ name: String) -> String? {
    (row[name] as DatabaseValue?).flatMap { String.fromDatabaseValue($0) }
  }

  private static func created(_ row: Row) -> Timestamp? {
    let number = (row["time_created"] as DatabaseValue?).flatMap { Int.fromDatabaseValue($0) }
    return Timestamp(unixMilliseconds: number)
  }
}
