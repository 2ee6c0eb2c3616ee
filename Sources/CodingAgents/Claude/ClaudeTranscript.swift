public import Core

/// A parser of Claude Code's session files, `~/.claude/projects/FOLDER/SESSION.jsonl`.
///
/// An answer is several lines, one for each block, which repeat its `message.id` and `usage`. The
/// counts of output grow, so the highest are valid. Forks copy lines with `forkedFrom`. A subagent
/// may replay an answer of its session under another `requestId`, which is therefore no part of the
/// identity.
public struct ClaudeTranscript: TranscriptParser {
  /// The types of lines that contain nothing of interest.
  ///
  /// Those of requests contain whole system prompts, which are never stored.
  private static let asides: Set = [
    "agent-name", "agent-setting", "api-request", "api-request-blob", "api-request-shape",
    "atis-latch", "attribution-snapshot", "content-replacement",
    "file-history-delta", "file-history-snapshot", "last-prompt", "mode", "permission-mode",
    "pr-link", "progress", "summary", "tag", "tools-used", "worktree-state",
  ]
  private static let systemAsides: Set = [
    "away_summary", "bridge_status", "informational", "microcompact_boundary",
    "stop_hook_summary",
  ]
  /// The model of messages that Claude Code makes without a call.
  private static let synthetic = "<synthetic>"

  let limits: SessionLimits
  let file: SessionKey
  /// The session of the last line.
  public private(set) var session: SessionKey
  private var facts = SessionFacts()
  private var described: SessionKey?
  private var forkedFrom: String?
  /// The times of the first and the last line of the file that have one.
  private var firstAt, lastAt: Timestamp?
  /// `true` if the first of these lines was written when the file's first process began.
  private var beginsWithProcess = false
  var queue = ClaudeQueue()

  /// Creates a parser that has read no lines yet.
  ///
  /// - Parameters:
  ///   - session: The session that the file's name states.
  ///   - limits: The largest sizes of texts.
  public init(_ session: SessionKey, limits: SessionLimits) {
    (self.session, file, self.limits) = (session, session, limits)
  }

  /// Returns the entries of the given line.
  public mutating func entries(of line: JSONObject) -> [SessionEntry] {
    let origin = line.object("forkedFrom")?.string("sessionId")
    let own = line.string("sessionId") ?? file.id
    let isSide = line.isTrue("isSidechain") || file.subagent != nil
    session = SessionKey(
      .claude, origin ?? own,
      subagent: isSide ? line.string("agentId") ?? file.subagent ?? "sidechain" : nil)
    if isHistory { return history(line) }
    let isCopy = origin != nil || isCopied(line)
    var found: [SessionEntry.Content] = []
    found += self.facts(of: line)
    found += contents(of: line)
    let isOwnAnswer = line.type == "assistant" && session.subagent == nil && !isCopy
    var entries = isOwnAnswer ? takeUnseenPrompts() : []
    // The sums have no time of their own.
    let at = line.type == "cost-state" ? lastAt : line.timestamp
    entries += found.map { SessionEntry(session, $0, at: at, isCopy: isCopy) }
    if let origin, origin != own, origin != forkedFrom {
      forkedFrom = origin
      entries.append(fork(own, of: origin, line))
    }
    return entries
  }

  /// Returns `true` if a fork copied the given line, without a mark.
  ///
  /// Copied lines keep the times at which the parent wrote them.
  private mutating func isCopied(_ line: JSONObject) -> Bool {
    guard let at = line.timestamp else { return false }
    if firstAt == nil {
      (firstAt, beginsWithProcess) = (at, line.type == "queue-operation")
    }
    let isCopied = beginsWithProcess && firstAt.map { at < $0 } ?? false
    if !isCopied { lastAt = at }
    return isCopied
  }

  private func fork(_ own: String, of origin: String, _ line: JSONObject) -> SessionEntry {
    var facts = SessionFacts()
    facts.forkedFrom = origin
    facts.folder = line.string("cwd")
    return SessionEntry(SessionKey(.claude, own), .facts(facts), at: line.timestamp)
  }

  /// Returns the facts of the given line, if they are news.
  private mutating func facts(of line: JSONObject) -> [SessionEntry.Content] {
    var found = SessionFacts()
    found.folder = line.string("cwd")
    found.version = line.string("version")
    found.statesTotals = ClaudeVersion.statesTotals(found.version)
    found.parent = session.subagent == nil ? nil : session.id
    guard found.folder != nil, found != facts || session != described else { return [] }
    (facts, described) = (found, session)
    return [.facts(found)]
  }

