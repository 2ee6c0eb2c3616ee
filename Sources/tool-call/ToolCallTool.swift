import ArgumentParser
import Command
import Core

@main
struct ToolCallTool: ToolGroup {
  static let configuration = toolConfiguration(
    "tool-call", abstract: "List, search and call tools",
    discussion: """
      Examples:
        tool-call add time -- uvx mcp-server-time
        tool-call mcp:time/get_current_time timezone=Europe/Berlin
        tool-call search 'current time' | jq -r .name
      """,
    subcommands: [
      ListTools.self, SearchTools.self, ShowTool.self, CallTool.self, AddServer.self,
      ImportServers.self, RemoveServer.self, LogIn.self, LogOut.self, ForgetAgreements.self,
    ], usual: CallTool.self)
}

/// The options that say which servers there are, and which may start.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Allow tools or servers that match; repeatable.", valueName: "pattern"))
  var allow: [String] = []
  @Option(
    help: ArgumentHelp("Use the servers of this file too, for this run.", valueName: "file"),
    completion: .file())
  var mcpConfig: String?

  func validate() throws {
    guard !allow.contains("") else { throw ValidationError("--allow needs a pattern.") }
  }
}

/// The option that leaves out the tools that may change something.
struct ReadOnlyOption: ParsableArguments {
  @Flag(help: "Use only tools that are marked as read-only.")
  var readOnly = false
}
