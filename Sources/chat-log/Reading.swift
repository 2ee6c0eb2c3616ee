import ArgumentParser
import Chats
import Command
import CompanionClient
import Core

struct ShowChat: Tool {
  static let configuration = verbConfiguration("show", abstract: "Show the messages of a chat")

  @Argument(
    help: "The chat's id; '-' reads chats from stdin.",
    completion: .chats(ChatTitles.ofChats))
  var id: String
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
    guard id == "-" else { return try await show(id, chats, session) }
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
      try write(try chats.turns(of: lost, after: cursor, atMost: limit), of: lost, chats, session)
      throw chats.missing(chat: lost)
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

struct SearchChats: Tool {
  static let configuration = verbConfiguration(
    "search", abstract: "Find messages that contain all words, newest first")

  @Argument(help: "Prefixes of words, or phrases in double quotes.")
  var text: String
  @Option(help: ArgumentHelp("Show at most this many.", valueName: "count"))
  var limit = 50
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more.") }
  }

  func run(_ session: Session) throws(Failure) {
    try ChatStore.check(search: text)
    let chats = try session.chats()
    var missing: [Failure] = []
    var found = try chats?.search(text, limit: limit) { missing.append($0) } ?? []
    if session.isOnTerminal, !session.output.isNDJSON {
      // A row has room for a few words only, so it shows the words around the match.
      for place in found.indices {
        found[place].text = try ChatStore.excerpt(of: found[place].text, where: text)
      }
    }
    try session.write(found)
    for failure in missing { session.fail(failure) }
    try session.reportLost(chats)
  }
}
