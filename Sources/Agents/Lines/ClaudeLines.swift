import Catalogue
import CodingAgents
import Core
import Events
import Requests

/// A parser that converts the output of `claude -p --output-format stream-json` to events.
///
/// Several lines of one message repeat its ID and its usage. The highest counts are valid, so a model
/// call is reported when its message is complete. Recent versions write the counts at the beginning
/// of the message, and leave out calls. The result has the sums, and the difference is reported as
/// an increase. Claude counts input without cached tokens, but events include these.
struct ClaudeLines: CodingAgentLines {
  private struct Message {
    var id: String
    var model: String?
    var usage: Usage?
    var parentSpanId: String?
  }

  private let agent: AgentIdentity
  private let configuredContexts: [String: Int]
  private var open = OpenTools()
  private var message: Message?
  private var session: String?
  /// The IDs of the messages that were already reported.
  private var reported: [String] = []
  /// The sums of the calls that were reported since the last result.
  private var counted = SessionTotal([:])
  /// The last reported call of each subagent, by the ID of the span that started it.
  private var lastCalls: [String: Usage] = [:]
  /// The context size of each model, as claude has reported it.
  private var contextWindows: [String: Int] = [:]
  /// The context size of a model whose name lacks the mark `[1m]`.
  ///
  /// The mark selects a larger context.
  private static let usualContext = 200_000
  private static let large = (mark: "[1m]", tokens: 1_000_000)
  /// The type or subtype of a line that reports a refused permission.
  private static let denial = "permission_denied"
  private var redundancy = Redundancy()
  /// `true` after a line of claude was seen.
  ///
  /// From then on, other JSON objects also count as claude's.
  private(set) var isKnown = false

  /// Creates a parser that has read no lines yet.
  ///
  /// - Parameters:
  ///   - agent: The agent that prints the lines.
  ///   - contexts: The context size of each model, as the configuration sets it.
  init(_ agent: AgentIdentity, contexts: [String: Int]) {
    self.agent = agent
    configuredContexts = contexts
  }

  /// Returns the events that the given line reports; nil if claude did not print the line.
  mutating func events(
    of line: JSONObject, _ report: inout RunReport, at now: Timestamp
  ) -> [any Event]? {
    if let id = line.string("session_id"), id != session {
      (session, counted) = (id, SessionTotal([:]))
    }
    switch line.type {
    case "system" where line.string("subtype") != nil && line.string("session_id") != nil:
      isKnown = true
      report.name(.claude, session)
      if line.string("subtype") == Self.denial { report.deny(line.string("tool_use_id")) }
      return system(line, now)
    case "assistant" where line.object("message") != nil:
      isKnown = true
      return assistant(line, &report, now)
    case "user" where line.object("message") != nil:
      isKnown = true
      return endMessage(&report, now) + user(line, &report, now)
    case "result" where line.string("subtype") != nil && line.amount("duration_ms") != nil:
      isKnown = true
      return result(line, &report, now)
    case "stream_event" where line.object("event") != nil:
      // This is one of many partial messages; the whole message follows.
      return []
    case "rate_limit_event":
      guard isKnown, let info = line.object("rate_limit_info") else { return nil }
      let status = info.string("status") ?? "unknown"
      limit(info, &report)
      return [agent.log(status == "rejected" ? .warn : .info, "rate limit: \(status)", at: now)]
    case let type where isKnown && !type.isEmpty && line.string("session_id") != nil:
      if type == Self.denial { report.deny(line.string("tool_use_id")) }
      let words = [type, line.string("subtype")].compactMap(\.self).joined(separator: " ")
      return [agent.log(.info, String(words.prefix(100)), at: now)]
    default:
      return nil
    }
  }

  /// Returns the events that were still pending when the output ended.
  mutating func end(_ report: inout RunReport, at now: Timestamp) -> [any Event] {
    endMessage(&report, now) + open.end(agent, at: now)
  }

  private mutating func system(_ line: JSONObject, _ now: Timestamp) -> [any Event] {
    let subtype = String((line.string("subtype") ?? "").prefix(100))
    guard subtype == "init" else { return [agent.log(.info, "system \(subtype)", at: now)] }
    if let model = line.string("model"), model.hasSuffix(Self.large.mark) {
      contextWindows[Self.plainName(model)] = Self.large.tokens
    }
    let model = line.string("model").map { " with \($0.prefix(100))" } ?? ""
    return [agent.log(.info, "session begins\(model)", at: now)]
  }

