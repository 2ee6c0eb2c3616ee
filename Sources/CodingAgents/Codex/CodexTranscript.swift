import Catalogue
public import Core

/// A parser of Codex's session files, `~/.codex/sessions/YEAR/MONTH/DAY/rollout-*.jsonl`.
///
/// Files of subagents and forks begin with the lines of their parent, under new timestamps. These
/// lines are skipped, and their totals are the base of the file's own. Without usage records, the
/// steps of the thread's total are its calls, because `token_count` repeats a total.
public struct CodexTranscript: TranscriptParser {
  /// The longest pause between copied lines, in milliseconds, if the file does not number them.
  private static let copyingPause: Int64 = 50
  /// The time after the copied lines in which no call can have ended, in milliseconds.
  private static let shortestCall: Int64 = 1000

  let limits: SessionLimits
  /// The session of the file.
  public private(set) var session: SessionKey
  /// `true` once the file has named its thread.
  private var hasThread = false
  /// The number of the first line that is the file's own; nil if the file does not state it.
  private var firstOwn: Int?
  /// The time of the last copied line; nil outside of copied lines.
  private var copiedAt: Int64?
  /// The time up to which totals are those of copied lines.
  private var baseUntil: Int64?
  private var isFork = false
  /// The working folder of the last turn; nil if it is unknown.
  private var folder: String?
  var usage = CodexUsage()
  var answers = CodexAnswers()
  var prompts = CodexPrompts()

  /// Creates a parser that has read no lines yet.
  ///
  /// - Parameters:
  ///   - session: The session that the file's name states.
  ///   - limits: The largest sizes of texts.
  public init(_ session: SessionKey, limits: SessionLimits) {
    (self.session, self.limits) = (session, limits)
  }

  /// Returns the entries of the given line.
  public mutating func entries(of line: JSONObject) -> [SessionEntry] {
    let at = line.timestamp
    guard let payload = line.object("payload") else {
      // The oldest versions wrote items without an envelope.
      let isItem = line.has("role") || line.has("call_id")
      let contents = isItem ? item(line, at) : [.unknown(EntryKind.name(line.type))]
      return contents.map { SessionEntry(session, $0, at: at) }
    }
    if line.type == "session_meta" { return meta(payload, at) }
    let isCopied = isCopied(line, at)
    var contents: [SessionEntry.Content] = []
    switch line.type {
    case "turn_context": contents = context(payload, isCopied: isCopied)
    case "event_msg" where payload.type == "token_count":
      contents = tokens(payload, at, isCopied: isCopied)
    case "token_usage_record": contents = record(payload)
    case _ where isCopied: break
    case "response_item": contents = item(payload, at)
    case "event_msg": contents = event(payload)
    case "compacted":
      let summary = limits.message(payload.string("message") ?? "")
      contents = [.compaction(SessionCompaction(summary: summary))]
    case "world_state", "inter_agent_communication": break
    case let type: contents = [.unknown(EntryKind.name(type))]
    }
    return contents.map { SessionEntry(session, $0, at: at) }
  }

  // MARK: The session

  private mutating func meta(_ payload: JSONObject, _ at: Timestamp?) -> [SessionEntry] {
    guard !hasThread else {
      // The parent's first line follows that of a file with copies.
      let isOther = payload.string("id") != session.id
      if isOther, isFork, firstOwn == nil { copiedAt = at?.milliseconds }
      return []
    }
    guard let id = payload.string("id") else {
      return [SessionEntry(session, .unknown("session_meta without id"), at: at)]
    }
    hasThread = true
    session.id = id
    let subagent = payload.object("source")?.object("subagent")
    let spawn = subagent?.object("thread_spawn")
    var facts = SessionFacts()
    facts.folder = payload.string("cwd")
    folder = facts.folder
    facts.version = payload.string("cli_version")
    facts.parent = payload.string("parent_thread_id") ?? spawn?.string("parent_thread_id")
    facts.role =
      spawn?.string("agent_role") ?? spawn?.string("agent_nickname")
      ?? subagent?.string("other")
    facts.forkedFrom = payload.string("forked_from_id")
    // The call for the title belongs to a thread without a file.
    facts.statesTotals = payload.string("originator") == "codex-tui" ? true : nil
    isFork = (facts.parent ?? facts.forkedFrom) != nil && !payload.has("history_base")
    let name = "subagent_history_start_ordinal"
    // Some versions write the number as a string.
    firstOwn = payload.word(name).flatMap { Int($0) }
    if isFork, firstOwn == nil { baseUntil = at.map { $0.milliseconds + Self.shortestCall } }
    return [SessionEntry(session, .facts(facts), at: at)]
  }

  /// Takes the settings of a turn, and returns the folder if the thread has moved.
  private mutating func context(
    _ payload: JSONObject, isCopied: Bool
  ) -> [SessionEntry.Content] {
    usage.model = payload.string("model") ?? usage.model
    guard !isCopied, let now = payload.string("cwd"), let before = folder, now != before else {
      return []
    }
    folder = now
    var facts = SessionFacts()
    facts.movedTo = now
    return [.facts(facts)]
  }

  /// Returns `true` if the given line was copied from the parent.
  private mutating func isCopied(_ line: JSONObject, _ at: Timestamp?) -> Bool {
    if let firstOwn, isFork {
      return line.word("ordinal").flatMap { Int($0) }.map { $0 < firstOwn } ?? false
    }
    guard let last = copiedAt, let now = at?.milliseconds else { return false }
    guard (0...Self.copyingPause).contains(now.subtractingReportingOverflow(last).partialValue)
    else {
      copiedAt = nil
      return false
    }
    copiedAt = now
    baseUntil = now + Self.shortestCall
    return true
  }

  // MARK: Tokens

  private mutating func tokens(
    _ payload: JSONObject, _ at: Timestamp?, isCopied: Bool
  ) -> [SessionEntry.Content] {
    guard let info = payload.object("info") else { return [] }
    let isEarly = baseUntil.map { limit in at.map { $0.milliseconds < limit } ?? false } ?? false
    let isBase = isCopied || isEarly
    guard let step = usage.step(info, isBase: isBase) else { return [] }
    // A file that names no thread is recognized by the times of its lines.
    let place = hasThread ? session.id : at?.iso8601 ?? session.id
    let id = "\(place) \(step.total)"
    let answer = answers.close(for: id)
    usage.lastStep = step.usage
    return [.call(call(id, answer, step.usage))]
  }

  private func call(_ id: String, _ answer: String, _ counts: Usage?) -> SessionCall {
    var call = SessionCall(id: id, answer: answer, model: usage.model, usage: counts)
    (call.terms, call.contextTokens) = (ServiceTerms(tier: usage.tier), usage.contextTokens)
    return call
  }

  private mutating func record(_ payload: JSONObject) -> [SessionEntry.Content] {
    guard payload.string("thread_id") == session.id, let response = payload.string("response_id"),
      let reported = payload.object("usage")
    else { return [] }
    let counts = Usage(codex: reported)
    // The total before the first record may have counted the same call.
    let isCounted =
      !usage.hasRecords && counts != nil && usage.lastStep == counts && !answers.isOpen
    usage.hasRecords = true
    guard !isCounted else { return [] }
    let id = "\(session.id) \(response)"
    let answer = answers.close(for: id)
    return [.call(call(id, answer, counts))]
  }
}
