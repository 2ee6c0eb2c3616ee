public import Core

/// Import and export of chats.
extension ChatStore {
  /// Stores the given material in one transaction; storing it again changes nothing.
  ///
  /// If the store already has a project or chat with the same id, the one that changed later is
  /// kept. If turns differ, those of the chat that changed later are kept. A complete answer
  /// replaces an incomplete one. A turn without a chat gets a new chat.
  ///
  /// - Returns: The changed chats, the most recently changed first.
  /// - Throws: `BadInput` if a known turn belongs to a different chat; `StorageFailed` if the store
  ///   cannot be written.
  public func merge(_ material: ChatMaterial) throws(Failure) -> [Chat] {
    try write { tables in
      for project in material.projects {
        let known = try tables.project(project.id)
        if Self.isNewer(project.lastUpdatedAt, than: known?.lastUpdatedAt) {
          try tables.store(project)
        }
      }
      var (changed, newer, dated): (Set<String>, Set<String>, Set<String>) = ([], [], [])
      for chat in material.chats {
        let known = try tables.chat(chat.id)
        if chat.lastUpdatedAt != nil { dated.insert(chat.id) }
        guard Self.isNewer(chat.lastUpdatedAt, than: known?.lastUpdatedAt) else { continue }
        try tables.store(chat)
        newer.insert(chat.id)
        changed.insert(chat.id)
      }
      for turn in material.turns {
        guard let id = turn.id, let chatId = turn.chatId,
          try tables.isNews(turn, id, isNewer: newer.contains(chatId))
        else { continue }
        if !changed.contains(chatId), try tables.chat(chatId) == nil {
          try tables.store(Chat(of: chatId, firstSaid: turn))
        }
        changed.insert(chatId)
        try tables.store(turn)
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

  /// Exports chats completely: projects first, then each chat, followed by its turns with the bytes
  /// of their files.
  ///
  /// - Parameters:
  ///   - parts: The chats' ids, or parts of them; empty to export all chats.
  ///   - deliver: Receives each record.
  /// - Returns: A failure for each chat or file whose row is missing. The messages of such a chat
  ///   are exported all the same.
  /// - Throws: `NotFound` and `BadUsage` as ``chat(_:)``, before any record is exported.
  @discardableResult
  public func export(
    _ parts: [String], to deliver: (any StreamRecord) throws(Failure) -> Void
  ) throws(Failure) -> [Failure] {
    var chosen: [Chat] = []
    var lost: [String] = []
    for part in parts {
      if let id = try lostChat(part) { lost.append(id) } else { chosen.append(try chat(part)) }
    }
    if parts.isEmpty { (chosen, lost) = (try chats().reversed(), try lostChats()) }
    let used = Set(chosen.compactMap(\.projectId))
    for project in try projects().reversed() where parts.isEmpty || used.contains(project.id) {
      try deliver(project)
    }
    var failures = lost.map { missing(chat: $0) }
    func deliverTurns(of id: String) throws(Failure) {
      for turn in try turns(of: id) {
        let (whole, lostFiles) = try withContent(turn)
        try deliver(whole)
        failures += lostFiles
      }
    }
    for chat in chosen {
      try deliver(chat)
      try deliverTurns(of: chat.id)
    }
    for id in lost { try deliverTurns(of: id) }
    return failures
  }

  private static func isNewer(_ instant: Timestamp?, than known: Timestamp?) -> Bool {
    guard let known else { return true }
    return instant.map { $0 > known } ?? false
  }
}

extension SealedTables {
  /// Returns `true` if the given imported turn is new or replaces the stored one.
  fileprivate func isNews(_ turn: Message, _ id: String, isNewer: Bool) throws -> Bool {
    guard let chatId = try chat(ofTurn: id) else { return true }
    guard chatId == turn.chatId else {
      throw Failure(.badInput, "the message '\(id)' belongs to another chat", input: id)
    }
    guard isNewer || turn.complete == true, let known = try self.turn(id) else { return false }
    // A complete answer is kept even if the later chat has only a part of the answer.
    if known.complete != false, turn.complete == false { return false }
    return isNewer ? turn != known : known.complete == false
  }
}

extension Chat {
  /// Creates a chat with the given id, of which only the given first turn is known.
  fileprivate init(of id: String, firstSaid turn: Message) {
    self.init(id: id)
    title = Chat.title(from: turn.text)
    createdAt = turn.createdAt
    lastUpdatedAt = turn.createdAt
  }
}
