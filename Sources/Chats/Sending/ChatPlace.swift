public import Core

/// The chat or the project to which a prompt belongs.
public struct ChatPlace: Sendable {
  /// The chat to continue; nil for a new one.
  public var chat: Chat?
  /// The project to which a new chat belongs; nil for none.
  public var projectId: String?

  /// Creates a place: the given chat, or a new chat in the given project.
  public init(chat: Chat? = nil, projectId: String? = nil) {
    self.chat = chat
    self.projectId = chat?.projectId ?? projectId
  }
}
