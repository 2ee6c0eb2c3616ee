import Core
import Events
import Terminals

/// An event of the log, with the members that affect the watched state.
struct WatchedEvent {
  /// The time of the event, in milliseconds since 1970.
  ///
  /// It is never later than the time at which the event was logged.
  let at: Int64
  /// The time at which the event was logged, in milliseconds since 1970.
  let loggedAt: Int64
  let swarmId: String?
  let agentId: String?
  private let entry: EventBatch.Entry
  private let raw: RawRecord
  private let attrs: RawRecord?

  /// Parses the given entry of the log; returns nil if it is not an event.
  init?(_ entry: EventBatch.Entry) {
    guard let raw = try? RawRecord(line: Array(entry.stored.utf8)) else { return nil }
    (self.entry, self.raw) = (entry, raw)
    swarmId = raw.key("swarmId")
    agentId = raw.key("agentId")
    loggedAt = entry.loggedAt
    let ts = raw.json("ts").flatMap { Int64($0) } ?? 0
    // A sender whose clock is ahead must not push all other events out of a window.
    at = ts > 0 ? min(ts, entry.loggedAt) : entry.loggedAt
    attrs = raw.json("attrs").flatMap { RawRecord(object: $0) }
  }

  /// The sequence number of the event in its log.
  var sequence: Int64 { EventPosition(entry.id)?.sequence ?? 0 }
  /// The event as a line of a stream.
  ///
  /// It includes the ID.
  var line: String { entry.line }
  /// The number of bytes that the event occupies in the log.
  var length: Int { entry.stored.utf8.count }
  var type: String { raw.type }
  /// The name of the machine from which a hub received the event; nil for the log's own machine.
  var host: String? { raw.string("host").flatMap { EventHost.isName($0) ? $0 : nil } }
  var sessionId: String? { raw.key("sessionId") }
  var spanId: String? { raw.key("spanId") }
  var gateId: String? { raw.key("gateId") }
  var incidentId: String? { raw.key("incidentId") }
  var name: String { raw.string("name") ?? "" }
  /// The event's message, without escape sequences.
  var message: String { EscapeSequences.removed(from: raw.string("message") ?? "") }
  /// The message of an earlier error that caused this one.
  var cause: String? { raw.string("cause").map { EscapeSequences.removed(from: $0) } }
  var summary: String { raw.string("summary") ?? "" }
  var requestedBy: String? { raw.string("requestedBy") }
  var status: String { raw.string("status") ?? "" }
  var action: ControlAction? { raw.string("action").flatMap(ControlAction.init) }
  var outcome: ControlOutcome? { raw.string("outcome").flatMap(ControlOutcome.init) }
  var level: Log.Level? { raw.string("level").flatMap(Log.Level.init) }
  var phase: TraceEvent.Phase? { raw.string("phase").flatMap(TraceEvent.Phase.init) }
  var isTrace: Bool { type == TraceEvent.type }

  /// `true` if the event reports the failure of an agent's command.
  var isDeath: Bool {
    type == Log.type && agentId != nil && raw.string("srcId").map(AgentEnd.isSourceId) ?? false
  }

  /// The labels as JSON text.
  var labelText: String? { raw.json("labels").map { String($0) } }
  var labels: RawRecord? { raw.json("labels").flatMap { RawRecord(object: $0) } }
  /// The measured value; nil if it is not a number.
  var value: Double? { raw.json("value").flatMap { Double($0) } }
  /// The source that reports the usage of a model call.
  var usageSource: UsageSource {
    attribute(.usageSource).flatMap(UsageSource.init) ?? .transcript
  }

  /// The ID that a coding agent gives to the session whose call its run reports; nil if there is
  /// none.
  var agentSession: String? { attribute(.agentSession).map(WatchedKey.of) }

  /// The number of events that this event represents.
  var weight: Int { max(1, min(raw.json("count").flatMap { Int($0) } ?? 1, 1_000_000)) }

  /// `true` if the event reports the start, the progress or the end of a run.
  var isRun: Bool { isTrace && EventOperation(rawValue: name)?.isRun ?? false }

  /// `true` if the event reports an error.
  ///
  /// The end of a failed run does not count, because a log record reports the same error.
  var isError: Bool {
    level.map { $0 >= .error } ?? (isTrace && !isRun && has(.errorType))
  }

  /// The ID of the skill or tool that the event is about.
  var skillId: String? {
    raw.key("skillId") ?? (attribute(.skillName) ?? attribute(.toolName)).map(WatchedKey.of)
  }

  /// The model that answered or was asked.
  var model: String? {
    (attribute(.responseModel) ?? attribute(.requestModel)).map(WatchedKey.of)
  }

  /// Returns the value of the given attribute; nil if it is not a string.
  func attribute(_ name: EventAttribute) -> String? {
    name.names.lazy.compactMap { attrs?.string($0) }.first
  }

  /// Returns the value of the given attribute; nil if it is not a nonnegative number.
  ///
  /// Large numbers are capped, so that sums stay finite.
  func number(_ name: EventAttribute) -> Double? {
    name.names.lazy.compactMap { attrs?.json($0).flatMap { Double($0) } }
      .first { $0 >= 0 }.map { min($0, 1e15) }
  }

  /// Returns `true` if the given attribute exists and is not null.
  func has(_ name: EventAttribute) -> Bool {
    name.names.contains { attrs?.contains($0) ?? false }
  }

  /// `true` if the event reports a model call that was answered or failed.
  var isModelCall: Bool {
    isTrace && phase != .start
      && attribute(.operation).flatMap(EventOperation.init)?.isModelCall ?? false
  }

  /// `true` if the event reports the increase of a model call that was counted before.
  var isIncrease: Bool { attribute(.usageScope) == EventAttribute.increaseScope }

  /// The number of calls whose cost the event leaves unknown.
  ///
  /// Calls that no entry of a session reports count as one, until their sums are known.
  var unpriced: Int {
    guard number(.costUSD) == nil else { return 0 }
    return !isIncrease || has(.sideCalls) && usage == nil ? 1 : 0
  }

  /// The agentpipes tool that called a model or observed the call.
  var tool: String? {
    attribute(.tool).flatMap { name in
      let isName = name.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 }
      return isName && 1...32 ~= name.utf8.count ? name : nil
    }
  }

  /// The token counts that the event reports.
  var usage: Usage? {
    guard let input = number(.inputTokens) else { return nil }
    return Usage(
      inputTokens: Int(input), outputTokens: Int(number(.outputTokens) ?? 0),
      cacheReadTokens: Int(number(.cacheReadTokens) ?? 0),
      cacheWriteTokens: Int(number(.cacheWriteTokens) ?? 0))
  }
}
