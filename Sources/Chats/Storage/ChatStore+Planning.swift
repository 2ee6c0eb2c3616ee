public import Core
import Foundation
package import GRDB
import Keys
import Storage

/// Methods for the exchanges of a planning, which are stored as a chat.
extension ChatStore {
  /// Returns the newest planning: the id of its chat and its turns, oldest first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func lastPlanning() throws(Failure) -> (chatId: String, messages: [Message])? {
    try read { tables in
      guard let chat = try tables.chats("isPlanning", atMost: 1).first else { return nil }
      return (chat.id, try tables.turns(of: chat.id))
    }
  }

  /// Stores the given turns of a planning, together with other changes, in one transaction.
  ///
  /// - Parameters:
  ///   - messages: The turns, with their ids; may be empty.
  ///   - chatId: The id of the planning's chat. The chat is created if it does not exist.
  ///   - work: Makes the other changes.
  /// - Throws: `StorageFailed` if the store cannot be written; the errors of `work`.
  package func store(
    _ messages: [Message], ofPlanning chatId: String, beside work: (Database) throws -> Void
  ) throws(Failure) {
    try write { tables in
      try work(tables.database)
      try tables.store(messages, ofPlanning: chatId)
    }
  }

  /// Seals the exchanges that were stored before the store had a key, and overwrites their unsealed
  /// copies.
  ///
  /// One transaction seals the rows and deletes the originals. If another reader prevents this
  /// process from emptying the write-ahead log, the next process that opens the store empties it.
  func sealExchanges() throws(Failure) {
    let plain = try write { tables in
      let database = tables.database
      let rows = try Row.fetchAll(
        database, sql: "SELECT conversationId, record FROM exchange ORDER BY id")
      for row in rows {
        try tables.store([try Message(json: row["record"])], ofPlanning: row["conversationId"])
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
        // Temporary copies stay in memory.
        try database.execute(sql: "PRAGMA temp_store = MEMORY; VACUUM")
        _ = try database.checkpoint(.truncate)
      }
      try file.queue.write { try $0.mark(.gone) }
    } catch {
      chatKeys.keys.report(
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
  /// Stores the given turns of a planning, and creates its chat if necessary.
  func store(_ messages: [Message], ofPlanning chatId: String) throws {
    guard let first = messages.first else { return }
    if try chat(chatId) == nil {
      var chat = Chat(id: chatId)
      chat.isPlanning = true
      chat.title = Chat.title(from: first.text)
      chat.createdAt = first.createdAt ?? .now
      try store(chat)
    }
    for message in messages {
      try store(message.with { $0.chatId = chatId })
      try touch(chat: chatId, at: message.createdAt ?? .now)
    }
  }
}
