import Chats
import Core
import Foundation
import HubWords
import Keys
import Providers
import Synchronization

/// The chats of this machine as companions are shown them.
///
/// All of this reads the store, and so belongs on the desk's threads.
final class CompanionChats: Sendable {
  private let directories: Directories
  private let known: CompanionModels
  /// The chats, opened once; nil until there are any.
  private let opened = Mutex<ChatStore?>(nil)

  init(_ directories: Directories, _ known: CompanionModels) {
    (self.directories, self.known) = (directories, known)
  }

  /// All projects with a folder, the one that was changed last first.
  ///
  /// - Throws: `StorageFailed`, `PermissionDenied` where the key of all chats is not there.
  func projects() throws(Failure) -> [CompanionProject] {
    try store()?.projects().compactMap { project in
      project.localPath.map { path in
        CompanionProject(
          id: project.id, name: project.name, localPath: path,
          lastUpdatedAt: (project.lastUpdatedAt ?? Self.epoch).iso8601)
      }
    } ?? []
  }

  /// The chats of a project, the one that was changed last first.
  ///
  /// - Throws: `NotFound`, and as ``projects()``.
  func chats(in projectId: String) throws(Failure) -> [CompanionChat] {
    guard let store = try store(), try store.projects().contains(where: { $0.id == projectId })
    else {
      throw Failure(
        .notFound, "there is no project '\(Visible.line(projectId))'", input: projectId)
    }
    return try store.chats(in: projectId).map { chat in
      CompanionChat(
        id: chat.id, projectId: projectId, title: chat.title ?? "",
        lastUpdatedAt: (chat.lastUpdatedAt ?? chat.createdAt ?? Self.epoch).iso8601)
    }
  }

  /// A part of what was said in a chat.
  ///
  /// - Parameters:
  ///   - id: The chat's whole id.
  ///   - cursor: So many turns are passed over.
  ///   - limit: So many turns at most.
  /// - Returns: The part.
  /// - Throws: `NotFound`, and as ``projects()``.
  func messages(of id: String, from cursor: Int, limit: Int) throws(Failure) -> CompanionMessages {
    let (store, chat) = try self.chat(id)
    let page = try store.page(of: chat, from: cursor, atMost: limit)
    // An answer of which nothing came so far is no message yet.
    let said = page.messages.filter { !$0.text.isEmpty || $0.complete != false }
    return CompanionMessages(
      chatId: id, messages: said.map(CompanionMessage.init),
      nextCursor: page.chat.nextCursor)
  }

  /// A chat by its whole id, and the store that has it.
  ///
  /// - Throws: `NotFound`, and as ``projects()``.
  func chat(_ id: String) throws(Failure) -> (store: ChatStore, chat: Chat) {
    let nothing = Failure(.notFound, "there is no chat '\(Visible.line(id))'", input: id)
    guard let store = try store() else { throw nothing }
    do throws(Failure) {
      let chat = try store.chat(id)
      guard chat.id == id else { throw nothing }
      return (store, chat)
    } catch {
      throw [.notFound, .badUsage].contains(error.code) ? nothing : error
    }
  }

  /// Refuses if the usual model cannot be asked.
  ///
  /// - Throws: `MissingAPIKey`, and what choosing a model throws.
  func checkModel() throws(Failure) { _ = try known.models.directory.choose(nil) }

  /// Gets a prompt ready to be sent in a chat.
  ///
  /// - Parameters:
  ///   - asked: What is said, and how.
  ///   - id: The chat.
  /// - Returns: The prompt with its model.
  /// - Throws: `BadInput`, `NotFound` for a chat or a model that is not known, `PermissionDenied` for
  ///   another folder, `BadUsage` for several answers of which none is chosen, `MissingAPIKey`.
  func sending(_ asked: ChatContinuation, in id: String) throws(Failure) -> ChatSending {
    guard asked.prompt.contains(where: { !$0.isWhitespace }) else {
      throw Failure(.badInput, "'prompt' is empty", input: "prompt")
    }
    let (store, chat) = try self.chat(id)
    if let folder = asked.projectPath {
      let project = try store.projects().first { $0.id == chat.projectId }
      guard project?.localPath == folder else {
        throw Failure(
          .permissionDenied, "the chat belongs to another folder", kind: .otherFolder,
          input: "projectPath")
      }
    }
    var options = ChatOptions()
    options.modelOption = "'model'"
    let choice = try asked.model.map(choose)
    let sender = try ChatSender(known.models, chats: store, options: options, isKept: true)
    return try sender.prepare(
      ChatPrompt(text: asked.prompt), in: ChatPlace(chat: chat), for: choice)
  }

  private func choose(_ model: String) throws(Failure) -> ModelChoice {
    do throws(Failure) {
      guard !model.isEmpty else { throw Failure(.badUsage, "'model' is empty") }
      return try known.models.directory.choose(model)
    } catch {
      guard [.badUsage, .notFound].contains(error.code) else { throw error }
      throw Failure(.notFound, error.explanation, input: "model")
    }
  }

  /// The chats that there are; nil where none were ever kept.
  func store() throws(Failure) -> ChatStore? {
    if let store = opened.withLock(\.self) { return store }
    // Not under the lock: a key command may ask a person. Of two that open it, the first one's stays.
    guard let store = try ChatStore.existing(in: directories, keys: known.keys) else { return nil }
    return opened.withLock { opened in
      opened = opened ?? store
      return opened
    }
  }

  private static let epoch = Timestamp(milliseconds: 0)
}

extension CompanionMessage {
  /// A turn as a companion is shown it.
  init(_ message: Message) {
    self.init(
      id: message.id ?? "", role: message.role, text: message.text,
      createdAt: (message.createdAt ?? Timestamp(milliseconds: 0)).iso8601)
  }
}
