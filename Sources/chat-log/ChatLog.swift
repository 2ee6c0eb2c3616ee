import ArgumentParser
import Chats
import Command
import Core

@main
struct ChatLog: ToolGroup {
  static let configuration = toolConfiguration(
    "chat-log", abstract: "List, search and move chats",
    discussion: """
      Examples:
        chat-log list
        chat-log search 'WAL checkpoint' | jq -r .chatId | sort -u
        ssh laptop chat-log export | chat-log import
      """,
    subcommands: [
      ListProjects.self, ListChats.self, ShowChat.self, SearchChats.self, ExportChats.self,
      ImportChats.self, RenameChat.self, DeleteChats.self, ChooseAnswer.self, SumUsage.self,
      RekeyChats.self,
    ])
}

extension Session {
  /// Opens the store of chats; returns nil if there is none.
  func chats() throws(Failure) -> ChatStore? {
    try ChatStore.existing(in: directories, keys: keys(try configuration()))
  }

  /// Opens the store of chats for a command that names the chat or message with the given ID.
  ///
  /// - Throws: `NotFound` if there is no store.
  func chats(naming id: String) throws(Failure) -> ChatStore {
    guard let chats = try chats() else {
      throw Failure(.notFound, "there is no chat or message '\(id)'", input: id)
    }
    return chats
  }

  /// Writes the given records, and reports missing data, such as that of whole chats.
  func write(
    _ records: [any StreamRecord], of chats: ChatStore?, missing: [Failure] = []
  ) throws(Failure) {
    let lost = try (chats?.lostChats() ?? []).compactMap { chats?.missing(chat: $0) }
    defer { for failure in missing + lost { fail(failure) } }
    try write(records)
  }

  /// Opens the store of chats, and creates it if there is none.
  func newChats() throws(Failure) -> ChatStore {
    try ChatStore(directories, keys: keys(try configuration()))
  }
}

struct RenameChat: Tool {
  static let configuration = verbConfiguration("rename", abstract: "Rename a chat")

  @Argument(help: "The chat's id.", completion: .chats(ChatTitles.ofChats))
  var id: String
  @Argument(help: "The new title.")
  var title: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let chats = try session.chats(naming: id)
    try session.output.write(try chats.rename(try chats.chat(id), to: title))
  }
}

struct DeleteChats: Tool {
  static let configuration = verbConfiguration("delete", abstract: "Delete chats or messages")

  @Argument(
    help: ArgumentHelp("The id of a chat or message.", valueName: "id"),
    completion: .chats(ChatTitles.ofChats))
  var ids: [String]
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.chats(naming: ids[0]).remove(ids)
    if session.isOnTerminal {
      session.diagnostics.report("removed: \(ids.joined(separator: ", "))")
    }
  }
}

struct ChooseAnswer: Tool {
  static let configuration = verbConfiguration(
    "choose", abstract: "Choose the answer that a chat continues with")

  @Argument(help: "The answer's id.", completion: .answers)
  var message: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.output.write(try session.chats(naming: message).choose(message))
  }
}

struct RekeyChats: Tool {
  static let configuration = verbConfiguration(
    "rekey", abstract: "Encrypt everything again with a new key")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let chats = try session.chats() else {
      throw Failure(.notFound, "there are no chats and no chat key")
    }
    try session.output.write(try chats.rekey())
  }
}
