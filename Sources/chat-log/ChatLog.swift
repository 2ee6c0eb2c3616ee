import ArgumentParser
import Chats
import Command
import CompanionClient
import Core

@main
struct ChatLog: ToolGroup {
  static let configuration = toolConfiguration(
    "chat-log", abstract: "List, search and move what was said in chats",
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
  /// The chats that there are; nil where none were ever kept.
  func chats() throws(Failure) -> ChatStore? {
    try ChatStore.existing(in: directories, keys: keys(try configuration()))
  }

  /// The chats, for a command that names one of them.
  ///
  /// - Throws: `NotFound` where none were ever kept.
  func chats(naming id: String) throws(Failure) -> ChatStore {
    guard let chats = try chats() else {
      throw Failure(.notFound, "there is no chat or message '\(id)'", input: id)
    }
    return chats
  }

  /// The chats, which are begun where there are none.
  func newChats() throws(Failure) -> ChatStore {
    try ChatStore(directories, keys: keys(try configuration()))
  }
}

struct ListProjects: Tool {
  static let configuration = verbConfiguration(
    "projects", abstract: "List the folders that chats are about, or add one")

  @Argument(
    help: ArgumentHelp("'add' and a folder adds it.", valueName: "add folder"),
    completion: .directory)
  var words: [String] = []
  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard words.isEmpty || words.count == 2 && words[0] == "add" && !words[1].isEmpty else {
      throw ValidationError("'projects' takes nothing, or 'add' and a folder.")
    }
    guard words.isEmpty || host.host == nil else {
      throw ValidationError("'projects add' is for this machine.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    if let chats = try host.chats(session) {
      return try session.write(try await chats.projects())
    }
    guard let folder = words.last else {
      return try session.write(try session.chats()?.projects() ?? [])
    }
    let path = try ProjectFolder.path(folder)
    try session.output.write(try session.newChats().project(forFolder: path))
  }
}

struct ListChats: Tool {
  static let configuration = verbConfiguration("list", abstract: "List chats, the newest first")

  @Option(
    help: ArgumentHelp(
      "Only those of a folder, or of a project by its name.", valueName: "project"),
    completion: .projects)
  var project: String?
  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    if let chats = try host.chats(session) {
      return try session.write(try await chats.chats(in: project))
    }
    guard let project else { return try session.write(try session.chats()?.chats() ?? []) }
    guard let chats = try session.chats() else {
      throw Failure(.notFound, "there is no project '\(project)'", input: project)
    }
    try session.write(try chats.chats(in: try chats.knownProject(project).id))
  }
}

struct RenameChat: Tool {
  static let configuration = verbConfiguration("rename", abstract: "Give a chat another title")

  @Argument(help: "The chat's id.", completion: .chats)
  var id: String
  @Argument(help: "Its title.")
  var title: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let chats = try session.chats(naming: id)
    try session.output.write(try chats.rename(try chats.chat(id), to: title))
  }
}

struct DeleteChats: Tool {
  static let configuration = verbConfiguration("delete", abstract: "Remove chats or messages")

  @Argument(help: ArgumentHelp("A chat's id, or a message's.", valueName: "id"), completion: .chats)
  var ids: [String]
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.chats(naming: ids[0]).remove(ids)
    if session.isOnTerminal { session.diagnostics.say("removed: \(ids.joined(separator: ", "))") }
  }
}

struct ChooseAnswer: Tool {
  static let configuration = verbConfiguration(
    "choose", abstract: "Let a chat go on with one of several answers")

  @Argument(help: "The answer's id.", completion: .answers)
  var message: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.output.write(try session.chats(naming: message).choose(message))
  }
}

struct RekeyChats: Tool {
  static let configuration = verbConfiguration(
    "rekey", abstract: "Seal everything under a new key")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let chats = try session.chats() else {
      throw Failure(.notFound, "there are no chats, and there is no key")
    }
    try session.output.write(try chats.rekey())
  }
}
