public import Asking
public import Core
import Foundation

/// Turns of chats.
extension ChatStore {
  /// Adds turns to a chat, all or none; those without an id and a time get them, in their order.
  ///
  /// A turn of an id that is known takes its place. An answer that is only begun is kept with
  /// `complete` false; where it stays so, whoever reads it is told that it was cut off.
  ///
  /// - Parameters:
  ///   - messages: The turns.
  ///   - chatId: The chat.
  ///   - contents: The bytes of files that go with them by their SHA-256, where `data` of an
  ///     attachment does not have them.
  ///   - calls: The requests that are sent for them.
  /// - Returns: The turns as they are kept, on the disk.
  /// - Throws: `BadInput` where a turn with its files is over 16 MiB; `NotFound` where the chat is
  ///   gone; `StorageFailed`.
  @discardableResult
  public func append(
    _ messages: [Message], to chatId: String, contents: [String: [UInt8]] = [:],
    calls: [Call] = []
  ) throws(Failure) -> [Message] {
    try append(messages, to: chatId, beginning: nil, contents, calls)
  }

  /// Begins a chat with its first turns: there is no chat without them, whatever happens.
  ///
  /// - Returns: The turns as they are kept, on the disk.
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
      if let chat { try tables.put(chat) }
      guard try tables.chat(chatId) != nil else { throw Self.unknown("chat", chatId) }
      for message in messages { try tables.put(message, contents: contents) }
      for call in calls { try tables.put(call) }
      try tables.touch(chat: chatId, at: .now)
    }
    try merge()
    return messages
  }

  /// Keeps a turn in place of what was known of it.
  ///
  /// - Parameters:
  ///   - message: The turn, with its id and its chat's.
  ///   - call: The last request that it took, as it ended.
  /// - Throws: As ``append(_:to:contents:calls:)``.
  public func save(_ message: Message, _ call: Call? = nil) throws(Failure) {
    guard let chatId = message.chatId else {
      throw Failure(.badInput, "message: missing 'chatId'", input: message.id)
    }
    try append([message], to: chatId, calls: call.map { [$0] } ?? [])
  }

  /// A chat's turns, the oldest first, with the files that go with them but without their bytes.
  ///
  /// - Parameters:
  ///   - chatId: The chat.
  ///   - count: So many are passed over.
  ///   - limit: So many at most; nil for all.
  /// - Returns: The turns.
  /// - Throws: `StorageFailed`.
  public func turns(
    of chatId: String, after count: Int = 0, atMost limit: Int? = nil
  ) throws(Failure) -> [Message] {
    try read { try $0.turns(of: chatId, after: count, atMost: limit ?? -1) }
  }

  /// A part of a chat's turns, and the chat with where the next one begins, if there is more.
  ///
  /// - Throws: `StorageFailed`.
  public func page(
    of chat: Chat, from cursor: Int, atMost limit: Int
  ) throws(Failure) -> (chat: Chat, messages: [Message]) {
    let more = limit < .max ? limit + 1 : limit
    let turns = try turns(of: chat.id, after: cursor, atMost: more)
    let next = turns.count > limit ? "\(cursor + limit)" : nil
    return (chat.with { $0.nextCursor = next }, Array(turns.prefix(limit)))
  }

  /// The turns that a model is sent when a chat goes on: of several answers to one prompt the chosen
  /// one, else the first; of those that did not arrive whole none.
  ///
  /// - Throws: `StorageFailed`.
  public func context(of chatId: String) throws(Failure) -> [Message] {
    Self.context(among: try turns(of: chatId))
  }

  /// The turns of a chat that a model is sent when the chat goes on.
  static func context(among turns: [Message]) -> [Message] {
    let turns = turns.filter { $0.complete != false }
    let answers = turns.filter { $0.role == "assistant" && $0.groupId != nil }
    let taken = Dictionary(grouping: answers, by: \.groupId).values.map { group in
      // Ids sort in the order in which the models were asked.
      (group.first { $0.chosen == true } ?? group.min { $0.id ?? "" < $1.id ?? "" })?.id
    }
    return turns.filter { turn in
      turn.role != "assistant" || turn.groupId == nil || taken.contains(turn.id)
    }
  }

  /// The bytes of a file that goes with a turn; nil if the turn came without them.
  ///
  /// - Throws: `StorageFailed`, also if only their row is missing.
  public func content(of file: AttachedFile, in chatId: String) throws(Failure) -> [UInt8]? {
    try read { try $0.content(of: file, in: chatId).map { Array($0) } }
  }

  /// A turn with the bytes of its files in `data`, as it is handed on, and failures that report files
  /// whose rows are missing.
  ///
  /// - Throws: `StorageFailed`.
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

  /// Lets a chat go on with one of several answers to one prompt.
  ///
  /// - Parameter part: The answer's id, or a part of it.
  /// - Returns: The answer.
  /// - Throws: `NotFound`; `BadUsage` where it is no answer, one that did not arrive whole, or the only
  ///   one to its prompt.
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
        try tables.put(other.with { $0.chosen = nil })
      }
      turn.chosen = true
      try tables.put(turn)
      try tables.touch(chat: chatId, at: .now)
      return turn
    }
  }

  /// Checks that there is something to search for.
  ///
  /// - Throws: `BadUsage` where there is no word.
  public static func check(search text: String) throws(Failure) { _ = try SearchTerms(text) }

  /// The newest turns that hold all words of a text, the newest first.
  ///
  /// - Parameters:
  ///   - text: Words that begin others, and phrases in quotes.
  ///   - limit: So many at most.
  ///   - report: Is handed a failure for rows that are missing.
  /// - Returns: The turns.
  /// - Throws: `BadUsage` where there is no word.
  public func search(
    _ text: String, limit: Int, onMissing report: (Failure) -> Void = { _ in }
  ) throws(Failure) -> [Message] {
    let terms = try SearchTerms(text)
    return try read { try $0.search(terms, limit: limit, onMissing: report) }
  }

  /// Puts what is not in a segment yet into one, once it is enough.
  private func merge() throws(Failure) {
    let isEnough = try read { try $0.unmergedCount() >= SealedTables.segmentSize }
    if isEnough { try write { try $0.merge() } }
  }
}
