import Chats
import Core
import Foundation
import HubWords
import Keys
import Providers
import Synchronization

/// The chats of this machine, in the form that companions receive.
///
/// Methods read the store, so they must run on the threads for reading files.
final class CompanionChats: Sendable {
  private let directories: Directories
  private let known: CompanionModels
  /// The chat store; nil until it is first used and contains chats.
  private let opened = Mutex<ChatStore?>(nil)

  init(_ directories: Directories, _ known: CompanionModels) {
    (self.directories, self.known) = (directories, known)
  }

  /// Returns all projects that have a folder, the most recently changed first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read; `PermissionDenied` if the chats' key is
  ///   missing.
  func projects() throws(Failure) -> [CompanionProject] {
    try store()?.projects().compactMap { project in
      project.localPath.map { path in
        CompanionProject(
          id: project.id, name: project.name, localPath: path,
          lastUpdatedAt: (project.lastUpdatedAt ?? Self.epoch).iso8601)
      }
    } ?? []
  }

  /// Returns the chats of the given project, the most recently changed first.
  ///
  /// - Throws: `NotFound` if the id is unknown; as ``projects()``.
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

  /// Returns a page of the messages of the given chat.
  ///
  /// - Parameters:
  ///   - id: The chat's whole id.
  ///   - cursor: The number of turns to skip.
  ///   - limit: The largest number of turns.
  /// - Returns: The page.
  /// - Throws: `NotFound` if the id is unknown; as ``projects()``.
  func messages(of id: String, from cursor: Int, limit: Int) throws(Failure) -> CompanionMessages {
    let (store, chat) = try self.chat(id)
    let page = try store.page(of: chat, from: cursor, atMost: limit)
    // An answer without any text yet is not a message, and results of tools have no text.
    let said = page.messages.filter {
      !$0.text.isEmpty || ($0.complete != false && $0.toolResults == nil)
    }
    return CompanionMessages(
      chatId: id, messages: said.map(CompanionMessage.init),
      nextCursor: page.chat.nextCursor)
  }

  /// Returns the chat with the given whole id, and the store that holds it.
  ///
  /// - Throws: `NotFound` if the id is unknown; as ``projects()``.
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

  /// Checks that the default model can be used.
  ///
  /// - Throws: `MissingAPIKey` if the model's key is missing; the errors of choosing a model.
  func checkModel() throws(Failure) { _ = try known.models.directory.choose(nil) }

  /// Does the given work with the tools that the prompt asks for, if the configuration names any of
  /// them.
  ///
  /// - Throws: The errors of `work`.
  func offering(
    _ continuation: ChatContinuation,
    _ work: @Sendable (ChatTools?) async throws(Failure) -> Void
  ) async throws(Failure) {
    let requested = (continuation.allowedTools ?? []).prefix(Self.mostRequested)
    guard let offering = known.offering, !requested.isEmpty else { return try await work(nil) }
    try await offering(requested.map { String($0.prefix(Self.mostOfName)) }, work)
  }

  /// The largest number of tools that a companion may ask for.
  private static let mostRequested = 200
  /// The largest number of characters of a tool's name in a request.
  private static let mostOfName = 300

  /// Prepares a prompt for sending.
  ///
  /// - Parameters:
  ///   - continuation: The prompt and its options.
  ///   - id: The id of the chat.
  ///   - tools: The tools that the model may call; nil for none.
  /// - Returns: The prompt, ready for sending to its model.
  /// - Throws: `BadInput` if the prompt is invalid; `NotFound` if the chat or model is unknown;
  ///   `PermissionDenied` if the prompt names a folder that is not the chat's; `BadUsage` if one of
  ///   several answers must be chosen first; `MissingAPIKey` if the model's key is missing.
  func sending(
    _ continuation: ChatContinuation, in id: String, with tools: ChatTools?
  ) throws(Failure) -> ChatSending {
    guard continuation.prompt.contains(where: { !$0.isWhitespace }) else {
      throw Failure(.badInput, "'prompt' is empty", input: "prompt")
    }
    let (store, chat) = try self.chat(id)
    if let folder = continuation.projectPath {
      let project = try store.projects().first { $0.id == chat.projectId }
      guard project?.localPath == folder else {
        throw Failure(
          .permissionDenied, "the chat belongs to another folder", kind: .otherFolder,
          input: "projectPath")
      }
    }
    var options = ChatOptions()
    options.modelOption = "'model'"
    options.tools = tools
    let choice = try continuation.model.map(choose)
    let sender = try ChatSender(known.models, chats: store, options: options, isStored: true)
    return try sender.prepare(
      ChatPrompt(text: continuation.prompt), in: ChatPlace(chat: chat), for: choice)
  }

  private func choose(_ model: String) throws(Failure) -> ModelChoice {
    do throws(Failure) {
      guard !model.isEmpty else { throw Failure(.badUsage, "'model' is empty") }
      return try known.models.directory.choose(model)
    } catch {
      guard [.badUsage, .notFound].contains(error.code) else { throw error }
      throw Failure(.notFound, error.explanation, input: "model", nextStep: error.nextStep)
    }
  }

  /// Returns the chat store; nil if no chat was ever stored.
  func store() throws(Failure) -> ChatStore? {
    if let store = opened.withLock(\.self) { return store }
    // The store is opened outside the lock, since a key command may ask a person. If two callers
    // open it, the first store is used.
    guard let store = try ChatStore.existing(in: directories, keys: known.keys) else { return nil }
    return opened.withLock { opened in
      opened = opened ?? store
      return opened
    }
  }

  private static let epoch = Timestamp(milliseconds: 0)
}

extension CompanionMessage {
  /// Creates the message that companions receive for the given turn.
  init(_ message: Message) {
    self.init(
      id: message.id ?? "", role: message.role, text: message.text,
      createdAt: (message.createdAt ?? Timestamp(milliseconds: 0)).iso8601)
  }
}
