public import Core

/// A parser of the output of `claude -p --output-format stream-json`.
///
/// Lines of one message repeat its id and its usage. Recent versions write the counts at the
/// beginning of the message, and leave out calls: only the result has the sums.
public struct ClaudeOutput: OutputParser {
  /// The mark of a model whose context is larger, and the size of that.
  private static let large = (mark: "[1m]", tokens: 1_000_000)
  /// The type or subtype of a line that reports a refused permission.
  private static let denial = "permission_denied"

  private let transcript = ClaudeTranscript(SessionKey(.claude, ""), limits: .whole)
  private var session = ""
  /// The context size of each model.
  private var contexts: [String: Int] = [:]
  /// The last counts of each subagent, by the id of the tool call that started it.
  private var lastCounts: [String: Usage] = [:]
  /// The sums of all results, and those that the process stated last.
  private var total = SessionTotal([:])
  private var stated = SessionTotal([:])
  /// The end of the limit that the program last reported; nil if none stops it.
  private var limitEnd: Timestamp?
  /// `true` after a line of the program was seen.
  public private(set) var isKnown = false

  /// Creates a parser that has read no lines yet.
  public init() {}

  /// Returns the entries of the given line; nil if Claude Code did not print it.
  public mutating func entries(of line: JSONObject, at now: Timestamp) -> [SessionEntry]? {
    if let id = line.string("session_id"), id != session {
      (session, total, stated) = (id, SessionTotal([:]), SessionTotal([:]))
    }
    guard let contents = contents(of: line, at: now) else { return nil }
    let key = SessionKey(.claude, session, subagent: line.string("parent_tool_use_id"))
    return [lastCall(line)].compactMap(\.self) + contents.map { SessionEntry(key, $0, at: nil) }
  }

  /// Forgets the sums and the limit of the process, because the next one begins with its own.
  public mutating func end() -> [SessionEntry] {
    (stated, limitEnd) = (SessionTotal([:]), nil)
    return []
  }

  private mutating func contents(
    of line: JSONObject, at now: Timestamp
  ) -> [SessionEntry.Content]? {
    let subtype = line.string("subtype")
    let hasSession = line.string("session_id") != nil
    switch line.type {
    case "system" where subtype != nil && hasSession: return system(line)
    case "assistant": return line.object("message").map { assistant(line, $0) }
    case "user": return line.object("message").map { user(line, $0) }
    case "result" where subtype != nil && line.amount("duration_ms") != nil:
      return result(line, now)
    // This is one of many partial messages; the whole message follows.
    case "stream_event" where line.object("event") != nil: return []
    case "rate_limit_event":
      return isKnown ? line.object("rate_limit_info").map { limit($0) } : nil
    case let type where isKnown && !type.isEmpty && hasSession:
      let words = [type, subtype].compactMap(\.self).joined(separator: " ")
      return refusal(line, type) + [.note(.info, words.prefix(100))]
    default: return nil
    }
  }

  private func refusal(_ line: JSONObject, _ kind: String) -> [SessionEntry.Content] {
    kind == Self.denial ? [.output(.refusal(line.string("tool_use_id")))] : []
  }

  private mutating func system(_ line: JSONObject) -> [SessionEntry.Content] {
    isKnown = true
    let subtype = line.string("subtype") ?? ""
    if subtype == "api_retry" { return [.retry(SessionRetry(claudeOutput: line))] }
    guard subtype == "init" else {
      return refusal(line, subtype) + [.note(.info, "system \(subtype.prefix(100))")]
    }
    let model = line.string("model")
    if let model, model.hasSuffix(Self.large.mark) {
      contexts[Self.plain(model)] = Self.large.tokens
    }
    return [.note(.info, "session begins\(model.map { " with \($0.prefix(100))" } ?? "")")]
  }

  /// Returns the given name of a model without the mark of a larger context, which messages omit.
  private static func plain(_ model: String) -> String { String(model.prefix { $0 != "[" }) }

  // MARK: Messages

  private mutating func assistant(
    _ line: JSONObject, _ message: JSONObject
  ) -> [SessionEntry.Content] {
    isKnown = true
    let found = transcript.assistant(line, message).map { content in
      guard case .call(var call) = content else { return content }
      if let parent = line.string("parent_tool_use_id") { lastCounts[parent] = call.usage }
      call.contextTokens = call.model.flatMap { contexts[$0] }
      return .call(call)
    }
    let hasCounts = message.object("usage") != nil
    // A new call ends the one before it.
    let calls = found.filter { if case .call = $0 { hasCounts } else { false } }
    return calls + found.filter { if case .call = $0 { false } else { true } }
  }

