import CodingAgents
import Core
import Events

/// The model calls of a session, and those that no entry reports.
extension AdoptedSession {
  /// The cost of all calls in US dollars; nil if a part of it is unknown.
  var knownCost: Double? {
    // Binary fractions have noise.
    unpriced == 0 && !hasSideCalls ? (costUSD * 1e12).rounded() / 1e12 : nil
  }

  /// `true` if calls of the run may be missing, because its program has not stated its sums yet.
  private var hasSideCalls: Bool {
    facts.statesTotals ?? false && !(calls.sums?.isSettled ?? false) && startedAt != nil
  }

  // MARK: Calls of entries

  mutating func called(
    _ call: SessionCall, of subagent: String?, at: Timestamp
  ) -> [any Event] {
    guard calls.contains(call.id) || isNew(Self.mark(ofCall: call.id, by: key.agent)) else {
      return []
    }
    let cost = call.price(by: key.agent, at: at)
    var call = call
    call.contextTokens = call.contextSize(by: key.agent, at: at)
    let isFirst = calls.add(call, costUSD: cost, of: subagent, at: at)
    // Codex and Gemini CLI write the tokens of a call at its end.
    let isWhole =
      ending.remove(call.answer) != nil || key.agent == .codex || key.agent == .gemini
    var events: [any Event] = closed(whole: isWhole ? call.id : nil) {
      $0.subagent == subagent && ($0.id != call.id || isWhole)
    }
    if isFirst, let run, !isWhole {
      events.append(
        run.event(run.call(call.id, model: call.model, of: subagent), .start, at: at))
    }
    return events
  }

  mutating func closed(
    whole: String? = nil, where isChosen: (CallReports.Entry) -> Bool
  ) -> [any Event] {
    // Calls stay open until there is a run to which they belong.
    guard let run = run ?? lastRun else { return [] }
    return calls.close(whole: whole, where: isChosen).map { entry in
      usage = usage + (entry.usage ?? Usage())
      costUSD += entry.costUSD ?? 0
      if entry.costUSD == nil, !entry.isIncrease { unpriced += 1 }
      if entry.costUSD != nil, entry.wasUnpriced == true { unpriced = max(0, unpriced - 1) }
      var attributes = entry.usage.map { EventAttributes($0) } ?? [:]
      attributes[.reasoningTokens] = entry.usage?.reasoningTokens.map(JSONValue.int)
      attributes[.costUSD] = entry.costUSD.map(JSONValue.double)
      attributes[.maxContextTokens] = entry.contextTokens.map(JSONValue.int)
      if entry.isIncrease { attributes[.usageScope] = .string(EventAttribute.increaseScope) }
      return run.event(
        run.call(entry.id, model: entry.model, of: entry.subagent), .end, attributes, at: entry.at,
        version: entry.version)
    }
  }

  /// Closes the open calls of the given conversation, because a later entry followed.
  mutating func closeCalls(of subagent: String?) -> [any Event] {
    closed { $0.subagent == subagent }
  }

  /// Closes all open calls, because the session has been quiet for a while.
  mutating func closeCalls() -> [any Event] {
    let events = closed { _ in true }
    return isReportedElsewhere ? [] : events
  }

  // MARK: Calls that no entry reports

  /// Returns the event that reports that calls of the run may be missing.
  func openSideCalls() -> [any Event] {
    guard hasSideCalls, let run, !isReportedElsewhere else { return [] }
    let attributes: EventAttributes = [
      .usageScope: .string(EventAttribute.increaseScope), .sideCalls: .bool(true),
    ]
    let span = run.call("side \(run.startedAt.milliseconds)", model: nil, of: nil)
    return [run.event(span, .end, attributes, at: run.startedAt)]
  }

  /// Records the sums that the program states when its process ends.
  mutating func stated(_ total: SessionTotal, _ at: Timestamp) -> [any Event] {
    // A state that an earlier version stored has no sums of earlier calls.
    if calls.sums == nil {
      calls.sums = CallSums()
      calls.sums?.lose()
    }
    let events = closed { _ in true }
    calls.sums?.state(total, at: at)
    return run == nil ? events + settleSideCalls() : events
  }

  /// Returns the events of the calls that the stated sums include, and that no entry reports.
  mutating func settleSideCalls() -> [any Event] {
    guard let run = run ?? lastRun, !needsBase, let rest = calls.sums?.settle() else { return [] }
    if rest.total.all.costUSD != nil { unpriced = 0 }
    return rest.total.models.sorted { $0.key < $1.key }.compactMap { model, sum in
      guard sum.usage.totalTokens > 0 || sum.costUSD ?? 0 > 0 else { return nil }
      usage = usage + sum.usage
      if let cost = sum.costUSD { costUSD += cost } else { unpriced += 1 }
      var attributes = EventAttributes(sum.usage)
      attributes[.costUSD] = sum.costUSD.map(JSONValue.double)
      attributes[.usageScope] = .string(EventAttribute.increaseScope)
      attributes[.sideCalls] = .bool(true)
      return run.event(
        run.call("side \(model)", model: model, of: nil), .end, attributes, at: rest.at,
        version: ":\(rest.at.milliseconds):\(sum.usage.totalTokens)")
    }
  }

  /// `true` if the session is a fork, and the sums with which it began are not known.
  var needsBase: Bool {
    (copiedCall != nil || facts.forkedFrom != nil) && calls.sums?.needsBase ?? false
  }

  /// Sets the sums with which the session began, from the session that it was forked from.
  mutating func inherit(from parent: AdoptedSession) {
    guard needsBase, let startedAt, let total = parent.calls.sums?.total(at: startedAt) else {
      return
    }
    calls.sums?.begin(with: total)
  }
}