  private mutating func contents(of line: JSONObject) -> [SessionEntry.Content] {
    let message = line.object("message")
    switch line.type.isEmpty ? message?.string("role") ?? "" : line.type {
    case "user": return message.map { self.user(line, $0) } ?? []
    case "assistant": return message.map { assistant(line, $0) } ?? []
    case "system": return system(line)
    case "attachment": return line.object("attachment").map { attachment($0) } ?? []
    case "queue-operation": return queued(line)
    case "cost-state":
      return line.object("modelUsage").flatMap {
        SessionTotal(claude: $0, hasUnknownCost: line.isTrue("hasUnknownModelCost"))
      }.map { [.total($0)] } ?? [.unknown(EntryKind.name("cost-state"))]
    case "custom-title": return title(line.string("customTitle"), .person)
    case "ai-title": return title(line.string("aiTitle"), .model)
    case let type where Self.asides.contains(type): return []
    case let type: return [.unknown(EntryKind.name(type))]
    }
  }

  private func title(
    _ title: String?, _ naming: SessionFacts.Naming
  ) -> [SessionEntry.Content] {
    guard let title, limits.readsText else { return [] }
    var facts = SessionFacts()
    (facts.title, facts.naming) = (limits.message(title), naming)
    return [.facts(facts)]
  }

  private mutating func system(_ line: JSONObject) -> [SessionEntry.Content] {
    switch line.string("subtype") ?? "" {
    case "compact_boundary":
      let data = line.object("compactMetadata")
      return [
        .compaction(
          SessionCompaction(trigger: data?.string("trigger"), tokens: data?.count("preTokens")))
      ]
    case "turn_duration": return [.turn(.ended)]
    case "api_error":
      var retry = SessionRetry(claude: line)
      retry.failure = retry.failure.cut(limits)
      return [.retry(retry)]
    case "local_command": return prompt([line.string("content") ?? ""], [])
    case let subtype where Self.systemAsides.contains(subtype): return []
    case let subtype: return [.unknown(EntryKind.name("system", subtype))]
    }
  }

  // MARK: Prompts and results

  private mutating func user(_ line: JSONObject, _ message: JSONObject) -> [SessionEntry.Content] {
    if line.isTrue("isCompactSummary") {
      let summary = message.texts("content").joined(separator: "\n")
      return [.compaction(SessionCompaction(summary: limits.message(summary)))]
    }
    var found: [SessionEntry.Content] = []
    var (texts, files): ([String], [SessionFile]) = ([], [])
    if let text = message.string("content") { texts.append(text) }
    for block in message.objects("content") {
      switch block.type {
      case "text": texts.append(block.string("text") ?? "")
      case "image", "document": files += file(block)
      case "tool_result": found += result(block)
      case let type: found.append(.unknown(EntryKind.name("user", type)))
      }
    }
    return line.isTrue("isMeta") ? found : found + prompt(texts, files)
  }

  func file(_ block: JSONObject) -> [SessionFile] {
    guard limits.readsText, let source = block.object("source"), let data = source.string("data")
    else { return [] }
    return [SessionFile(contentType: source.string("media_type") ?? "", data: data)]
  }

  func result(_ block: JSONObject) -> [SessionEntry.Content] {
    guard let call = block.string("tool_use_id") else { return [] }
    var texts = block.texts("content")
    texts += block.objects("content").filter { $0.string("text") == nil }.map { "[\($0.type)]" }
    let text = limits.output(texts.joined(separator: "\n"))
    return [.result(SessionResult(call: call, text: text, isError: block.isTrue("is_error")))]
  }

  // MARK: Answers

  func assistant(_ line: JSONObject, _ message: JSONObject) -> [SessionEntry.Content] {
    let model = message.string("model")
    if line.isTrue("isApiErrorMessage") || model == Self.synthetic {
      return error(line, message)
    }
    guard let id = message.string("id") ?? line.string("requestId") else {
      return [.unknown("assistant without id")]
    }
    var answer = SessionAnswer(id: id, model: model)
    answer.stopReason = message.string("stop_reason")
    answer.failure = Failure(endOfAnswer: answer.stopReason)
    var found: [SessionEntry.Content] = []
    var texts: [String] = message.string("content").map { [$0] } ?? []
    for block in message.objects("content") {
      switch block.type {
      case "text": texts.append(block.string("text") ?? "")
      case "thinking": answer.reasoning += limits.message(block.string("thinking") ?? "")
      case "redacted_thinking": break
      case "tool_use", "server_tool_use", "mcp_tool_use":
        answer.toolCalls.append(
          SessionToolCall(
            id: block.string("id") ?? "", name: block.string("name") ?? "tool",
            arguments: block.arguments("input", limits)))
      case let type where type.hasSuffix("_tool_result"): found += result(block)
      case let type: found.append(.unknown(EntryKind.name("assistant", type)))
      }
    }
    answer.text = limits.message(texts.joined(separator: "\n\n"))
    found.insert(.answer(answer), at: 0)
    found.insert(.call(SessionCall(claude: message, id: id, costUSD: line.cost("costUSD"))), at: 1)
    return found
  }

  private func error(_ line: JSONObject, _ message: JSONObject) -> [SessionEntry.Content] {
    guard line.isTrue("isApiErrorMessage") else { return [] }
    let text = message.texts("content").joined(separator: " ")
    return [.failure(Failure(claude: line, text).cut(limits))]
  }
}
