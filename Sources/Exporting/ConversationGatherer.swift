public import Core

/// A collector of the chats and messages in a stream.
///
/// They may arrive in any order.
public struct ConversationGatherer: Sendable {
  /// A chat with its messages, or a message whose chat is missing.
  public enum Item: Sendable {
    /// A chat and its messages.
    case conversation(Conversation)
    /// A message whose chat was not in the stream.
    case message(Message)
  }

  /// The bytes of an id.
  ///
  /// Swift's strings would also be equal if they are canonically equivalent.
  private typealias Key = [UInt8]

  private var chats: [Key: Chat] = [:]
  private var messages: [Key: [Message]] = [:]
  private var ids: [Key: Message] = [:]
  private var projects: [Key: String] = [:]
  /// The ids of the chats, in the order in which a chat or one of its messages first occurred.
  private var order: [Key] = []

  /// Creates an empty collector.
  public init() {}

  /// Stores the name of the project with the given id, because a chat contains only the project's
  /// id.
  public mutating func name(project id: String, _ name: String) { projects[Key(id.utf8)] = name }

  /// Adds the given chat.
  ///
  /// - Throws: `BadInput` if a chat with the same id but other members was added before.
  public mutating func add(_ chat: Chat) throws(Failure) {
    let key = Key(chat.id.utf8)
    if let earlier = chats[key], try earlier.line() != chat.line() {
      throw Failure(
        .badInput, "chat: '\(Visible.line(chat.id))' was given before with other content")
    }
    begin(key)
    chats[key] = chat
  }

  /// Adds the given message if it has a chat id.
  ///
  /// - Returns: `false` if the message has no chat id and was not added.
  /// - Throws: `BadInput` if a message with the same id but other members was added before.
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

  /// The collected items, in the order in which they first occurred.
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