  // MARK: Messages

  private mutating func assistant(
    _ line: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    guard let body = line.object("message") else { return [] }
    let parent = line.string("parent_tool_use_id").flatMap { open.spanId(of: $0) }
    var events: [any Event] = []
    if let id = body.string("id"), let told = body.object("usage") {
      let usage = Usage(claude: told)
      if message?.id != id { events += endMessage(&report, now) }
      if !reported.contains(id) {
        message = Message(
          id: id, model: body.string("model"), usage: Usage.highest(message?.usage, usage),
          parentSpanId: parent)
      }
    }
    for block in body.objects("content") {
      switch block.type {
      case "tool_use":
        let call = ToldToolCall(
          id: block.string("id"), name: String((block.string("name") ?? "tool").prefix(200)),
          parentSpanId: parent)
        events += open.start(call, agent, at: now)
        events.append(agent.log(.info, "tool call \(call.name)", at: now))
      case "text":
        let count = block.characters("text")
        redundancy.add(block, "text")
        events.append(agent.log(.info, "assistant message, \(count) characters", at: now))
      case let type:
        events.append(agent.log(.debug, "assistant \(type.prefix(100))", at: now))
      }
    }
    return events
  }

  private mutating func user(
    _ line: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    guard let body = line.object("message") else { return [] }
    guard body.string("content") == nil else {
      let count = body.characters("content")
      return [agent.log(.info, "user message, \(count) characters", at: now)]
    }
    return body.objects("content").flatMap { block -> [any Event] in
      guard block.type == "tool_result" else {
        return [agent.log(.debug, "user \(block.type.prefix(100))", at: now)]
      }
      let hasFailed = block.isTrue("is_error")
      if hasFailed { report.fail(block.string("tool_use_id")) }
      redundancy.add(block, "content")
      let call = lastCall(
        line.object("tool_use_result"), of: block.string("tool_use_id"), &report, now)
      let (name, ends) = open.end(
        block.string("tool_use_id"), error: hasFailed ? "tool_error" : nil, agent, at: now)
      let what = hasFailed ? "failed" : "\(block.characters("content")) characters"
      return call + ends + [
        agent.log(hasFailed ? .warn : .info, "tool result \(name ?? ""), \(what)", at: now)
      ]
    }
  }

  /// Returns the event of the model call whose message is now complete.
  private mutating func endMessage(_ report: inout RunReport, _ now: Timestamp) -> [any Event] {
    guard let message else { return [] }
    self.message = nil
    reported = reported.suffix(63) + [message.id]
    // Claude also creates messages without a model call, such as those about errors.
    guard message.model != "<synthetic>" else { return [] }
    if let parent = message.parentSpanId { lastCalls[parent] = message.usage }
    count(message.usage, message.model, &report)
    var attributes: EventAttributes = [:]
    attributes[.redundancy] = redundancy.score.map(JSONValue.double)
    attributes[.maxContextTokens] = message.model.flatMap(contextTokens).map(JSONValue.int)
    return [
      agent.chat(
        message.usage, model: message.model, session: session,
        parentSpanId: message.parentSpanId, attributes, at: now)
    ]
  }

  private mutating func count(_ usage: Usage?, _ model: String?, _ report: inout RunReport) {
    report.totals.add(usage ?? Usage())
    guard let usage else { return }
    counted.add(.init(usage, costUSD: nil), of: Self.plainName(model ?? ""))
  }

  /// Returns the event of the last call of a subagent, which only the result of the tool reports.
  private mutating func lastCall(
    _ result: JSONObject?, of tool: String?, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    guard let result, result.string("agentId") != nil, result.string("status") == "completed",
      let usage = result.object("usage").flatMap(Usage.init(claude:)),
      let span = tool.flatMap({ open.spanId(of: $0) })
    else { return [] }
    let last = lastCalls.removeValue(forKey: span)
    // Versions that print the call repeat its input.
    guard last?.inputTokens != usage.inputTokens || last?.cacheReadTokens != usage.cacheReadTokens
    else { return [] }
    let model = result.string("resolvedModel").map { String(Self.plainName($0).prefix(200)) }
    count(usage, model, &report)
    return [agent.chat(usage, model: model, session: session, parentSpanId: span, at: now)]
  }

