import ArgumentParser
import Chats
import Command
import CompanionClient
import Core

struct ListProjects: Tool {
  static let configuration = verbConfiguration(
    "projects", abstract: "List projects, or add a folder as a project")

  @Argument(
    help: ArgumentHelp("'add' and the folder to add.", valueName: "add folder"),
    completion: .directory)
  var words: [String] = []
  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try host.validateAlone()
    guard words.isEmpty || words.count == 2 && words[0] == "add" && !words[1].isEmpty else {
      throw ValidationError("'projects' accepts no operand, or 'add' and a folder.")
    }
    guard words.isEmpty || host.host == nil else {
      throw ValidationError("'projects add' does not work with --host.")
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
  static let configuration = verbConfiguration("list", abstract: "List chats, newest first")

  @Option(
    help: ArgumentHelp(
      "List only this project: a folder or a name.", valueName: "project"),
    completion: .projects(ChatTitles.ofProjects))
  var project: String?
  @OptionGroup var host: HostOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try host.validateAlone() }

  func run(_ session: Session) async throws(Failure) {
    if let chats = try host.chats(session) {
      return try session.write(try await chats.chats(in: project))
    }
    let chats = try session.chats()
    guard let project else { return try session.write(try chats?.chats() ?? [], of: chats) }
    guard let chats else {
      throw Failure(.notFound, "there is no project '\(project)'", input: project)
    }
    try session.write(try chats.chats(in: try chats.knownProject(project).id), of: chats)
  }
}
