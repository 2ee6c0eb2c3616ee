import Core
import Foundation
import GRDB

/// A database of OpenCode, opened for reading only.
///
/// Version 2 leaves the tables of version 1 behind; a session that is in both is read from the new
/// ones.
struct OpenCodeDatabase {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Reads sessions; each is a group.
  ///
  /// - Parameters:
  ///   - limits: The largest sizes of texts.
  ///   - since: The time since which a session must have changed; nil for all sessions.
  ///   - others: The ids of sessions that are read in any case.
  ///   - interruption: Ends the read.
  ///   - deliver: Receives the entries in order.
  ///   - end: Called after each session.
  /// - Throws: `BadInput` if the file is not a database of OpenCode; `Interrupted`; and what the
  ///   closure throws.
  func read(
    _ limits: SessionLimits, since: Timestamp? = nil, and others: Set<String> = [],
    _ interruption: Interruption, to deliver: ([SessionEntry]) -> Void,
    endingGroup end: () throws(Failure) -> Void
  ) throws(Failure) {
    let transcript = OpenCodeTranscript(limits: limits)
    do {
      var database = try ForeignDatabase(path)
      var known: Set<String> = []
      for table in try tables(&database) {
        // Each session is read in a transaction of its own, so that writers are not held up.
        let ids = try database.read { try Self.ids(in: table, since: since, and: others, $0) }
        for id in ids where known.insert(id).inserted {
          if interruption.signal != nil { throw interruption.failure }
          deliver(try database.read { try entries(of: id, in: table, transcript, $0) })
          try end()
        }
      }
    } catch {
      throw (error as? Failure)
        ?? Failure(
          .badInput, "'\(Visible.line(path))' cannot be read: \(ForeignDatabase.reason(error))",
          input: path)
    }
  }

  /// Returns the tables of sessions, the one of the newest version first.
  private func tables(_ database: inout ForeignDatabase) throws -> [String] {
    let tables = try database.tables()
    let newer = tables.isSuperset(of: ["session_v2", "session_message"])
    let older = tables.isSuperset(of: ["session", "message", "part"])
    guard newer || older else {
      throw Failure(
        .badInput, "'\(Visible.line(path))' is not a database of OpenCode", input: path)
    }
    return [newer ? "session_v2" : nil, older ? "session" : nil].compactMap(\.self)
  }

  /// Returns the ids of sessions that have changed since the given time, and of the given others.
  private static func ids(
    in table: String, since: Timestamp?, and others: Set<String>, _ database: Database
  ) throws -> [String] {
    let all = try Row.fetchAll(
      database, sql: "SELECT * FROM \(table) ORDER BY time_created, id")
    return all.compactMap { row in
      guard let id = text(row, "id") else { return nil }
      let updated = (row["time_updated"] as DatabaseValue?).flatMap { Int64.fromDatabaseValue($0) }
      guard let since, let updated, updated < since.milliseconds, !others.contains(id) else {
        return id
      }
      return nil
    }
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
