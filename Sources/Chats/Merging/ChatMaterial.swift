public import Core

/// Imported projects, chats and turns.
///
/// All of them are collected before the first one is stored.
public struct ChatMaterial: Sendable {
  private(set) var projects: [Project] = []
  private(set) var chats: [Chat] = []
  private(set) var turns: [Message] = []

  /// Creates empty material.
  public init() {}

  /// Adds the given record if it belongs to chats.
  ///
  /// - Returns: `false` if the record does not belong to chats and was ignored.
  /// - Throws: `BadInput` if the record is malformed.
  public mutating func add(_ record: RawRecord) throws(Failure) -> Bool {
    switch record.type {
    case Project.type: projects.append(try Project(record))
    case Chat.type: chats.append(try Chat(record))
    case Message.type: try add(try Message(record), source: record.source)
    default: return false
    }
    return true
  }

  mutating func add(_ chat: Chat) { chats.append(chat) }

  mutating func add(_ message: Message, source: String? = nil) throws(Failure) {
    for (name, id) in [("id", message.id), ("chatId", message.chatId)] where id ?? "" == "" {
      throw Failure(.badInput, "message: missing '\(name)'", input: source)
    }
    for file in message.attachments ?? [] {
      do throws(Failure) { try file.check() } catch { throw error.at(source ?? "") }
    }
    turns.append(message)
  }
}

extension AttachedFile {
  /// Checks that the file's bytes, if present, match its size and digest.
  fileprivate func check() throws(Failure) {
    guard let content = try content() else { return }
    guard content.count == bytes, SHA256Digest.hexadecimal(content) == sha256 else {
      throw Failure(.badInput, "the file '\(name)' does not match its SHA-256")
    }
  }
}
