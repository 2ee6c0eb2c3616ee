public import Core

/// The chat or the project to which a prompt belongs.
public struct ChatPlace: Sendable {
  /// The chat to continue; nil for a new one.
  public var chat: Chat?
  /// The project of a new chat.
  public var projectId: String?

  /// Creates a place in the given chat, or in a new chat of the given project.
  public init(chat: Chat? = nil, projectId: String? = nil) {
    self.chat = chat
    self.projectId = chat?.projectId ?? projectId
  }
}
