public import Core
import GRDB

/// Chats from elsewhere, and for elsewhere.
extension ChatStore {
  /// Keeps what is not known yet, in one transaction; a second time it changes nothing.
  ///
  /// Of two projects or chats of one id the one stays that was changed later, and with it, where
  /// they differ, its turns. An answer that arrived whole takes the place of one that did not. A chat
  /// that only its turns tell of is made.
  ///
  /// - Returns: The chats that changed, the one that was changed last first.
  /// - Throws: `BadInput` for a turn that belongs to another chat than the one of its id that is
  ///   known; `StorageFailed`.
  public func merge(_ material: ChatMaterial) throws(Failure) -> [Chat] {
    try write { tables in
      for project in material.projects {
        let known = try tables.project(project.id)
        if Self.isNewer(project.lastUpdatedAt, than: known?.lastUpdatedAt) {
          try tables.put(project)
        }
      }
      var (changed, newer, dated): (Set<String>, Set<String>, Set<String>) = ([], [], [])
      for chat in material.chats {
        let known = try tables.chat(chat.id)
        if chat.lastUpdatedAt != nil { dated.insert(chat.id) }
        guard Self.isNewer(chat.lastUpdatedAt, than: known?.lastUpdatedAt) else { continue }
        try tables.put(chat)
        newer.insert(chat.id)
        changed.insert(chat.id)
      }
      for turn in material.turns {
        guard let id = turn.id, let chatId = turn.chatId,
          try tables.isNews(turn, id, isNewer: newer.contains(chatId))
        else { continue }
        if !changed.contains(chatId), try tables.chat(chatId) == nil {
          try tables.put(Chat(of: chatId, firstSaid: turn))
        }
        changed.insert(chatId)
        try tables.put(turn)
        try tables.count(imported: turn)
        if !dated.contains(chatId), let said = turn.createdAt {
          try tables.touch(chat: chatId, at: said)
        }
      }
      try tables.merge()
      let chats = try changed.compactMap { try tables.chat($0) }
      return chats.sorted { ($0.lastUpdatedAt ?? .now, $0.id) > ($1.lastUpdatedAt ?? .now, $1.id) }
    }
  }

  /// Tells of chats and of all that belongs to them: their projects first, then each chat before its
  /// turns, with the bytes of their files.
  ///
  /// - Parameters:
  ///   - parts: The chats by their ids or parts of those; all where there are none.
  ///   - tell: Is handed each record.
  /// - Returns: Failures that report chats and files whose rows are missing; messages are handed on.
  /// - Throws: `NotFound`, `BadUsage` as ``chat(_:)``, before anything is told.
  @discardableResult
  public func export(
    _ parts: [String], to tell: (any StreamRecord) throws(Failure) -> Void
  ) throws(Failure) -> [Failure] {
    var chosen: [Chat] = []
    var lost: [String] = []
    for part in parts {
      if let id = try lostChat(part) { lost.append(id) } else { chosen.append(try chat(part)) }
    }
    if parts.isEmpty { (chosen, lost) = (try chats().reversed(), try lostChats()) }
    let used = Set(chosen.compactMap(\.projectId))
    for project in try projects().reversed() where parts.isEmpty || used.contains(project.id) {
      try tell(project)
    }
    var failures = lost.map { missing(chat: $0) }
    func tellTurns(of id: String) throws(Failure) {
      for turn in try turns(of: id) {
        let (whole, lostFiles) = try withContent(turn)
        try tell(whole)
        failures += lostFiles
      }
    }
    for chat in chosen {
      try tell(chat)
      try tellTurns(of: chat.id)
    }
    for id in lost { try tellTurns(of: id) }
    return failures
  }

  private static func isNewer(_ instant: Timestamp?, than known: Timestamp?) -> Bool {
    guard let known else { return true }
    return instant.map { $0 > known } ?? false
  }
}

extension SealedTables {
  /// Whether a turn from elsewhere is one that is not known so.
  fileprivate func isNews(_ turn: Message, _ id: String, isNewer: Bool) throws -> Bool {
    guard
      let chatId = try String.fetchOne(
        database.cachedStatement(sql: "SELECT chatId FROM turn WHERE id = ?"), arguments: [id])
    else { return true }
    guard chatId == turn.chatId else {
      throw Failure(.badInput, "the message '\(id)' belongs to another chat", input: id)
    }
    guard isNewer || turn.complete == true, let known = try self.turn(id) else { return false }
    // A whole answer stays, however late the chat was changed that has only a part of it.
    if known.complete != false, turn.complete == false { return false }
    return isNewer ? turn != known : known.complete == false
  }
}

extension Chat {
  /// A chat of which nothing is known but its first turn.
  fileprivate init(of id: String, firstSaid turn: Message) {
    self.init(id: id)
    title = Chat.title(from: turn.text)
    createdAt = turn.createdAt
    lastUpdatedAt = turn.createdAt
  }
}
