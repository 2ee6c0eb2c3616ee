import Core

/// An event as it is folded: the members that count, read once.
struct WatchedEvent {
  /// The line as it is in the log.
  let line: String
  /// The part of the id that counts up.
  let sequence: Int64
  /// When it happened: as it says, but not after it was logged, in milliseconds since 1970.
  let at: Int64
  /// When it was logged.
  let loggedAt: Int64
  let swarmId: String?
  let agentId: String?
  private let raw: RawRecord
  private let attrs: RawRecord?

  /// Reads an event of the log; nil for a line that is no event.
  init?(_ entry: EventLog.Entry) {
    guard let raw = try? RawRecord(line: Array(entry.line.utf8)) else { return nil }
    self.raw = raw
    line = entry.line
    swarmId = raw.string("swarmId")
    agentId = raw.string("agentId")
    loggedAt = entry.loggedAt
    sequence = raw.string("id")?.split(separator: "-").last.flatMap { Int64($0) } ?? 0
    let ts = raw.json("ts").flatMap { Int64($0) } ?? 0
    // A clock that is ahead must not push all others out of a window.
    at = ts > 0 ? min(ts, entry.loggedAt) : entry.loggedAt
    attrs = raw.json("attrs").flatMap { RawRecord(object: $0) }
  }

  var type: String { raw.type }
  var sessionId: String? { raw.string("sessionId") }
  var spanId: String? { raw.string("spanId") }
  var gateId: String? { raw.string("gateId") }
  var name: String { raw.string("name") ?? "" }
  var message: String { raw.string("message") ?? "" }
  var summary: String { raw.string("summary") ?? "" }
  var status: String { raw.string("status") ?? "" }
  var action: ControlAction? { raw.string("action").flatMap(ControlAction.init) }
  var outcome: ControlOutcome? { raw.string("outcome").flatMap(ControlOutcome.init) }
  var level: Log.Level? { raw.string("level").flatMap(Log.Level.init) }
  var phase: TraceEvent.Phase? { raw.string("phase").flatMap(TraceEvent.Phase.init) }
  var isTrace: Bool { type == TraceEvent.type }

  /// For how many events it stands.
  var weight: Int { max(1, min(raw.json("count").flatMap { Int($0) } ?? 1, 1_000_000)) }

  /// Whether it tells of the beginning, the progress or the end of a run.
  var isRun: Bool {
    isTrace && ["invoke_agent", "invoke_workflow", "plan"].contains(name)
  }

  /// Whether it tells of an error; that a run ended badly, its log tells too.
  var isError: Bool {
    level.map { $0 >= .error } ?? (isTrace && !isRun && has("error.type"))
  }

  /// The skill or tool that it is about.
  var skillId: String? {
    raw.string("skillId") ?? attribute("gen_ai.skill.name") ?? attribute("gen_ai.tool.name")
  }

  /// An attribute that is a string.
  func attribute(_ name: String) -> String? { attrs?.string(name) }

  /// An attribute that is a number of at least 0; one that is absurdly large is cut, so that no sum
  /// of them ceases to be one.
  func number(_ name: String) -> Double? {
    attrs?.json(name).flatMap { Double($0) }.flatMap { $0 >= 0 ? min($0, 1e15) : nil }
  }

  /// A count of tokens under its name, or one it had before.
  func tokens(_ names: String...) -> Int? {
    names.lazy.compactMap { number("gen_ai.usage." + $0) }.first.map { Int($0) }
  }

  /// Whether an attribute is there that is not null.
  func has(_ name: String) -> Bool { attrs?.contains(name) ?? false }

  /// Whether a model was called, and has answered or failed.
  var isModelCall: Bool {
    let calls = ["chat", "generate_content", "text_completion"]
    return isTrace && phase != .start
      && attribute("gen_ai.operation.name").map(calls.contains) ?? false
  }

  /// The tokens that it tells of.
  var usage: Usage? {
    guard let input = tokens("input_tokens", "prompt_tokens") else { return nil }
    return Usage(
      inputTokens: input, outputTokens: tokens("output_tokens", "completion_tokens") ?? 0,
      cacheReadTokens: tokens("cache_read.input_tokens") ?? 0,
      cacheWriteTokens: tokens("cache_write.input_tokens", "cache_creation.input_tokens") ?? 0)
  }
}
