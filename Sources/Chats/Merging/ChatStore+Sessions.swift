import CodingAgents
import Core
import Foundation

/// Import of sessions of other agents.
extension ChatStore {
  /// Stores the given sessions in one transaction; storing them again changes nothing.
  ///
  /// Turns only grow: texts get longer, and counts get higher. If two sessions contain the same
  /// turn, such as a session and its copy by an old version, the turn belongs to one of them,
  /// regardless of the order of imports.
  ///
  /// - Returns: The changed chats.
  /// - Throws: `StorageFailed` if the store cannot be written.
  func merge(_ sessions: SessionMaterial) throws(Failure) -> [Chat] {
    var folders: [String: String] = [:]
    for folder in sessions.chats.compactMap(\.folder) where folders[folder] == nil {
      folders[folder] = Self.path(ofFolder: folder)
    }
    return try write { tables in
      var merge = SessionMerge(tables: tables)
      for entry in sessions.chats {
        try merge.add(entry, inFolder: entry.folder.flatMap { folders[$0] })
      }
      try merge.removeEmptyChats()
      if !merge.changed.isEmpty { try tables.merge() }
      return try merge.changed.sorted().compactMap { try tables.chat($0) }
    }
  }

  /// Returns the path of the project with the given folder; nil if it is not an absolute path.
  private static func path(ofFolder folder: String) -> String? {
    guard folder.hasPrefix("/"), folder.utf8.count < 4096, !folder.contains("\0") else {
      return nil
    }
    return ProjectFolder.projectPath(folder)
  }
}

/// One transaction that stores sessions.
private struct SessionMerge {
  let tables: SealedTables
  /// The ids of the chats that changed.
  var changed: Set<String> = []
  /// The ids of the chats that lost turns.
  private var shrunk: Set<String> = []
  private var projects: [String: String] = [:]

  init(tables: SealedTables) { self.tables = tables }

  // MARK: Adding

  mutating func add(_ entry: SessionMaterial.Entry, inFolder path: String?) throws {
    let known = try tables.chat(entry.chat.id)
    let isKnownByPrompts = known?.labels?[SessionConversation.Label.only] != nil
    // The session's own file has the prompts, too.
    if entry.isPromptsOnly, known != nil, !isKnownByPrompts { return }
    let owned = try owned(entry)
    for message in entry.hidden {
      if let id = message.id { try drop(id) }
    }
    if isKnownByPrompts, !entry.isPromptsOnly, !owned.isEmpty {
      try drop(SessionConversation.Label.only, of: entry.chat.id)
    }
    if entry.isOwn, known?.labels?[SessionConversation.Label.queue] != nil {
      // The session may contain such a prompt at another place now.
      let waiting = owned.filter { $0.labels?[SessionConversation.Label.queue] != nil }
      try drop(
        SessionConversation.Label.queue, of: entry.chat.id, except: Set(waiting.compactMap(\.id)))
    }
    let hidden = try entry.hidden.filter { try isOurs($0, entry.chat) }
    guard known != nil || !owned.isEmpty || !hidden.isEmpty else { return }
    var chat = known.map { entry.merged(into: $0) } ?? entry.chat
    if chat.projectId == nil { chat.projectId = try path.map { try project($0) } }
    if chat != known {
      try tables.store(chat)
      changed.insert(chat.id)
    }
    for turn in owned { try store(turn) }
    for message in hidden { try tables.count(imported: message) }
    if let last = chat.lastUpdatedAt { try tables.touch(chat: chat.id, at: last) }
  }

  /// Removes the turns of the given chat that have the given label, except those with given ids.
  private mutating func drop(
    _ label: String, of id: String, except kept: Set<String> = []
  ) throws {
    for turn in try tables.turns(of: id) {
      guard let turnId = turn.id, turn.labels?[label] != nil, !kept.contains(turnId) else {
        continue
      }
      try drop(turnId)
    }
  }

  /// Stores the given turn, joined with its earlier state.
  private mutating func store(_ turn: Message) throws {
    guard let id = turn.id, let chatId = turn.chatId else { return }
    let known = try tables.turn(id)
    let joined = known.map { turn.joined(with: $0) } ?? turn
    guard joined != known else { return }
    do {
      try tables.store(joined)
    } catch let failure as Failure where failure.kind == .tooLarge {
      // The limits of texts allow this only for many files or tools.
      try tables.store(
        joined.with { ($0.attachments, $0.toolCalls, $0.toolResults) = (nil, nil, nil) })
    }
    try tables.count(imported: joined)
    changed.insert(chatId)
  }

