public import Asking
public import Core
import Foundation

/// Methods for the turns of chats.
extension ChatStore {
  /// Appends the given turns to a chat; stores either all or none.
  ///
  /// Missing ids and times are set in order. A turn whose id is known replaces the stored turn. An
  /// unfinished answer is stored with `complete` false. If that never changes, readers see that the
  /// answer was cut off.
  ///
  /// - Parameters:
  ///   - messages: The turns.
  ///   - chatId: The id of the chat.
  ///   - contents: The bytes of attached files by their SHA-256, for attachments without `data`.
  ///   - calls: The requests that are sent for the turns.
  /// - Returns: The turns as stored, on disk.
  /// - Throws: `BadInput` if a turn with its files exceeds 16 MiB; `NotFound` if the chat was
  ///   deleted; `StorageFailed` if the store cannot be written.
  @discardableResult
  public func append(
    _ messages: [Message], to chatId: String, contents: [String: [UInt8]] = [:],
    calls: [Call] = []
  ) throws(Failure) -> [Message] {
    try append(messages, to: chatId, beginning: nil, contents, calls)
  }

  /// Creates a chat with its first turns in one transaction.
  ///
  /// - Returns: The turns as stored, on disk.
  /// - Throws: As ``append(_:to:contents:calls:)``.
  func begin(
    _ chat: Chat, with messages: [Message], contents: [String: [UInt8]], calls: [Call] = []
  ) throws(Failure) -> [Message] {
    try append(messages, to: chat.id, beginning: chat, contents, calls)
  }

  private func append(
    _ messages: [Message], to chatId: String, beginning chat: Chat?, _ contents: [String: [UInt8]],
    _ calls: [Call]
  ) throws(Failure) -> [Message] {
    let messages = messages.map { message in
      message.with {
        $0.id = message.id ?? Identifier.make()
        $0.chatId = chatId
        $0.createdAt = message.createdAt ?? .now
      }
    }
    try write { tables in
      if let chat { try tables.store(chat) }
      guard try tables.chat(chatId) != nil else { throw Self.unknown("chat", chatId) }
      for message in messages { try tables.store(message, contents: contents) }
      for call in calls { try tables.store(call) }
      try tables.touch(chat: chatId, at: .now)
    }
    try merge()
    return messages
  }

  /// Stores the given turn, replacing its earlier state.
  ///
  /// - Parameters:
  ///   - message: The turn, with its id and the id of its chat.
  ///   - call: The last request for the turn, in its final state.
  /// - Throws: As ``append(_:to:contents:calls:)``.
  public func save(_ message: Message, _ call: Call? = nil) throws(Failure) {
    guard let chatId = message.chatId else {
      throw Failure(.badInput, "message: missing 'chatId'", input: message.id)
    }
    try append([message], to: chatId, calls: call.map { [$0] } ?? [])
  }

