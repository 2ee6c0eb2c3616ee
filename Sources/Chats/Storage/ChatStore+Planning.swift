public import Core
import Foundation
package import GRDB
import Keys
import Storage

/// What a CEO is asked and says, which are chats too.
extension ChatStore {
  /// The newest planning's turns, the oldest first, and what joins them.
  ///
  /// - Throws: `StorageFailed`.
  public func lastPlanning() throws(Failure) -> (chatId: String, messages: [Message])? {
    try read { tables in
      guard let chat = try tables.chats("isPlanning", atMost: 1).first else { return nil }
      return (chat.id, try tables.turns(of: chat.id))
    }
  }

  /// Keeps turns of a planning in one transaction with something else.
  ///
  /// - Parameters:
  ///   - messages: The turns, with their ids, or none.
  ///   - chatId: What joins them; a chat of that id is begun where there is none.
  ///   - work: Writes what belongs to them.
  /// - Throws: `StorageFailed`, and what the work throws.
  package func keep(
    _ messages: [Message], ofPlanning chatId: String, beside work: (Database) throws -> Void
  ) throws(Failure) {
    try write { tables in
      try work(tables.database)
      try tables.put(messages, ofPlanning: chatId)
    }
  }

  /// Seals what was exchanged before there was a key, and overwrites the pages that it stood in.
  ///
  /// The rows go in the transaction that seals them. Where another process reads for so long that
  /// the log cannot be emptied, whoever opens the store next does it.
  func sealExchanges() throws(Failure) {
    let plain = try write { tables in
      let database = tables.database
      let rows = try Row.fetchAll(
        database, sql: "SELECT conversationId, record FROM exchange ORDER BY id")
      for row in rows {
        try tables.put([try Message(json: row["record"])], ofPlanning: row["conversationId"])
      }
      if !rows.isEmpty {
        try database.execute(sql: "DELETE FROM exchange")
        try database.mark(.removed)
      }
      return try ChatKeys.named(database)?.plain
    }
    guard plain == .removed else { return }
    do {
      try file.queue.inDatabase { database in
        // What is copied on the way stays in memory.
        try database.execute(sql: "PRAGMA temp_store = MEMORY; VACUUM")
        _ = try database.checkpoint(.truncate)
      }
      try file.queue.write { try $0.mark(.gone) }
    } catch {
      chatKeys.keys.note(
        .detail(.storage, "unencrypted pages remain in the file for now: \(error)"))
    }
  }
}

extension Database {
  fileprivate func mark(_ plain: ChatKeys.Plain) throws {
    try execute(sql: "UPDATE chatKey SET plain = ?", arguments: [plain.rawValue])
  }
}

extension SealedTables {
  /// Keeps turns of a planning, whose chat is begun where there is none.
  func put(_ messages: [Message], ofPlanning chatId: String) throws {
    guard let first = messages.first else { return }
    if try chat(chatId) == nil {
      var chat = Chat(id: chatId)
      chat.isPlanning = true
      chat.title = Chat.title(from: first.text)
      chat.createdAt = first.createdAt ?? .now
      try put(chat)
    }
    for message in messages {
      try put(message.with { $0.chatId = chatId })
      try touch(chat: chatId, at: message.createdAt ?? .now)
    }
  }
}
