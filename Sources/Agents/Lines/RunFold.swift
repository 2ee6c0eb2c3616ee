import CodingAgents
import Core
import Events

/// A fold of the entries in a command's output, which makes the events of its run.
///
/// Events contain the length of messages, but not their text. Claude Code repeats a call while its
/// answer arrives, so a call is reported when its counts are final, or when its conversation goes
/// on.
struct RunFold {
  private let agent: AgentIdentity
  private let configuredContexts: [String: Int]
  private var calls = CallReports()
  private var tools = OpenTools()
  private var redundancy = Redundancy()
  /// The sums that a program stated last.
  private var total = SessionTotal([:])
  /// The id that the command gave to its session.
  private var session = ""
  private(set) var report = RunReport()

  /// Creates a fold of no entries.
  ///
  /// - Parameters:
  ///   - agent: The agent that prints the lines.
  ///   - contexts: The context size of each model, as the configuration sets it.
  init(_ agent: AgentIdentity, contexts: [String: Int]) {
    (self.agent, configuredContexts) = (agent, contexts)
  }

  /// Returns the events of the given entry.
  mutating func events(of entry: SessionEntry, at now: Timestamp) -> [any Event] {
    if entry.session.id != session {
      (session, total) = (entry.session.id, SessionTotal([:]))
      calls.sums = CallSums()
    }
    report.name(entry.session.agent, session)
    let parent = entry.session.subagent.flatMap { tools.spanId(of: $0) }
    let at = entry.at ?? now
    switch entry.content {
    case .prompt(let prompt):
      return closed(of: parent, at)
        + [agent.log(.info, "user message, \(prompt.text.unicodeScalars.count) characters", at: at)]
    case .answer(let answer): return answered(answer, parent, at)
    case .call(var call):
      call.contextTokens =
        call.contextTokens ?? call.model.flatMap { configuredContexts[$0] }
        ?? call.contextSize(by: entry.session.agent, at: at)
      return called(call, parent, at)
    case .result(let result): return ended(result, parent, at)
    case .total(let total): return settled(total, at)
    case .failure(let failure):
      return [agent.log(.error, "a call of the model failed: \(failure.outline)", at: at)]
    case .retry(let retry):
      return [agent.log(.warn, "a call of the model failed: \(retry.outline)", at: at)]
    case .output(let output): return reported(output, at)
    case .unknown(let kind): return [agent.log(.debug, kind, at: at)]
    case .facts, .compaction, .turn, .rewind, .unreadable: return []
    }
  }

  /// Returns the events that were still pending when the output ended.
  mutating func end(at now: Timestamp) -> [any Event] {
    closed(at: now) { _ in true } + tools.end(agent, at: now)
  }

  /// Forgets the faults of the command, which runs again.
  mutating func restart() { report.restart() }

  // MARK: Messages and tools

  private mutating func answered(
    _ answer: SessionAnswer, _ parent: String?, _ at: Timestamp
  ) -> [any Event] {
    var events: [any Event] = []
    if !answer.reasoning.isEmpty { events.append(agent.log(.debug, "assistant reasoning", at: at)) }
    if !answer.text.isEmpty {
      let count = answer.text.unicodeScalars.count
      redundancy.add(answer.text)
      events.append(agent.log(.info, "assistant message, \(count) characters", at: at))
    }
    if let failure = answer.failure {
      let words = "an answer is not complete: \(failure.outline)"
      events.append(agent.log(.warn, words, at: at))
    }
    for told in answer.toolCalls {
      let call = ToldToolCall(
        id: told.id.isEmpty ? nil : told.id, name: told.name, parentSpanId: parent)
      let starts = tools.start(call, agent, at: at)
      guard !starts.isEmpty else { continue }
      events += starts + [agent.log(.info, "tool call \(call.name)", at: at)]
    }
    return events
  }

