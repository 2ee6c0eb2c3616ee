public import Core

/// Gathers the chats of a stream and the messages that belong to them, in whatever order they come.
public struct ConversationGatherer: Sendable {
  /// What the stream's end completes.
  public enum Item: Sendable {
    /// A chat with its messages.
    case conversation(Conversation)
    /// A message whose chat did not come.
    case message(Message)
  }

  /// The bytes of an id: to Swift, strings that Unicode holds for equal are one.
  private typealias Key = [UInt8]

  private var chats: [Key: Chat] = [:]
  private var messages: [Key: [Message]] = [:]
  private var ids: [Key: Message] = [:]
  private var projects: [Key: String] = [:]
  /// The chats, in the order in which they or their first message came.
  private var order: [Key] = []

  /// Gathers nothing yet.
  public init() {}

  /// Keeps what a project is called; a chat only knows its id.
  public mutating func name(project id: String, _ name: String) { projects[Key(id.utf8)] = name }

  /// Adds a chat.
  ///
  /// - Throws: `BadInput` when it came before with other members.
  public mutating func add(_ chat: Chat) throws(Failure) {
    let key = Key(chat.id.utf8)
    if let earlier = chats[key], try earlier.line() != chat.line() {
      throw Failure(
        .badInput, "chat: '\(Visible.line(chat.id))' was given before with other content")
    }
    begin(key)
    chats[key] = chat
  }

  /// Adds a message, unless it belongs to no chat.
  ///
  /// - Returns: Whether it was added.
  /// - Throws: `BadInput` when it came before with other members.
  public mutating func add(_ message: Message) throws(Failure) -> Bool {
    guard let chat = message.chatId.map({ Key($0.utf8) }) else { return false }
    if let id = message.id {
      if let earlier = ids[Key(id.utf8)] {
        guard try earlier.line() == message.line() else {
          throw Failure(
            .badInput, "message: '\(Visible.line(id))' was given before with other content")
        }
        return true
      }
      ids[Key(id.utf8)] = message
    }
    begin(chat)
    messages[chat, default: []].append(message)
    return true
  }

  /// What was gathered, in the order in which it began to come.
  public var items: [Item] {
    order.flatMap { id -> [Item] in
      let messages = messages[id] ?? []
      guard let chat = chats[id] else { return messages.map(Item.message) }
      let project = chat.projectId.flatMap { projects[Key($0.utf8)] }
      return [.conversation(Conversation(chat, project: project, messages: messages))]
    }
  }

  private mutating func begin(_ chat: Key) {
    if chats[chat] == nil, messages[chat] == nil { order.append(chat) }
  }
}
