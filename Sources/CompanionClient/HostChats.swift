public import Core
import HubWords
import Storage

/// A reader of a host's chats.
///
/// It returns them as records of this machine.
public struct HostChats: Sendable {
  let peer: CompanionPeer

  /// Creates a reader of the chats of the given host.
  public init(_ peer: CompanionPeer) { self.peer = peer }

  /// Returns the host's projects.
  ///
  /// - Throws: As `CompanionPeer`.
  public func projects() async throws(Failure) -> [Project] {
    try await peer.projects().map { project in
      Project(id: project.id, name: project.name).with {
        $0.localPath = project.localPath
        $0.lastUpdatedAt = Timestamp(iso8601: project.lastUpdatedAt)
      }
    }
  }

  /// Returns the chats of the given project or of all projects, the most recently changed first.
  ///
  /// - Parameter word: The project's name, id or folder at the host; nil for all.
  /// - Returns: The chats.
  /// - Throws: `NotFound` if the project is unknown; as `CompanionPeer`.
  public func chats(in word: String?) async throws(Failure) -> [Chat] {
    let all = try await peer.projects()
    let meant = all.filter { word == nil || [$0.id, $0.name, $0.localPath].contains(word) }
    if let word, meant.isEmpty {
      throw Failure(
        .notFound, "there is no project '\(Visible.line(word))' on the host", input: word)
    }
    var chats: [Chat] = []
    for project in meant {
      chats += try await peer.chats(in: project.id).map { chat in
        Chat(id: chat.id).with {
          ($0.projectId, $0.title) = (chat.projectId, chat.title)
          $0.lastUpdatedAt = Timestamp(iso8601: chat.lastUpdatedAt)
        }
      }
    }
    return chats.sorted {
      ($0.lastUpdatedAt?.milliseconds ?? 0) > ($1.lastUpdatedAt?.milliseconds ?? 0)
    }
  }

  /// Returns the whole id of the chat whose id contains the given part.
  ///
  /// It is called after the host found no chat whose id is the part itself.
  ///
  /// - Parameters:
  ///   - part: The part of the id, as lists show it.
  ///   - failure: The failure that the host reported for the part.
  /// - Returns: The chat's whole id.
  /// - Throws: The given failure if it is not about an unknown id or if no chat matches; `BadUsage`
  ///   if several chats match.
  func whole(_ part: String, after failure: Failure) async throws(Failure) -> String {
    guard failure.code == .notFound else { throw failure }
    let ids = try await chats(in: nil).map(\.id)
    guard let whole = try IdPart.whole(part, among: ids, "chat"), whole != part else {
      throw failure
    }
    return whole
  }

  /// Returns the request to continue the given chat.
  ///
  /// For a host of the first version, it contains the folder of the chat's project.
  ///
  /// - Parameters:
  ///   - id: The id of the chat.
  ///   - host: The host.
  ///   - prompt: The prompt.
  ///   - model: The model; nil for the model that the chat last used.
  /// - Returns: The request.
  /// - Throws: As `CompanionPeer`.
  func continuation(
    of id: String, on host: PairedHost, _ prompt: String, model: String?
  ) async throws(Failure) -> ChatContinuation {
    ChatContinuation(
      prompt: prompt, projectPath: host.signs == true ? nil : try await folder(of: id),
      model: model, allowedTools: [])
  }

  /// Returns the folder of the given chat's project at the host; nil if no project has the chat.
  private func folder(of id: String) async throws(Failure) -> String? {
    for project in try await peer.projects() {
      if try await peer.chats(in: project.id).contains(where: { $0.id == id }) {
        return project.localPath
      }
    }
    return nil
  }

  /// Returns the given chat and a page of its messages.
  ///
  /// If there is another page, the chat's `nextCursor` is set.
  ///
  /// - Parameters:
  ///   - id: The id of the chat.
  ///   - cursor: The number of turns to skip.
  ///   - limit: The largest number of turns.
  /// - Returns: The page.
  /// - Throws: As `CompanionPeer`.
  public func page(
    of id: String, from cursor: Int, atMost limit: Int
  ) async throws(Failure) -> (chat: Chat, messages: [Message]) {
    let page: CompanionMessages
    do throws(Failure) {
      page = try await peer.messages(of: id, from: "\(cursor)", limit: limit)
    } catch {
      let whole = try await whole(id, after: error)
      return try await self.page(of: whole, from: cursor, atMost: limit)
    }
    let messages = page.messages.map { message in
      Message(role: message.role, text: message.text).with {
        ($0.id, $0.chatId) = (message.id, id)
        $0.createdAt = Timestamp(iso8601: message.createdAt)
      }
    }
    return (Chat(id: id).with { $0.nextCursor = page.nextCursor }, messages)
  }
}
