import CodingAgents
import Core
import Events

/// A parser that converts the output of `gemini --output-format stream-json` to events.
///
/// Only the last line has token counts. Its output counts exclude thoughts, which are the rest of
/// the total, but events include these. Gemini CLI reports no cost.
struct GeminiLines: CodingAgentLines {
  /// The type of the error of a call that a permission refused.
  private static let refusal = "policy_violation"

  private let agent: AgentIdentity
  private var open = OpenTools()
  private var session: String?
  private var model: String?
  /// The number of characters of the message that arrives in parts; nil if there is none.
  private var partial: Int?
  private var redundancy = Redundancy()
  private(set) var isKnown = false

  init(_ agent: AgentIdentity) { self.agent = agent }

  /// Returns the events that the given line reports; nil if Gemini CLI did not print the line.
  mutating func events(
    of line: JSONObject, _ report: inout RunReport, at now: Timestamp
  ) -> [any Event]? {
    guard line.string("timestamp") != nil else { return nil }
    if line.type == "init", let session = line.string("session_id"),
      let model = line.string("model")
    {
      (isKnown, self.session) = (true, session)
      report.name(.gemini, session)
      self.model = String(model.prefix(200))
      return [agent.log(.info, "session begins with \(model.prefix(100))", at: now)]
    }
    guard isKnown else { return nil }
    if line.type == "message", line.isTrue("delta") {
      partial = (partial ?? 0) + line.characters("content")
      return []
    }
    let message = endMessage(now)
    switch line.type {
    case "message":
      let role = line.string("role") == "user" ? "user" : "assistant"
      redundancy.add(line, "content")
      let count = line.characters("content")
      return message + [agent.log(.info, "\(role) message, \(count) characters", at: now)]
    case "tool_use":
      let call = ToldToolCall(
        id: line.string("tool_id"), name: String((line.string("tool_name") ?? "tool").prefix(200)))
      return message + open.start(call, agent, at: now)
        + [agent.log(.info, "tool call \(call.name)", at: now)]
    case "tool_result": return message + result(line, &report, now)
    case "error":
      let text = line.string("message") ?? ""
      let isWarning = line.string("severity") == "warning"
      if !isWarning { report.limit(by: text, at: now) }
      return message
        + [agent.log(isWarning ? .warn : .error, "error: \(text.prefix(1000))", at: now)]
    case "result": return message + end(line, &report, now)
    case let type where !type.isEmpty:
      return message + [agent.log(.debug, String(type.prefix(100)), at: now)]
    default: return nil
    }
  }

  /// Returns the events that were still pending when the output ended.
  mutating func end(_ report: inout RunReport, at now: Timestamp) -> [any Event] {
    endMessage(now) + open.end(agent, at: now)
  }

  /// Returns the event of the message whose last part has arrived.
  private mutating func endMessage(_ now: Timestamp) -> [any Event] {
    guard let count = partial else { return [] }
    partial = nil
    return [agent.log(.info, "assistant message, \(count) characters", at: now)]
  }

  private mutating func result(
    _ line: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    let id = line.string("tool_id")
    let hasFailed = line.string("status") == "error"
    let type = line.object("error")?.string("type") ?? "tool_error"
    if hasFailed, type == Self.refusal { report.deny(id) } else if hasFailed { report.fail(id) }
    redundancy.add(line, "output")
    let (name, ends) = open.end(
      id, error: hasFailed ? String(type.prefix(100)) : nil, agent, at: now)
    let what = hasFailed ? "failed" : "\(line.characters("output")) characters"
    return ends + [
      agent.log(hasFailed ? .warn : .info, "tool result \(name ?? ""), \(what)", at: now)
    ]
  }

  private mutating func end(
    _ line: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    let stats = line.object("stats")
    let models = stats?.object("models")
    let names = models?.names.prefix(100) ?? []
    var calls = names.compactMap { name in
      models?.object(name).map { (String(name.prefix(200)), Usage(gemini: $0)) }
    }
    if calls.isEmpty, let stats, let model { calls = [(model, Usage(gemini: stats))] }
    var events: [any Event] = []
    for (name, usage) in calls {
      report.totals.add(usage ?? Usage())
      // The counts are those of all calls, so they do not show how full the context is.
      var attributes: EventAttributes = [.usageScope: .string(EventAttribute.turnScope)]
      attributes[.redundancy] = redundancy.score.map(JSONValue.double)
      events.append(agent.chat(usage, model: name, session: session, attributes, at: now))
    }
    let hasFailed = line.string("status") == "error"
    let text = line.object("error")?.string("message") ?? ""
    if hasFailed { report.limit(by: text, at: now) } else { report.limit(until: nil) }
    let why = text.isEmpty ? "" : ": \(text.prefix(1000))"
    let words = "result \(line.string("status")?.prefix(100) ?? "")\(why)"
    return events + [agent.log(hasFailed ? .error : .info, words, at: now)]
  }
}

extension Usage {
  /// The largest plausible sum of the tokens of a run.
  private static let largestSum = 1_000_000_000_000

  /// Creates the usage from sums in the form of Gemini CLI, whose input includes cached tokens.
  ///
  /// Thoughts are the rest of the total.
  fileprivate init?(gemini stats: JSONObject) {
    func sum(_ name: String) -> TokenCount { stats.tokens(name, atMost: Self.largestSum) }
    let (input, output, total) = (sum("input_tokens"), sum("output_tokens"), sum("total_tokens"))
    var thoughts = total
    if let all = total.value, let input = input.value, let output = output.value {
      thoughts = .number(max(0, all - input - output))
    }
    self.init(
      input: input, output: output, read: sum("cached"), reasoning: thoughts, isOutputAnswer: true)
    reasoningTokens = nil
  }
}