  /// Returns the context size of the given model; nil if it is not known yet.
  private func contextTokens(_ model: String) -> Int? {
    contextWindows[model] ?? configuredContexts[model]
      ?? Catalogue.builtIn.facts("anthropic", model).contextTokens
      .map { min($0, Self.usualContext) }
  }

  /// Returns the given model name without the mark `[1m]`.
  ///
  /// Messages omit the mark.
  private static func plainName(_ name: String) -> String { String(name.prefix { $0 != "[" }) }

  // MARK: Results

  /// Records the limit that the given member `rate_limit_info` reports.
  ///
  /// Claude continues after a rejection if the overage of the account is used.
  private func limit(_ info: JSONObject, _ report: inout RunReport) {
    let isRejected = info.string("status") == "rejected" && !info.isTrue("isUsingOverage")
    let reset = isRejected ? info.amount("resetsAt") : nil
    // Seconds beyond the year 5000 are implausible.
    report.limit(
      until: reset.flatMap { $0 < 1e11 ? Timestamp(milliseconds: Int64($0 * 1000)) : nil })
  }

  /// Settles the totals by the given result.
  ///
  /// - Returns: The events of the tokens that were not reported, and the cost.
  private mutating func settle(
    _ line: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> (events: [any Event], costUSD: Double?) {
    // The other sums include earlier runs of a session that was resumed.
    let own = line.object("model_usage_since_last_result").map { SessionTotal(claude: $0) }
    guard let own else {
      // Earlier versions report the total of one process.
      let whole = line.object("modelUsage").flatMap { SessionTotal(claude: $0) }
      let cost = line.amount("total_cost_usd")
      report.totals.settle(
        line.string("session_id") ?? "",
        whole?.all.usage ?? line.object("usage").flatMap(Usage.init(claude:)), costUSD: cost)
      let rest = whole?.grown(since: counted)
      if let whole { counted = SessionTotal(whole.models.mapValues { .init($0.usage) }) }
      // The total cost is reported, and not again by model.
      return (increases(rest, costs: nil, now), cost)
    }
    report.totals.settle(since: own?.all ?? SessionTotal.Sum(costUSD: nil))
    defer { counted = SessionTotal([:]) }
    return (increases(own?.grown(since: counted), costs: own, now), own?.all.costUSD)
  }

  /// Returns the events that report the given tokens by model, and the cost of all of its calls.
  private func increases(
    _ rest: SessionTotal?, costs: SessionTotal?, _ now: Timestamp
  ) -> [any Event] {
    let models = (rest?.models ?? [:]).sorted { $0.key < $1.key }
    return models.compactMap { model, sum in
      let cost = costs?.models[model]?.costUSD
      guard sum.usage.totalTokens > 0 || cost ?? 0 > 0 else { return nil }
      var attributes: EventAttributes = [.usageScope: .string(EventAttribute.increaseScope)]
      attributes[.costUSD] = cost.map(JSONValue.double)
      let name = String(model.prefix(200))
      return agent.chat(sum.usage, model: name, session: session, attributes, at: now)
    }
  }

  private mutating func result(
    _ line: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    let models = line.object("modelUsage")
    for name in models?.names ?? [] {
      if let window = models?.object(name)?.count("contextWindow"), window > 0 {
        contextWindows[Self.plainName(name)] = window
      }
    }
    // Only this line states the context size of the model.
    var events = endMessage(&report, now)
    let (rest, cost) = settle(line, &report, now)
    events += rest
    var attributes: EventAttributes = [.status: .string(AgentStatus.running.rawValue)]
    // An earlier process of the run may have reported a cost too.
    attributes[.costUSD] = report.totals.costUSD.map(JSONValue.double)
    attributes[.maxContextTokens] = contextWindows.values.max().map(JSONValue.int)
    events.append(agent.run.event(.progress, attributes, at: now))
    for denial in line.objects("permission_denials") { report.deny(denial.string("tool_use_id")) }
    if !line.isTrue("is_error") {
      report.limit(until: nil)
    } else if report.limitReset == nil {
      report.limit(by: line.string("result") ?? "", at: now)
    }
    let turns = line.count("num_turns").map { ", \($0) turns" } ?? ""
    let money = cost.map { ", \(($0 * 10_000).rounded() / 10_000) USD" } ?? ""
    let subtype = line.string("subtype") ?? ""
    events.append(
      agent.log(
        line.isTrue("is_error") ? .error : .info,
        "result \(subtype.prefix(100))\(turns)\(money)", at: now))
    return events
  }
}
