public import Core

/// Where a prompt belongs.
public struct ChatPlace: Sendable {
  /// The chat that goes on; nil for a new one.
  public var chat: Chat?
  /// The project of a new one.
  public var projectId: String?

  /// Names the place.
  public init(chat: Chat? = nil, projectId: String? = nil) {
    self.chat = chat
    self.projectId = chat?.projectId ?? projectId
  }
}
