public import Core

/// The place of a prompt: a chat or a project.
public struct ChatPlace: Sendable {
  /// The chat to continue; nil for a new one.
  public var chat: Chat?
  /// The project of a new chat.
  public var projectId: String?

  /// Creates a place.
  public init(chat: Chat? = nil, projectId: String? = nil) {
    self.chat = chat
    self.projectId = chat?.projectId ?? projectId
  }
}
