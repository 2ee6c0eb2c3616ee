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

  private var chats: [String: Chat] = [:]
  private var messages: [String: [Message]] = [:]
  private var ids: [String: Message] = [:]
  private var projects: [String: String] = [:]
  /// The chats, in the order in which they or their first message came.
  private var order: [String] = []

  /// Gathers nothing yet.
  public init() {}

  /// Notes what a project is called; a chat only knows its id.
  public mutating func note(project id: String, name: String) { projects[id] = name }

  /// Adds a chat.
  ///
  /// - Throws: `BadInput` when it came before with other members.
  public mutating func add(_ chat: Chat) throws(Failure) {
    guard chats[chat.id] == nil || chats[chat.id] == chat else {
      throw Failure(.badInput, "chat: '\(Visible.line(chat.id))' came before with other content")
    }
    begin(chat.id)
    chats[chat.id] = chat
  }

  /// Adds a message, unless it belongs to no chat.
  ///
  /// - Returns: Whether it was added.
  /// - Throws: `BadInput` when it came before with other members.
  public mutating func add(_ message: Message) throws(Failure) -> Bool {
    guard let chat = message.chatId else { return false }
    if let id = message.id {
      if let earlier = ids[id] {
        guard earlier == message else {
          throw Failure(.badInput, "message: '\(Visible.line(id))' came before with other content")
        }
        return true
      }
      ids[id] = message
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
      let project = chat.projectId.flatMap { projects[$0] }
      return [.conversation(Conversation(chat, project: project, messages: messages))]
    }
  }

  private mutating func begin(_ chat: String) {
    if chats[chat] == nil, messages[chat] == nil { order.append(chat) }
  }
}