  private mutating func ended(
    _ result: SessionResult, _ parent: String?, _ at: Timestamp
  ) -> [any Event] {
    let id = result.call.isEmpty ? nil : result.call
    if result.isRefused { report.deny(id) } else if result.isError { report.fail(id) }
    if !result.text.isEmpty { redundancy.add(result.text) }
    // The calls of a subagent end with the tool call that started it.
    let own = tools.spanId(of: result.call)
    let chats = closed(at: at) { $0.subagent == parent || $0.subagent == own }
    let error = result.isError ? result.error ?? (result.isRefused ? "denied" : "tool_error") : nil
    let (name, ends) = tools.end(id, error: error, agent, at: at)
    let length = result.text.unicodeScalars.count
    let what =
      result.isRefused
      ? "denied" : result.isError ? "failed" : length == 0 ? "done" : "\(length) characters"
    let words = "tool result \(name ?? ""), \(what)"
    return chats + ends + [agent.log(result.isError ? .warn : .info, words, at: at)]
  }

  // MARK: Calls

  private mutating func called(
    _ call: SessionCall, _ parent: String?, _ at: Timestamp
  ) -> [any Event] {
    let before = closed(at: at) { $0.id != call.id }
    _ = calls.add(call, costUSD: call.costUSD, of: parent, at: at)
    return before
      + (call.isFinal ? closed(at: at, whole: call) { $0.id == call.id } : [])
  }

  /// Closes the calls of the given conversation, because it goes on.
  private mutating func closed(of parent: String?, _ at: Timestamp) -> [any Event] {
    closed(at: at) { $0.subagent == parent }
  }

  private mutating func closed(
    at now: Timestamp, whole: SessionCall? = nil, where isChosen: (CallReports.Entry) -> Bool
  ) -> [any Event] {
    calls.close(whole: whole?.id, where: isChosen).map { entry in
      report.totals.add(
        entry.usage, costUSD: entry.costUSD, isIncrease: entry.isIncrease)
      let coversTurn = whole?.coversTurn ?? false
      var attributes: EventAttributes = [:]
      attributes[.costUSD] = entry.costUSD.map(JSONValue.double)
      attributes[.redundancy] = redundancy.score.map(JSONValue.double)
      if entry.isIncrease || coversTurn {
        // A sum does not show how full the context is.
        attributes[.usageScope] = .string(
          coversTurn ? EventAttribute.turnScope : EventAttribute.increaseScope)
      } else {
        attributes[.maxContextTokens] = entry.contextTokens.map(JSONValue.int)
      }
      return agent.chat(
        entry.usage, model: entry.model, session: session, parentSpanId: entry.subagent,
        attributes, at: now)
    }
  }

  // MARK: Sums

  /// Returns the events of the calls that the given sums include, and that no entry reports.
  private mutating func settled(_ total: SessionTotal, _ at: Timestamp) -> [any Event] {
    let events = closed(at: at) { _ in true }
    report.totals.settle(total.grown(since: self.total)?.all ?? total.all)
    self.total = total
    calls.sums?.state(total, at: at)
    let rest = calls.sums?.settle()?.total.models ?? [:]
    return events
      + rest.sorted { $0.key < $1.key }.compactMap { model, sum in
        guard sum.usage.totalTokens > 0 || sum.costUSD ?? 0 > 0 else { return nil }
        var attributes: EventAttributes = [.usageScope: .string(EventAttribute.increaseScope)]
        attributes[.costUSD] = sum.costUSD.map(JSONValue.double)
        return agent.chat(
          sum.usage, model: String(model.prefix(200)), session: session, attributes, at: at)
      }
  }

  private mutating func reported(_ output: OutputReport, _ at: Timestamp) -> [any Event] {
    switch output {
    case .note(let level, let words): return [agent.log(level, words, at: at)]
    case .limit(let reset): report.limit(until: reset)
    case .refusal(let call): report.deny(call)
    case .refusals(let count): report.deny(atLeast: count)
    case .progress(let tokens, let costUSD):
      let events = closed(at: at) { _ in true }
      if let costUSD { report.totals.settle(costUSD: costUSD) }
      var attributes: EventAttributes = [.status: .string(AgentStatus.running.rawValue)]
      // An earlier process of the run may have reported a cost too.
      attributes[.costUSD] = report.totals.costUSD.map(JSONValue.double)
      attributes[.maxContextTokens] = tokens.map(JSONValue.int)
      return events + [agent.run.event(.progress, attributes, at: at)]
    }
    return []
  }
}
