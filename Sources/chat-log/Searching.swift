import ArgumentParser
import Chats
import Command
import Core

struct SearchChats: Tool {
  static let configuration = verbConfiguration(
    "search", abstract: "Find messages that contain all words, newest first")

  @Argument(help: "Prefixes of words, or phrases in double quotes.")
  var text: String
  @Option(help: ArgumentHelp("Show at most this many.", valueName: "count"))
  var limit = 50
  @Option(
    help: ArgumentHelp(
      "Search messages from this time on: a time, or an age such as 3d.", valueName: "time"))
  var since: Moment?
  @Option(help: ArgumentHelp("Search messages up to this time.", valueName: "time"))
  var until: Moment?
  @Option(help: "Search messages of this role.")
  var role: Role?
  @Option(
    help: "Search answers of this model: a name, or its beginning.",
    completion: .models)
  var model: String?
  @Option(
    help: "Search only this project: a folder or a name.",
    completion: .projects(ChatTitles.ofProjects))
  var project: String?
  @OptionGroup var common: CommonOptions

  /// The roles of messages.
  enum Role: String, CaseIterable, ExpressibleByArgument {
    case user, assistant, system, tool
  }

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more.") }
    guard until.map({ until in since.map { $0.instant <= until.instant } ?? true }) ?? true else {
      throw ValidationError("--until must not be before --since.")
    }
    guard model != "", project != "" else {
      throw ValidationError("--model and --project must not be empty.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    try ChatStore.check(search: text)
    let chats = try session.chats()
    var missing: [Failure] = []
    let scope = try scope(chats)
    var found = try chats?.search(text, in: scope, limit: limit) { missing.append($0) } ?? []
    if session.isOnTerminal, !session.output.isNDJSON {
      // A row has room for a few words only, so it shows the words around the match.
      for place in found.indices {
        found[place].text = try ChatStore.excerpt(of: found[place], where: text)
      }
    }
    try session.write(found, of: chats, missing: missing)
  }

  private func scope(_ chats: ChatStore?) throws(Failure) -> SearchScope {
    var scope = SearchScope()
    (scope.since, scope.until) = (since?.instant, until?.instant)
    (scope.role, scope.model) = (role?.rawValue, model)
    guard let project else { return scope }
    guard let chats else {
      throw Failure(.notFound, "there is no project '\(project)'", input: project)
    }
    scope.projectId = try chats.knownProject(project).id
    return scope
  }
}