  private mutating func project(_ path: String) throws -> String {
    if let known = try projects[path] ?? tables.project(at: path)?.id {
      projects[path] = known
      return known
    }
    var project = Project(
      id: DerivedId.make("folder \(path)"), name: (path as NSString).lastPathComponent)
    project.localPath = path
    project.lastUpdatedAt = Timestamp(milliseconds: 0)
    try tables.store(project)
    projects[path] = project.id
    return project.id
  }

  // MARK: Ownership

  /// Returns the turns that belong to the given chat, and takes them from other chats.
  ///
  /// A prompt belongs to the same chat as the answer that follows it.
  private mutating func owned(_ entry: SessionMaterial.Entry) throws -> [Message] {
    var owned: [Message] = []
    var isLost = false
    for turn in entry.turns.reversed() {
      guard let id = turn.id else { continue }
      let isAnswer = turn.role == "assistant" && (turn.model != nil || turn.usage != nil)
      if isAnswer { isLost = try !takes(id, entry.chat) }
      guard isLost else {
        owned.append(turn)
        continue
      }
      if !isAnswer { try drop(id) }
    }
    return owned.reversed()
  }

  private func isOurs(_ message: Message, _ chat: Chat) throws -> Bool {
    guard let id = message.id, let other = try tables.chat(ofTurn: id) else { return true }
    return other == chat.id
  }

  /// Returns `true` if the turn with the given id belongs to the given chat.
  private mutating func takes(_ id: String, _ chat: Chat) throws -> Bool {
    guard let other = try tables.chat(ofTurn: id), other != chat.id else { return true }
    guard try tables.chat(other).map({ chat.claim < $0.claim }) ?? true else { return false }
    try drop(id)
    return true
  }

  /// Removes the turn with the given id; its tokens still count.
  private mutating func drop(_ id: String) throws {
    guard let chatId = try tables.chat(ofTurn: id) else { return }
    try tables.remove(turns: [id], changing: false)
    shrunk.insert(chatId)
    changed.insert(chatId)
  }

  /// Removes chats that have no turn left.
  mutating func removeEmptyChats() throws {
    for id in shrunk {
      guard try tables.turns(of: id, atMost: 1).isEmpty else { continue }
      try tables.remove(chats: [id])
    }
  }
}

extension Chat {
  /// The strength of the chat's claim on turns that another chat also contains; less is stronger.
  ///
  /// A session comes before subagents. Between two sessions, any fixed order is right.
  fileprivate var claim: (Int, String) {
    let name = labels?[SessionConversation.Label.session] ?? ""
    return (name.contains("/") ? 1 : 0, name)
  }
}

extension SessionMaterial.Entry {
  /// Returns the known chat with the news of this one.
  ///
  /// A title that a person chose is kept.
  fileprivate func merged(into known: Chat) -> Chat {
    var merged = known
    if isOwn {
      if known.labels?[SessionConversation.Label.titled] == nil { merged.title = chat.title }
      merged.labels = (known.labels ?? [:]).merging(chat.labels ?? [:]) { $1 }
      merged.labels?[SessionConversation.Label.queue] =
        chat.labels?[SessionConversation.Label.queue]
    }
    if !isPromptsOnly, !turns.isEmpty { merged.labels?[SessionConversation.Label.only] = nil }
    merged.createdAt = [known.createdAt, chat.createdAt].compactMap(\.self).min()
    merged.lastUpdatedAt = [known.lastUpdatedAt, chat.lastUpdatedAt].compactMap(\.self).max()
    return merged
  }
}

extension Message {
  /// Returns the turn with the greater of each member in this state and an earlier one.
  fileprivate func joined(with known: Message) -> Message {
    var joined = known
    if text.utf8.count > known.text.utf8.count { joined.text = text }
    if reasoning?.utf8.count ?? 0 > known.reasoning?.utf8.count ?? 0 {
      joined.reasoning = reasoning
    }
    if toolCalls?.count ?? 0 > known.toolCalls?.count ?? 0 { joined.toolCalls = toolCalls }
    if let results = toolResults {
      let new = Set(results.map(\.id))
      joined.toolResults = (known.toolResults ?? []).filter { !new.contains($0.id) } + results
      if known.toolResults?.count ?? 0 > results.count { joined.toolResults = known.toolResults }
    }
    if attachments?.count ?? 0 > known.attachments?.count ?? 0 { joined.attachments = attachments }
    joined.model = model ?? known.model
    joined.usage = usage.map { known.usage?.highest($0) ?? $0 } ?? known.usage
    joined.costUSD = [costUSD, known.costUSD].compactMap(\.self).max()
    joined.stopReason = stopReason ?? known.stopReason
    if complete == false { (joined.complete, joined.error) = (false, error) }
    joined.labels = labels ?? known.labels
    joined.createdAt = [createdAt, known.createdAt].compactMap(\.self).min()
    return joined
  }
}
