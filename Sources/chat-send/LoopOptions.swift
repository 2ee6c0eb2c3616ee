import ArgumentParser
import Chats
import Command
import Tools

/// The options of the tools that a model may call, and the limits of a run.
struct LoopOptions: ParsableArguments {
  @Option(
    name: .customLong("tool"),
    help: ArgumentHelp("Offer these tools to the model; may be repeated.", valueName: "pattern"),
    completion: .tools(Toolbox.storedNames))
  var tools: [String] = []
  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp("Call these tools without asking; may be repeated.", valueName: "pattern"),
    completion: .tools(Toolbox.storedNames))
  var allowed: [String] = []
  @Flag(
    help: ArgumentHelp("Offer only tools that are marked as read-only.", visibility: .hidden))
  var readOnly = false
  @Flag(help: ArgumentHelp("Open an approval gate for other calls.", visibility: .hidden))
  var gate = false
  @Option(
    help: ArgumentHelp(
      "Use the MCP servers of this file too.", valueName: "file", visibility: .hidden),
    completion: .file())
  var mcpConfig: String?
  @Option(
    help: ArgumentHelp("Stop before the run exceeds this cost.", valueName: "dollars"),
    transform: Double.decimal)
  var maxCost: Double?
  @Option(
    help: ArgumentHelp(
      "Stop after this many rounds of tool calls.", valueName: "count", visibility: .hidden))
  var maxRounds = ChatTools.usualRounds
  @Option(
    help: ArgumentHelp(
      "Cut the result of a tool to this many characters.", valueName: "count",
      visibility: .hidden))
  var maxResultCharacters = ChatTools.usualResultCharacters

  func validate() throws {
    guard maxCost.map({ $0.isFinite && $0 >= 0 }) ?? true else {
      throw ValidationError("--max-cost must not be negative.")
    }
    guard maxRounds > 0 else { throw ValidationError("--max-rounds must be positive.") }
    guard maxResultCharacters > 0 else {
      throw ValidationError("--max-result-characters must be positive.")
    }
    guard !tools.isEmpty || (allowed.isEmpty && !gate && !readOnly && mcpConfig == nil) else {
      throw ValidationError("--allow, --gate, --mcp-config and --read-only need --tool.")
    }
  }

  /// `true` if no option is set.
  var isEmpty: Bool { tools.isEmpty && maxCost == nil }
}