  private mutating func user(
    _ line: JSONObject, _ message: JSONObject
  ) -> [SessionEntry.Content] {
    isKnown = true
    guard message.string("content") == nil else {
      return [.prompt(SessionPrompt(text: message.texts("content").joined()))]
    }
    return message.objects("content").flatMap { block -> [SessionEntry.Content] in
      guard block.type == "tool_result" else {
        return [.note(.debug, "user \(block.type.prefix(100))")]
      }
      return transcript.result(block)
    }
  }

  /// Returns the last call of a subagent, which only the result of the tool reports.
  private mutating func lastCall(_ line: JSONObject) -> SessionEntry? {
    let blocks = line.object("message")?.objects("content") ?? []
    guard line.type == "user", let result = line.object("tool_use_result"),
      result.string("agentId") != nil, result.string("status") == "completed",
      let tool = blocks.lazy.compactMap({ $0.string("tool_use_id") }).first,
      let usage = result.object("usage").flatMap(Usage.init(claude:))
    else { return nil }
    let last = lastCounts.removeValue(forKey: tool)
    // Versions that print the call repeat its input.
    guard last?.inputTokens != usage.inputTokens || last?.cacheReadTokens != usage.cacheReadTokens
    else { return nil }
    var call = SessionCall(
      id: "last call of \(tool)", answer: "", model: result.string("resolvedModel").map(Self.plain),
      usage: usage)
    call.isFinal = true
    return SessionEntry(SessionKey(.claude, session, subagent: tool), .call(call), at: nil)
  }

  // MARK: Limits and results

  /// Returns the contents of the given member `rate_limit_info`.
  ///
  /// Claude continues after a rejection if the overage of the account is used.
  private mutating func limit(_ info: JSONObject) -> [SessionEntry.Content] {
    let status = info.string("status") ?? "unknown"
    let isRejected = status == "rejected" && !info.isTrue("isUsingOverage")
    let reset = isRejected ? info.amount("resetsAt") : nil
    // Seconds beyond the year 5000 are implausible.
    limitEnd = reset.flatMap { $0 < 1e11 ? Timestamp(milliseconds: Int64($0 * 1000)) : nil }
    return [
      .output(.limit(limitEnd)),
      .note(status == "rejected" ? .warn : .info, "rate limit: \(status.prefix(100))"),
    ]
  }

  private mutating func result(_ line: JSONObject, _ now: Timestamp) -> [SessionEntry.Content] {
    isKnown = true
    let models = line.object("modelUsage")
    for name in models?.names ?? [] {
      guard let window = models?.object(name)?.count("contextWindow"), window > 0 else { continue }
      contexts[Self.plain(name)] = window
    }
    let own = sums(line, models)
    let whole = line.amount("total_cost_usd")
    let hasSums = line.has("model_usage_since_last_result") || models != nil
    var found: [SessionEntry.Content] = own == nil ? [] : [.total(total)]
    found.append(
      .output(
        .progress(contextTokens: contexts.values.max(), costUSD: hasSums ? nil : whole)))
    found += line.objects("permission_denials").map {
      .output(.refusal($0.string("tool_use_id")))
    }
    let hasFailed = line.isTrue("is_error")
    if !hasFailed {
      limitEnd = nil
      found.append(.output(.limit(nil)))
    }
    let words = hasFailed && limitEnd == nil ? line.string("result") ?? "" : ""
    if let limit = SessionEntry.Content.limit(in: words, at: now) { found.append(limit) }
    let turns = line.count("num_turns").map { ", \($0) turns" } ?? ""
    let cost = hasSums ? own?.all.costUSD : whole
    let money = cost.map { ", \(($0 * 10_000).rounded() / 10_000) USD" } ?? ""
    let subtype = line.string("subtype") ?? ""
    found.append(
      .note(hasFailed ? .error : .info, "result \(subtype.prefix(100))\(turns)\(money)"))
    return found
  }

  /// Returns the sums since the last result, and adds them to those of all results; nil if they are
  /// unknown.
  private mutating func sums(_ line: JSONObject, _ models: JSONObject?) -> SessionTotal? {
    var own: SessionTotal?
    // The other sums include earlier runs of a session that was resumed.
    if let since = line.object("model_usage_since_last_result") {
      own = SessionTotal(claude: since)
    } else if let whole = models.flatMap({ SessionTotal(claude: $0) }) {
      // Earlier versions report the sums of one process.
      own = whole.grown(since: stated) ?? whole
      stated = whole
    }
    for (model, sum) in own?.models ?? [:] { total.add(sum, of: model) }
    return own
  }
}