  /// Returns the turns of the given chat, oldest first, without the bytes of their files.
  ///
  /// - Parameters:
  ///   - chatId: The id of the chat.
  ///   - count: The number of turns to skip.
  ///   - limit: The largest number of turns; nil for all.
  /// - Returns: The turns.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func turns(
    of chatId: String, after count: Int = 0, atMost limit: Int? = nil
  ) throws(Failure) -> [Message] {
    try read { try $0.turns(of: chatId, after: count, atMost: limit ?? -1) }
  }

  /// Returns a page of the given chat's turns, together with the chat.
  ///
  /// If there is another page, the chat's `nextCursor` is set.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func page(
    of chat: Chat, from cursor: Int, atMost limit: Int
  ) throws(Failure) -> (chat: Chat, messages: [Message]) {
    let more = limit < .max ? limit + 1 : limit
    let turns = try turns(of: chat.id, after: cursor, atMost: more)
    let next = turns.count > limit ? "\(cursor + limit)" : nil
    return (chat.with { $0.nextCursor = next }, Array(turns.prefix(limit)))
  }

  /// Returns the turns that the given chat, if continued, sends to a model.
  ///
  /// For a prompt with several answers, only the chosen answer is returned, or the first if none is
  /// chosen. Incomplete answers are omitted.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func context(of chatId: String) throws(Failure) -> [Message] {
    Self.context(among: try turns(of: chatId))
  }

  /// Returns those of the given turns that are sent to a model.
  static func context(among turns: [Message]) -> [Message] {
    let turns = turns.filter { $0.complete != false || $0.toolResults != nil }
    let answers = turns.filter { $0.role == "assistant" && $0.groupId != nil }
    let taken = Dictionary(grouping: answers, by: \.groupId).values.map { group in
      // The order of ids is the order in which the models were queried.
      (group.first { $0.chosen == true } ?? group.min { $0.id ?? "" < $1.id ?? "" })?.id
    }
    return turns.filter { turn in
      turn.role != "assistant" || turn.groupId == nil || taken.contains(turn.id)
    }
  }

  /// Returns the bytes of the given file; nil if the file was stored without its bytes.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read, or if the row of the file is missing.
  public func content(of file: AttachedFile, in chatId: String) throws(Failure) -> [UInt8]? {
    try read { try $0.content(of: file, in: chatId).map { Array($0) } }
  }

  /// Returns the given turn for export, with the bytes of its files in `data`.
  ///
  /// `lost` has a failure for each file whose row is missing.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func withContent(_ message: Message) throws(Failure) -> (message: Message, lost: [Failure]) {
    guard let files = message.attachments, let chatId = message.chatId else { return (message, []) }
    var whole = message
    var lost: [Failure] = []
    whole.attachments = try read { tables in
      try files.map { file in
        var file = file
        do {
          file.data = try tables.content(of: file, in: chatId)?.base64EncodedString()
        } catch let failure as Failure
          where failure.kind == .corrupt && failure.input == "attachment"
        {
          lost.append(failure)
        }
        return file
      }
    }
    return (whole, lost)
  }

  /// Marks the answer with which the chat continues, if a prompt has several answers.
  ///
  /// - Parameter part: The answer's id, or a part of it.
  /// - Returns: The answer.
  /// - Throws: `NotFound` if there is no such message; `BadUsage` if the message is not an answer,
  ///   is incomplete, or is the only answer to its prompt.
  public func choose(_ part: String) throws(Failure) -> Message {
    try write { tables in
      let ids = try tables.ids("turn", like: part)
      guard let id = try IdPart.whole(part, among: ids, "message"), var turn = try tables.turn(id)
      else { throw Self.unknown("message", part) }
      guard turn.role == "assistant", turn.complete != false, let chatId = turn.chatId else {
        throw Failure(.badUsage, "the message '\(id)' is not a complete answer", input: id)
      }
      let others = try tables.turns(of: chatId).filter { $0.groupId != nil && $0.id != id }
        .filter { $0.groupId == turn.groupId }
      guard !others.isEmpty else {
        throw Failure(
          .badUsage,
          "the message '\(id)' is the only answer to its prompt",
          input: id)
      }
      for other in others where other.chosen == true {
        try tables.store(other.with { $0.chosen = nil })
      }
      turn.chosen = true
      try tables.store(turn)
      try tables.touch(chat: chatId, at: .now)
      return turn
    }
  }

  /// Checks that the given search contains a word.
  ///
  /// - Throws: `BadUsage` if the search contains no word.
  public static func check(search text: String) throws(Failure) { _ = try SearchTerms(text) }

  /// Returns the newest turns in the given scope that match the given search, newest first.
  ///
  /// - Parameters:
  ///   - text: The search: beginnings of words, and phrases in quotes.
  ///   - scope: The messages among which the search looks.
  ///   - limit: The largest number of turns.
  ///   - report: Receives a failure if rows are missing.
  /// - Returns: The turns.
  /// - Throws: `BadUsage` if the search contains no word.
  public func search(
    _ text: String, in scope: SearchScope = SearchScope(), limit: Int,
    onMissing report: (Failure) -> Void = { _ in }
  ) throws(Failure) -> [Message] {
    let terms = try SearchTerms(text)
    return try read { try $0.search(terms, in: scope, limit: limit, onMissing: report) }
  }

  /// Moves turns that are not yet indexed into segments of the search index, if there are enough of
  /// them.
  private func merge() throws(Failure) {
    let isEnough = try read { try $0.unmergedCount() >= SealedTables.segmentSize }
    if isEnough { try write { try $0.merge() } }
  }
}
