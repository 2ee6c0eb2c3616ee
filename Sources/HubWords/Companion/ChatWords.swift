/// A project, as a companion is told of it.
public struct CompanionProject: HubWord {
  /// Its id.
  public var id: String
  /// What it is called.
  public var name: String
  /// Its folder on the hub's machine.
  public var localPath: String
  /// When something in it changed last, as ISO 8601.
  public var lastUpdatedAt: String

  /// Creates the description.
  public init(id: String, name: String, localPath: String, lastUpdatedAt: String) {
    (self.id, self.name) = (id, name)
    (self.localPath, self.lastUpdatedAt) = (localPath, lastUpdatedAt)
  }
}

/// A chat, as a companion is told of it.
public struct CompanionChat: HubWord {
  /// Its id.
  public var id: String
  /// Its project's.
  public var projectId: String
  /// What it is about.
  public var title: String
  /// When something was last said in it, as ISO 8601.
  public var lastUpdatedAt: String

  /// Creates the description.
  public init(id: String, projectId: String, title: String, lastUpdatedAt: String) {
    (self.id, self.projectId) = (id, projectId)
    (self.title, self.lastUpdatedAt) = (title, lastUpdatedAt)
  }
}

/// What somebody said in a chat, as a companion is told of it.
public struct CompanionMessage: HubWord {
  /// Its id.
  public var id: String
  /// Who said it: `user`, `assistant`.
  public var role: String
  /// What was said.
  public var text: String
  /// When, as ISO 8601.
  public var createdAt: String

  /// Creates the description.
  public init(id: String, role: String, text: String, createdAt: String) {
    (self.id, self.role) = (id, role)
    (self.text, self.createdAt) = (text, createdAt)
  }
}

/// The answer to `GET /companion/chats/:chatId/messages`.
public struct CompanionMessages: HubWord {
  /// Always true.
  public var ok = true
  /// The chat.
  public var chatId: String
  /// A part of what was said, the oldest first.
  public var messages: [CompanionMessage]
  /// Where the next part begins; the member is there and null at the end.
  public var nextCursor: String?

  /// Creates the answer.
  public init(chatId: String, messages: [CompanionMessage], nextCursor: String?) {
    (self.chatId, self.messages, self.nextCursor) = (chatId, messages, nextCursor)
  }

  /// Writes all members, the null ones too.
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
  /// What is said to the model.
  public var prompt: String
  /// The folder of the chat's project.
  public var projectPath: String?
  /// The model; the chat's last one where it is nil.
  public var model: String?
  /// The tools that it may use, of those that the operator allows.
  public var allowedTools: [String]?

  /// Creates the body.
  public init(
    prompt: String, projectPath: String? = nil, model: String? = nil, allowedTools: [String]? = nil
  ) {
    (self.prompt, self.projectPath) = (prompt, projectPath)
    (self.model, self.allowedTools) = (model, allowedTools)
  }
}
