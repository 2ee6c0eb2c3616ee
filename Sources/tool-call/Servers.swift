import ArgumentParser
import Command
import Core
import Tools

struct AddServer: Tool {
  static let configuration = verbConfiguration("add", abstract: "Add a server, or replace it")

  @Argument(help: "The server's name.")
  var name: String
  @Argument(help: "The server's URL.")
  var url: String?
  @Argument(
    parsing: .postTerminator, help: "The command that starts the server, after '--'.")
  var command: [String] = []
  @Option(
    help: ArgumentHelp(
      "Set a variable of the command: NAME=value or NAME=key:SECRET.", valueName: "variable"))
  var env: [String] = []
  @Option(
    help: ArgumentHelp(
      "Send a header: 'Name: value' or 'Name: key:SECRET'.", valueName: "field"))
  var header: [String] = []
  @Option(
    help: ArgumentHelp("The folder in which the command runs.", valueName: "folder"),
    completion: .directory)
  var cwd: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (url == nil) != command.isEmpty else {
      throw ValidationError("Name a URL, or a command after '--'.")
    }
    guard env.allSatisfy({ pair($0, "=") != nil }) else {
      // The value may be a secret, so the message does not repeat it.
      throw ValidationError("--env must be NAME=value or NAME=key:SECRET.")
    }
    guard header.allSatisfy({ pair($0, ":") != nil }) else {
      throw ValidationError("--header must be 'Name: value' or 'Name: key:SECRET'.")
    }
    guard url == nil || env.isEmpty && cwd == nil else {
      throw ValidationError("--env and --cwd need a command.")
    }
    guard url != nil || header.isEmpty else { throw ValidationError("--header needs a URL.") }
  }

  func run(_ session: Session) throws(Failure) {
    var server = Settings.MCPSettings()
    (server.url, server.cwd) = (url, cwd)
    if !command.isEmpty { server.command = command }
    if !env.isEmpty { server.env = pairs(env, "=") }
    if !header.isEmpty { server.headers = pairs(header, ":") }
    if let problem = ServerEntry(name: name, settings: server).problem {
      throw Failure(.badUsage, problem.explanation, input: name)
    }
    try session.addedTools.add([name: server])
    if session.isOnTerminal { session.diagnostics.report("added: mcp:\(name)") }
  }

  private func pairs(_ texts: [String], _ mark: Character) -> [String: String] {
    Dictionary(texts.compactMap { pair($0, mark) }) { $1 }
  }

  private func pair(_ text: String, _ mark: Character) -> (String, String)? {
    guard let place = text.firstIndex(of: mark), place != text.startIndex else { return nil }
    let value = text[text.index(after: place)...].drop { mark == ":" && $0 == " " }
    return (String(text[..<place]), String(value))
  }
}

struct ImportServers: Tool {
  static let configuration = verbConfiguration(
    "import", abstract: "Add the servers of another program's file")

  @Argument(
    help: "A JSON file with 'mcpServers' or 'servers', or Codex's 'config.toml'.",
    completion: .file())
  var file: String
  @Option(
    help: ArgumentHelp("Agree to servers that match; repeatable.", valueName: "pattern"))
  var allow: [String] = []
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let bytes = try Session.bytes(ofFile: file, atMost: ClientConfiguration.mostBytes)
    let entries = try ClientConfiguration.servers(
      bytes, file: ShownURL.inName(file), report: session.report)
    try session.addedTools.add(
      Dictionary(entries.map { ($0.name, $0.settings) }) { $1 })
    for entry in entries {
      let place = entry.folder.map { " (of '\(Visible.line($0))')" } ?? ""
      session.diagnostics.report("added: \(entry.source)\(place)")
      for line in entry.shownLines { session.diagnostics.report("  \(line)", asWritten: true) }
    }
    var options = ToolOptions()
    options.allow = allow
    let consent = try Toolbox.consent(
      session, session.configuration(), options,
      asking: ToolTerminal(session.interruption, open: session.browse))
    for entry in entries {
      do throws(Failure) {
        try await consent.admit(ServerEntry(name: entry.name, settings: entry.settings))
      } catch {
        guard error.code != .interrupted else { throw error }
        session.diagnostics.report("'\(entry.source)' does not start until you agree to it")
      }
    }
  }
}

struct RemoveServer: Tool {
  static let configuration = verbConfiguration("remove", abstract: "Remove an added server")

  @Argument(help: "The server's name.", completion: .servers)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.addedTools.remove(name.hasPrefix("mcp:") ? String(name.dropFirst(4)) : name)
    if session.isOnTerminal { session.diagnostics.report("removed: mcp:\(name)") }
  }
}

struct ForgetAgreements: Tool {
  static let configuration = verbConfiguration(
    "forget", abstract: "Remove agreements to tools and servers")

  @Argument(help: "A tool, a server, or a pattern; all by default.")
  var pattern: String?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let removed = try ToolAgreements(session.directories).forget(pattern.map(ToolPattern.init))
    for agreement in removed {
      session.diagnostics.report("forgot: \(Visible.line(agreement.name))")
    }
  }
}
