import ArgumentParser
import Command
import Core
import Display
import Tools

struct ListTools: Tool {
  static let configuration = verbConfiguration("list", abstract: "List tools")

  @Argument(help: "Only the tools of this source.", completion: .toolSources)
  var source: String?
  @Flag(help: "Read the lists now, not from the cache.")
  var fresh = false
  @OptionGroup var sources: SourceOptions
  @OptionGroup var option: ReadOnlyOption
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.withTools(sources, readOnly: option.readOnly) {
      (toolbox) async throws(Failure) in
      try session.write(await session.tools(toolbox, of: source, fresh: fresh))
    }
  }
}

struct SearchTools: Tool {
  static let configuration = verbConfiguration(
    "search", abstract: "Search tools by words, the best match first")

  @Argument(help: "The words.")
  var words: [String]
  @Flag(help: "Read the lists now, not from the cache.")
  var fresh = false
  @OptionGroup var sources: SourceOptions
  @OptionGroup var option: ReadOnlyOption
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.withTools(sources, readOnly: option.readOnly) {
      (toolbox) async throws(Failure) in
      let all = try await session.tools(toolbox, of: nil, fresh: fresh)
      let words = words.joined(separator: " ")
      let found = ToolSearch.tools(all, for: words)
      try await session.write(found + session.routed(toolbox, words, except: found))
    }
  }
}

struct ShowTool: Tool {
  static let configuration = verbConfiguration(
    "show", abstract: "Show a tool, its schema and its permission")

  @Argument(help: "The tool: SOURCE/NAME, or NAME.", completion: .tools(Toolbox.storedNames))
  var tool: String
  @OptionGroup var sources: SourceOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.withTools(sources) { (toolbox) async throws(Failure) in
      let tool = try await toolbox.tool(named: tool)
      let permission = try toolbox.consent.permission(for: tool)
      let shown = tool.with { $0.permission = permission?.rawValue }
      guard !session.output.isNDJSON else { return try session.output.write(shown) }
      let text = RecordText(
        width: session.isOnTerminal ? TerminalSize(of: 1)?.columns : nil, palette: session.palette)
      try session.output.write(text: text.card(shown))
    }
  }
}
