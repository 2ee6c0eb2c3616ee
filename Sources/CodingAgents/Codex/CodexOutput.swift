public import Core

/// A parser of the output of `codex exec --json`.
///
/// At the end of each turn, Codex reports the usage of the whole thread so far, also of earlier
/// runs. It reports no cost, and names no model.
public struct CodexOutput: OutputParser {
  /// The types of items that represent tool calls.
  private static let tools: Set = [
    "command_execution", "mcp_tool_call", "collab_tool_call", "file_change", "web_search",
  ]
  /// The ends of error messages of MCP calls that were refused.
  private static let refusals = ["cancelled MCP tool call", "rejected MCP tool call"]

  private let roots: [String]
  /// The time at which the process began.
  private var startedAt = Timestamp.now
  private var thread = ""
  private var before = Usage()
  private var turns = 0
  /// `true` after a line of the program was seen.
  public private(set) var isKnown = false

  /// Creates a parser that has read no lines yet.
  ///
  /// - Parameter roots: The folders of Codex, whose files tell what a thread used before.
  public init(roots: [String] = []) { self.roots = roots }

  /// Returns the entries of the given line; nil if Codex did not print it.
  public mutating func entries(of line: JSONObject, at now: Timestamp) -> [SessionEntry]? {
    contents(of: line, at: now)?.map { SessionEntry(SessionKey(.codex, thread), $0, at: nil) }
  }

  /// Records that the process has ended, so that a further one begins now.
  public mutating func end() -> [SessionEntry] {
    startedAt = .now
    return []
  }

  private mutating func contents(
    of line: JSONObject, at now: Timestamp
  ) -> [SessionEntry.Content]? {
    if line.type == "thread.started", let id = line.string("thread_id") {
      isKnown = true
      // A thread that was resumed continues its count.
      if thread != id {
        before = CodexThread(id, in: roots)?.usage(before: startedAt) ?? Usage()
      }
      thread = id
      return [.note(.info, "session begins")]
    }
    guard isKnown else { return nil }
    switch line.type {
    case "turn.started": return [.note(.info, "turn begins")]
    case "turn.completed": return line.object("usage").map { turn(Usage(codex: $0, isSum: true)) }
    case "turn.failed", "error":
      let text = line.object("error")?.string("message") ?? line.string("message") ?? ""
      if let retry = SessionRetry(codex: text) { return [.retry(retry)] }
      return [.limit(in: text, at: now), .note(.error, "\(line.type): \(text)")]
        .compactMap(\.self)
    case "item.started", "item.updated", "item.completed":
      return line.object("item").map { item($0, line.type) }
    case let type where type.contains("."): return [.note(.debug, type.prefix(100))]
    default: return nil
    }
  }

  private mutating func turn(_ usage: Usage?) -> [SessionEntry.Content] {
    turns += 1
    var call = SessionCall(
      id: "turn \(turns)", answer: "", model: nil,
      usage: usage.map { $0.grown(since: before) ?? $0 })
    (call.coversTurn, call.isFinal) = (true, true)
    before = usage ?? before
    return [.output(.limit(nil)), .call(call), .note(.info, "turn ends")]
  }

  private func item(_ item: JSONObject, _ event: String) -> [SessionEntry.Content] {
    let type = String(item.type.prefix(100))
    guard event != "item.updated", Self.tools.contains(type) else {
      return event == "item.completed" ? [message(item)] : []
    }
    let call = SessionEntry.Content.tool(item.string("id"), Self.name(of: item))
    // A change of files is reported only after it was made.
    return event == "item.started" ? [call] : [call, .result(Self.result(of: item))]
  }

  /// Returns the content of an item that is not a tool call.
  private func message(_ item: JSONObject) -> SessionEntry.Content {
    switch item.type {
    case "agent_message": .text(item.string("text") ?? "")
    case "error": .note(.warn, "error: \(item.string("message") ?? "")")
    case let type: .note(.debug, "assistant \(type.prefix(100))")
    }
  }

  /// Returns the name of the tool that the given item calls.
  ///
  /// A tool of an MCP server gets the name that Claude uses, so that both count as one skill.
  private static func name(of item: JSONObject) -> String {
    switch item.type {
    case "mcp_tool_call":
      "mcp__\(item.string("server") ?? "")__\(item.string("tool") ?? "")"
    case "collab_tool_call": item.string("tool") ?? item.type
    default: item.type
    }
  }

  private static func result(of item: JSONObject) -> SessionResult {
    let status = item.string("status") ?? ""
    let message = item.object("error")?.string("message") ?? ""
    let isError = ["failed", "declined"].contains(status)
    var result = SessionResult(
      call: item.string("id") ?? "", text: item.string("aggregated_output") ?? "",
      isError: isError)
    result.isRefused =
      isError && (status == "declined" || refusals.contains(where: message.hasSuffix))
    result.error = result.isRefused ? "declined" : item.count("exit_code").map { "exit_\($0)" }
    if isError { result.error = result.error ?? status }
    return result
  }
}
