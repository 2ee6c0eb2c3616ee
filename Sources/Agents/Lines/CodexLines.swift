import CodingAgents
import Core
import Events

/// A parser that converts the output of `codex exec --json` to events.
///
/// At the end of each turn, codex reports the usage of the whole conversation so far. Events report
/// the increase. Codex reports no cost, and names no model.
struct CodexLines: CodingAgentLines {
  /// The types of items that represent tool calls.
  private static let tools: Set = [
    "command_execution", "mcp_tool_call", "collab_tool_call", "file_change", "web_search",
  ]
  /// The ends of error messages of MCP calls that were refused.
  private static let refusals = ["cancelled MCP tool call", "rejected MCP tool call"]

  private let agent: AgentIdentity
  private var open = OpenTools()
  private var thread = ""
  private var before = Usage()
  private var redundancy = Redundancy()
  private(set) var isKnown = false

  init(_ agent: AgentIdentity) { self.agent = agent }

  /// Returns the events that the given line reports; nil if codex did not print the line.
  mutating func events(
    of line: JSONObject, _ report: inout RunReport, at now: Timestamp
  ) -> [any Event]? {
    switch line.type {
    case "thread.started":
      guard let id = line.string("thread_id") else { return nil }
      isKnown = true
      // A thread that was resumed continues its count.
      if thread != id { before = Usage() }
      thread = id
      report.name(.codex, id)
      return [agent.log(.info, "session begins", at: now)]
    case "turn.started": return isKnown ? [agent.log(.info, "turn begins", at: now)] : nil
    case "turn.completed":
      guard isKnown, let usage = line.object("usage") else { return nil }
      return turn(Usage(codex: usage, isSum: true), &report, now)
    case "turn.failed", "error":
      guard isKnown else { return nil }
      let text = line.object("error")?.string("message") ?? line.string("message") ?? ""
      report.limit(by: text, at: now)
      return [agent.log(.error, "\(line.type): \(text.prefix(1000))", at: now)]
    case "item.started", "item.updated", "item.completed":
      guard isKnown, let item = line.object("item") else { return nil }
      return self.item(item, line.type, &report, at: now)
    case let type where isKnown && type.contains("."):
      return [agent.log(.debug, String(type.prefix(100)), at: now)]
    default: return nil
    }
  }

  /// Returns the events that were still pending when the output ended.
  mutating func end(_ report: inout RunReport, at now: Timestamp) -> [any Event] {
    open.end(agent, at: now)
  }

  private mutating func turn(
    _ usage: Usage?, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    let grown = usage.map { $0.grown(since: before) ?? $0 }
    before = usage ?? before
    report.limit(until: nil)
    report.totals.add(grown ?? Usage())
    // A turn has many calls, so its sum does not show how full the context is.
    var attributes: EventAttributes = [.usageScope: .string(EventAttribute.turnScope)]
    attributes[.redundancy] = redundancy.score.map(JSONValue.double)
    return [
      agent.chat(grown, model: nil, session: thread, attributes, at: now),
      agent.log(.info, "turn ends", at: now),
    ]
  }

  private mutating func item(
    _ item: JSONObject, _ event: String, _ report: inout RunReport, at now: Timestamp
  ) -> [any Event] {
    let type = String(item.type.prefix(100))
    guard Self.tools.contains(type) else { return messages(item, event, now) }
    guard event != "item.updated" else { return [] }
    let call = ToldToolCall(id: item.string("id"), name: Self.name(of: item))
    let isOpen = call.id.map { open.contains($0) } ?? false
    var events: [any Event] = []
    if !isOpen {
      // A change of files is reported only after it was made.
      events = open.start(call, agent, at: now)
      events.append(agent.log(.info, "tool call \(call.name)", at: now))
    }
    guard event == "item.completed" else { return events }
    redundancy.add(item, "aggregated_output")
    let error = Self.error(of: item)
    if error == "declined" { report.deny(call.id) } else if error != nil { report.fail(call.id) }
    let (_, ends) = open.end(call.id, error: error, agent, at: now)
    let what = error == nil ? "done" : "failed"
    events += ends
    events.append(
      agent.log(error == nil ? .info : .warn, "tool result \(call.name), \(what)", at: now))
    return events
  }

  /// Returns the events of an item that is not a tool call.
  private mutating func messages(_ item: JSONObject, _ event: String, _ now: Timestamp)
    -> [any Event]
  {
    guard event == "item.completed" else { return [] }
    switch item.type {
    case "agent_message":
      let count = item.characters("text")
      redundancy.add(item, "text")
      return [agent.log(.info, "assistant message, \(count) characters", at: now)]
    case "error":
      let text = item.string("message") ?? ""
      return [agent.log(.warn, "error: \(text.prefix(1000))", at: now)]
    case let type:
      return [agent.log(.debug, "assistant \(type.prefix(100))", at: now)]
    }
  }

  /// Returns the name of the tool that the given item calls.
  ///
  /// A tool of an MCP server gets the name that Claude uses, so that both count as one skill.
  private static func name(of item: JSONObject) -> String {
    let name =
      switch item.type {
      case "mcp_tool_call":
        "mcp__\(item.string("server") ?? "")__\(item.string("tool") ?? "")"
      case "collab_tool_call": item.string("tool") ?? item.type
      default: item.type
      }
    return String(name.prefix(200))
  }

  private static func error(of item: JSONObject) -> String? {
    let status = item.string("status") ?? ""
    guard ["failed", "declined"].contains(status) else { return nil }
    let message = item.object("error")?.string("message") ?? ""
    guard !refusals.contains(where: message.hasSuffix) else { return "declined" }
    return item.count("exit_code").map { "exit_\($0)" } ?? status
  }
}
