/// A project, in the form that companions receive.
public struct CompanionProject: HubWord {
  /// The project's id.
  public var id: String
  /// The display name.
  public var name: String
  /// The project's folder on the hub's machine.
  public var localPath: String
  /// The time at which the project last changed, in ISO 8601.
  public var lastUpdatedAt: String

  /// Creates the description.
  public init(id: String, name: String, localPath: String, lastUpdatedAt: String) {
    (self.id, self.name) = (id, name)
    (self.localPath, self.lastUpdatedAt) = (localPath, lastUpdatedAt)
  }
}

/// A chat, in the form that companions receive.
public struct CompanionChat: HubWord {
  /// The id of the chat.
  public var id: String
  /// The id of the chat's project.
  public var projectId: String
  /// The title.
  public var title: String
  /// The time of the chat's last message, in ISO 8601.
  public var lastUpdatedAt: String

  /// Creates the description.
  public init(id: String, projectId: String, title: String, lastUpdatedAt: String) {
    (self.id, self.projectId) = (id, projectId)
    (self.title, self.lastUpdatedAt) = (title, lastUpdatedAt)
  }
}

/// A chat message, in the form that companions receive.
public struct CompanionMessage: HubWord {
  /// The message's id.
  public var id: String
  /// The author: `user` or `assistant`.
  public var role: String
  /// The text.
  public var text: String
  /// The time of the message, in ISO 8601.
  public var createdAt: String

  /// Creates the description.
  public init(id: String, role: String, text: String, createdAt: String) {
    (self.id, self.role) = (id, role)
    (self.text, self.createdAt) = (text, createdAt)
  }
}

/// The response to `GET /companion/chats/:chatId/messages`.
public struct CompanionMessages: HubWord {
  /// Always true.
  public var ok = true
  /// The chat's id.
  public var chatId: String
  /// A page of the messages, the oldest first.
  public var messages: [CompanionMessage]
  /// The cursor of the next page; `null` on the last page.
  public var nextCursor: String?

  /// Creates the response.
  public init(chatId: String, messages: [CompanionMessage], nextCursor: String?) {
    (self.chatId, self.messages, self.nextCursor) = (chatId, messages, nextCursor)
  }

  /// Encodes all members, including null ones.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(ok, forKey: .ok)
    try members.encode(chatId, forKey: .chatId)
    try members.encode(messages, forKey: .messages)
    try members.encode(nextCursor, forKey: .nextCursor)
  }
}

/// The body of `POST /companion/chats/:chatId/continue`.
public struct ChatContinuation: HubWord {
  /// The prompt for the model.
  public var prompt: String
  /// The folder of the chat's project; only hosts of the first version need it.
  public var projectPath: String?
  /// The name of the model; nil for the model that the chat last used.
  public var model: String?
  /// The names of the tools that the model may use; the operator must also allow them.
  public var allowedTools: [String]?

  /// Creates the body.
  public init(
    prompt: String, projectPath: String? = nil, model: String? = nil, allowedTools: [String]? = nil
  ) {
    (self.prompt, self.projectPath) = (prompt, projectPath)
    (self.model, self.allowedTools) = (model, allowedTools)
  }
}
