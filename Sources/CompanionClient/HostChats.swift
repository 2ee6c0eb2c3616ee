public import Core
import HubWords
import Storage

/// The chats of a host, as records of this machine.
public struct HostChats: Sendable {
  let peer: CompanionPeer

  /// Creates a reader of a host's chats.
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

  /// Returns the chats of a project or of all projects, the most recently changed first.
  ///
  /// - Parameter word: The project's name, id or folder at the host; nil for all.
  /// - Returns: The chats.
  /// - Throws: `NotFound` for an unknown project, and as `CompanionPeer`.
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

  /// Returns the chat whose id has a part, as lists show it, after the host did not find the part
  /// itself.
  ///
  /// - Parameters:
  ///   - part: The given part.
  ///   - failure: The host's failure for the part.
  /// - Returns: The chat's whole id.
  /// - Throws: The failure if it is of another kind or nothing matches; `BadUsage` for an ambiguous
  ///   part.
  func whole(_ part: String, after failure: Failure) async throws(Failure) -> String {
    guard failure.code == .notFound else { throw failure }
    let ids = try await chats(in: nil).map(\.id)
    guard let whole = try IdPart.whole(part, among: ids, "chat"), whole != part else {
      throw failure
    }
    return whole
  }

  /// Returns the request to continue a chat; a host of the first version also needs the project's
  /// folder.
  ///
  /// - Parameters:
  ///   - id: The chat.
  ///   - host: The host.
  ///   - prompt: The prompt.
  ///   - model: The model; nil for the chat's last.
  /// - Returns: The request.
  /// - Throws: As `CompanionPeer`.
  func continuation(
    of id: String, on host: PairedHost, _ prompt: String, model: String?
  ) async throws(Failure) -> ChatContinuation {
    ChatContinuation(
      prompt: prompt, projectPath: host.signs == true ? nil : try await folder(of: id),
      model: model, allowedTools: [])
  }

  /// Returns the folder of a chat's project at the host; nil if no project has the chat.
  private func folder(of id: String) async throws(Failure) -> String? {
    for project in try await peer.projects() {
      if try await peer.chats(in: project.id).contains(where: { $0.id == id }) {
        return project.localPath
      }
    }
    return nil
  }

  /// Returns a page of a chat, and the start of the next page if there is one.
  ///
  /// - Parameters:
  ///   - id: The chat.
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
