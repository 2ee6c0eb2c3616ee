import ArgumentParser
import Chats
import Command
import CompanionClient
import Core

struct ShowChat: Tool {
  static let configuration = verbConfiguration("show", abstract: "Show the messages of a chat")

  @Argument(
    help: "The chat's id; '-' reads chats from stdin. The default is the last chat.",
    completion: .chats(ChatTitles.ofChats))
  var id: String?
  @Option(help: ArgumentHelp("Skip this many messages.", valueName: "count"))
  var cursor = 0
  @Option(help: ArgumentHelp("Show at most this many messages.", valueName: "count"))
  var limit = 50
  @Option(
    help: ArgumentHelp("Write attachments into this folder.", valueName: "folder"),
    completion: .directory)
  var attachmentsInto: String?
  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try host.validateAlone()
    guard cursor >= 0 else { throw ValidationError("--cursor must not be negative.") }
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more.") }
    guard attachmentsInto != "" else { throw ValidationError("--attachments-into needs a folder.") }
    guard attachmentsInto == nil || host.host == nil else {
      throw ValidationError("--attachments-into does not work with --host.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let chats = try host.chats(session)
    guard id == "-" else {
      let last = id == nil ? try await lastChat(chats, session) : nil
      return try await show(id ?? last ?? "", chats, session)
    }
    var input = session.input()
    while let item = try input.next() {
      switch item {
      case .bad(let failure): session.fail(failure)
      case .record(let record) where record.type == Chat.type:
        do {
          try await show(try Chat(record).id, chats, session)
        } catch {
          try session.goOn(after: error.at(record.source))
        }
      case .record(let record): try session.passOn(record)
      }
    }
  }

  /// Returns the id of the chat that changed last.
  private func lastChat(
    _ host: HostChats?, _ session: Session
  ) async throws(Failure) -> String {
    let last =
      if let host { try await host.chats(in: nil).first } else {
        try session.chats()?.lastChat()
      }
    guard let last else {
      throw Failure(.notFound, "there is no chat", nextStep: "begin one with 'chat-send'")
    }
    return last.id
  }

  private func show(_ id: String, _ chats: HostChats?, _ session: Session) async throws(Failure) {
    guard let chats else { return try show(id, session) }
    let page = try await chats.page(of: id, from: cursor, atMost: limit)
    try session.write([page.chat])
    for message in page.messages { try session.output.write(message) }
    reportMore(page.chat, session)
  }

  private func reportMore(_ chat: Chat, _ session: Session) {
    guard let next = chat.nextCursor, session.isOnTerminal else { return }
    session.diagnostics.report("more messages follow: use --cursor \(next)")
  }

  private func show(_ id: String, _ session: Session) throws(Failure) {
    let chats = try session.chats(naming: id)
    if let lost = try chats.lostChat(id) {
      let turns = try chats.turns(of: lost, after: cursor, atMost: limit)
      return try session.end(with: chats.missing(chat: lost)) { () throws(Failure) in
        try write(turns, of: lost, chats, session)
      }
    }
    let page = try chats.page(of: try chats.chat(id), from: cursor, atMost: limit)
    try session.write([page.chat])
    if cursor == 0, !session.output.isNDJSON, let system = page.chat.system {
      try session.output.write(Message(role: "system", text: system))
    }
    try write(page.messages, of: page.chat.id, chats, session)
    reportMore(page.chat, session)
  }

  private func write(
    _ messages: [Message], of chatId: String, _ chats: ChatStore, _ session: Session
  ) throws(Failure) {
    let folder = try attachmentsInto.map { path throws(Failure) in try AttachmentFolder(path) }
    for message in messages {
      try session.output.write(message)
      guard let folder else { continue }
      for file in message.attachments ?? [] {
        do {
          guard let content = try chats.content(of: file, in: chatId) else { continue }
          try session.output.write(try folder.write(file, content))
        } catch  where error.kind == .corrupt && error.input == "attachment" {
          session.fail(error)
        }
      }
    }
  }
}
