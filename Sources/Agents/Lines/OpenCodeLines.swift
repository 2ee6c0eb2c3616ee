import CodingAgents
import Core
import Events

/// A parser that converts the output of `opencode run --format json` to events.
///
/// Each line is a finished part of a message. The counts of a step exclude cached and reasoning
/// tokens, but events include these. OpenCode names no model, and refuses each permission that it
/// would have to ask for.
struct OpenCodeLines: CodingAgentLines {
  /// The beginnings of error texts of calls that a permission refused.
  private static let refusals = [
    "The user rejected permission", "The user has specified a rule which prevents",
  ]
  /// The beginning of the plain line that reports a refused permission.
  private static let refusalLine = "! permission requested:"

  private let agent: AgentIdentity
  private var open = OpenTools()
  private var redundancy = Redundancy()
  /// The IDs of the steps that were already counted.
  private var counted: [String] = []
  private var refusedLines = 0
  private(set) var isKnown = false

  init(_ agent: AgentIdentity) { self.agent = agent }

  /// Returns the events that the given line reports; nil if OpenCode did not print the line.
  mutating func events(
    of line: JSONObject, _ report: inout RunReport, at now: Timestamp
  ) -> [any Event]? {
    guard line.string("sessionID") != nil, line.count("timestamp") != nil else { return nil }
    let begins = isKnown ? [] : [agent.log(.info, "session begins", at: now)]
    let part = line.object("part")
    let events: [any Event]
    switch line.type {
    case "step_finish": events = part.map { step($0, &report, now) } ?? []
    case "tool_use": events = part.map { tool($0, &report, now) } ?? []
    case "text":
      let count = part?.characters("text") ?? 0
      if let part { redundancy.add(part, "text") }
      events = [agent.log(.info, "assistant message, \(count) characters", at: now)]
    case "error": events = [error(line.object("error"), &report, now)]
    case "done":
      report.deny(atLeast: line.objects("rejected").count + (line.strings("rejected") ?? []).count)
      events = [agent.log(.info, "session ends", at: now)]
    case "step_start", "reasoning":
      events = [agent.log(.debug, "assistant \(line.type)", at: now)]
    case let type where isKnown && !type.isEmpty:
      events = [agent.log(.debug, String(type.prefix(100)), at: now)]
    default: return nil
    }
    isKnown = true
    report.name(.opencode, line.string("sessionID"))
    return begins + events
  }

  /// Reads the given line of standard output, which is no JSON object.
  ///
  /// The line counts if it reports a refused permission.
  mutating func read(plain line: [UInt8], _ report: inout RunReport) {
    guard isKnown, line.starts(with: Self.refusalLine.utf8) else { return }
    refusedLines += 1
    report.deny(atLeast: refusedLines)
  }

  /// Returns the events that were still pending when the output ended.
  mutating func end(_ report: inout RunReport, at now: Timestamp) -> [any Event] {
    open.end(agent, at: now)
  }

  private mutating func step(
    _ part: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    guard let tokens = part.object("tokens") else { return [] }
    if let id = part.string("id") {
      guard !counted.contains(id) else { return [] }
      counted = counted.suffix(63) + [id]
    }
    report.limit(until: nil)
    let usage = Usage(openCode: tokens)
    let cost = part.cost("cost")
    report.totals.add(usage ?? Usage(), costUSD: cost)
    var attributes: EventAttributes = [:]
    attributes[.costUSD] = cost.map(JSONValue.double)
    attributes[.redundancy] = redundancy.score.map(JSONValue.double)
    return [agent.chat(usage, model: nil, attributes, at: now)]
  }

  private mutating func tool(
    _ part: JSONObject, _ report: inout RunReport, _ now: Timestamp
  ) -> [any Event] {
    let state = part.object("state")
    let call = ToldToolCall(
      id: part.string("callID"), name: String((part.string("tool") ?? "tool").prefix(200)))
    let error = state?.string("status") == "error" ? state?.string("error") ?? "" : nil
    let isRefused = error.map { text in Self.refusals.contains { text.hasPrefix($0) } } ?? false
    if isRefused { report.deny(call.id) } else if error != nil { report.fail(call.id) }
    if let state { redundancy.add(state, "output") }
    let time = state?.object("time")
    var events = open.start(call, agent, at: Self.instant(time, "start", now))
    events +=
      open.end(
        call.id, error: error == nil ? nil : isRefused ? "denied" : "tool_error", agent,
        at: Self.instant(time, "end", now)
      ).events
    let what = error == nil ? "done" : isRefused ? "denied" : "failed"
    let level: Log.Level = error == nil ? .info : .warn
    return events + [agent.log(level, "tool result \(call.name), \(what)", at: now)]
  }

  /// Returns the time in the given member; `now` if there is none that is plausible.
  private static func instant(_ time: JSONObject?, _ name: String, _ now: Timestamp) -> Timestamp {
    guard let told = time?.count(name).map({ Timestamp(milliseconds: Int64($0)) }), told <= now,
      now.seconds(since: told) < 86_400
    else { return now }
    return told
  }

  private func error(
    _ error: JSONObject?, _ report: inout RunReport, _ now: Timestamp
  ) -> Log {
    let data = error?.object("data")
    let message = data?.string("message") ?? error?.string("message") ?? ""
    if data?.count("statusCode") == 429,
      let seconds = data?.object("responseHeaders")?.string("retry-after").flatMap(Double.init),
      (0...1e7).contains(seconds)
    {
      report.limit(until: now.adding(seconds: seconds))
    } else {
      report.limit(by: message, at: now)
    }
    let name = error?.string("name") ?? "error"
    return agent.log(.error, "\(name.prefix(100)): \(message.prefix(1000))", at: now)
  }
}
