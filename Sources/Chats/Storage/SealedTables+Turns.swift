import Core
import Foundation
import GRDB
import Storage

/// Methods for the rows of turns and their files.
extension SealedTables {
  /// Stores a turn, replacing its earlier state.
  ///
  /// - Parameters:
  ///   - message: The turn, with its id and the id of its chat.
  ///   - contents: The bytes of attachments by their SHA-256, for attachments without `data`.
  /// - Throws: `BadInput` if the turn belongs to another chat, if files do not match their digests,
  ///   or if the turn with its files would not fit in one line of a stream.
  func store(_ message: Message, contents: [String: [UInt8]] = [:]) throws {
    guard let id = message.id else { throw Failure(.badInput, "message: missing 'id'") }
    guard let chatId = message.chatId else {
      throw Failure(.badInput, "message: missing 'chatId'", input: id)
    }
    var kept = message
    let createdAt = message.createdAt ?? .now
    kept.createdAt = createdAt
    let known = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT sequence, chatId, segment FROM turn WHERE id = ?"),
      arguments: [id])
    let added = try storeAttachments(of: &kept, contents, isKnown: known != nil)
    let line = try kept.line()
    guard line.count + added <= LineReader.maximumLength else {
      throw Failure(
        .badInput, "a turn with its files is larger than 16 MiB", kind: .tooLarge, input: id)
    }
    let sealed = try key.seal(line, for: SealedRow("turn", id, of: chatId))
    if let known {
      guard known["chatId"] == chatId else {
        throw Failure(.badInput, "the message '\(id)' belongs to another chat", input: id)
      }
      try removeFromSegments([(known["sequence"], known["segment"])])
      try database.run(
        """
        UPDATE turn SET createdAt = ?, groupId = ?, segment = NULL, sealed = ? WHERE sequence = ?
        """, [createdAt.milliseconds, message.groupId, sealed, known["sequence"] as Int64])
    } else {
      try database.run(
        "INSERT INTO turn (id, chatId, createdAt, groupId, sealed) VALUES (?, ?, ?, ?, ?)",
        [id, chatId, createdAt.milliseconds, message.groupId, sealed])
    }
  }

  /// Returns the turns of the given chat, oldest first.
  func turns(of chatId: String, after count: Int = 0, atMost limit: Int = -1) throws -> [Message] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, chatId, sealed FROM turn WHERE chatId = ? ORDER BY createdAt, id LIMIT ? OFFSET ?
        """, arguments: [chatId, limit, count]
    ).map(message)
  }

  /// Returns the turn with the given id.
  func turn(_ id: String) throws -> Message? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT id, chatId, sealed FROM turn WHERE id = ?"),
      arguments: [id]
    ).map(message)
  }

  /// Returns the id of the chat of the given turn; nil if there is no such turn.
  func chat(ofTurn id: String) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT chatId FROM turn WHERE id = ?"), arguments: [id])
  }

  /// Returns the turn with the given sequence number.
  func turn(numbered sequence: Int64) throws -> Message? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT id, chatId, sealed FROM turn WHERE sequence = ?"),
      arguments: [sequence]
    ).map(message)
  }

  /// Returns the bytes of the given file; nil if the file was stored without its bytes.
  ///
  /// - Throws: `StorageFailed` if the row of the file is missing.
  func content(of file: AttachedFile, in chatId: String) throws -> Data? {
    let name = key.name(ofContent: file.sha256, in: chatId)
    let sealed = try Data.fetchOne(
      database, sql: "SELECT sealed FROM attachment WHERE chatId = ? AND id = ?",
      arguments: [chatId, name])
    guard let sealed else {
      throw Self.missing("the row for the file '\(Visible.line(file.name))'", in: "attachment")
    }
    let content = try key.open(sealed, of: SealedRow("attachment", name, of: chatId))
    return content.isEmpty && file.bytes > 0 ? nil : content
  }

  /// Deletes the given turns and their entries in the search index.
  ///
  /// A file is deleted unless another turn of the chat uses it.
  ///
  /// - Parameters:
  ///   - ids: The ids of the turns.
  ///   - isChange: `true` if the chats thereby changed now.
  /// - Throws: An error of the database.
  func remove(turns ids: [String], changing isChange: Bool = true) throws {
    var chats: Set<String> = []
    var places: [(sequence: Int64, segment: Int64?)] = []
    for id in ids {
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT sequence, chatId, segment FROM turn WHERE id = ?", arguments: [id])
      else { continue }
      chats.insert(row["chatId"])
      places.append((row["sequence"], row["segment"]))
    }
    try removeFromSegments(places)
    for place in places {
      try database.run("DELETE FROM turn WHERE sequence = ?", [place.sequence])
    }
    for chat in chats {
      try dropFiles(of: chat)
      if isChange { try touch(chat: chat, at: .now) }
    }
  }

  /// Deletes the given chats and everything in them.
  ///
  /// Their costs remain recorded.
  func remove(chats ids: [String]) throws {
    for id in ids {
      let places = try Row.fetchAll(
        database, sql: "SELECT sequence, segment FROM turn WHERE chatId = ?", arguments: [id]
      ).map { (sequence: $0["sequence"] as Int64, segment: $0["segment"] as Int64?) }
      try removeFromSegments(places)
      try database.execute(sql: "DELETE FROM chat WHERE id = ?", arguments: [id])
    }
  }

  /// Stores the bytes of the given turn's files.
  ///
  /// An empty row marks a file that has no bytes.
  private func storeAttachments(
    of message: inout Message, _ contents: [String: [UInt8]], isKnown: Bool
  ) throws -> Int {
    guard let chatId = message.chatId, let files = message.attachments else { return 0 }
    var length = 0
    // If one of these files has no row, the row was lost.
    let earlier = isKnown ? try message.id.flatMap { try turn($0)?.attachments } ?? [] : []
    message.attachments = try files.map { file in
      var kept = file
      kept.data = nil
      let given = try contents[file.sha256] ?? file.content()
      length += (file.bytes + 2) / 3 * 4 + 10
      let isWhole =
        given.map { $0.count == file.bytes && SHA256Digest.hexadecimal($0) == file.sha256 } ?? true
      guard isWhole else {
        throw Failure(
          .badInput, "the file '\(file.name)' does not match its SHA-256", input: message.id)
      }
      if given == nil, earlier.contains(where: { $0.sha256 == file.sha256 }) { return kept }
      let name = key.name(ofContent: file.sha256, in: chatId)
      let row = SealedRow("attachment", name, of: chatId)
      let conflict = given == nil ? "NOTHING" : "UPDATE SET sealed = excluded.sealed"
      try database.run(
        "INSERT INTO attachment (chatId, id, sealed) VALUES (?, ?, ?) ON CONFLICT DO \(conflict)",
        [chatId, name, try key.seal(given ?? [], for: row)])
      return kept
    }
    return length
  }

  private func dropFiles(of chatId: String) throws {
    let kept = try String.fetchAll(
      database, sql: "SELECT id FROM attachment WHERE chatId = ?", arguments: [chatId])
    guard !kept.isEmpty else { return }
    let used = Set(
      try turns(of: chatId).flatMap { $0.attachments ?? [] }
        .map { key.name(ofContent: $0.sha256, in: chatId) })
    for name in kept where !used.contains(name) {
      try database.run("DELETE FROM attachment WHERE chatId = ? AND id = ?", [chatId, name])
    }
  }

  /// Returns the turn in the given row.
  ///
  /// An answer that never ended gets a failure.
  private func message(_ row: Row) throws -> Message {
    let id: String = row["id"]
    var message = try record(
      Message.self, row["sealed"], of: SealedRow("turn", id, of: row["chatId"]))
    if message.complete == false, message.error == nil {
      let isAnswer = message.toolResults == nil
      message.error = Failure(
        .interrupted,
        isAnswer
          ? "the answer was cut off: its process ended"
          : "the tool calls were cut off: their process ended")
    }
    return message
  }
}

extension AttachedFile {
  /// Returns the bytes in `data`; nil if there are none.
  ///
  /// - Throws: `BadInput` if they are not base64.
  func content() throws(Failure) -> [UInt8]? {
    guard let data else { return nil }
    guard let bytes = Data(base64Encoded: data) else {
      throw Failure(.badInput, "the data of the file '\(name)' is not base64")
    }
    return Array(bytes)
  }
}
