import Core
import Events
import Requests
import Storage
import TestSupport
import Testing

@testable import Watching

/// What calls of models used.
struct UsageTests {
  private let home: Home
  private let log: EventJournal
  private let watcher: Watcher
  /// 2026-02-25T10:00:00Z.
  private let start: Int64 = 1_772_013_600_000
  private let day: Int64 = 86_400_000

  init() throws {
    home = try Home()
    log = EventJournal(home.directories)
    watcher = Watcher(store: try Store(home.directories), journal: log)
  }

  private func call(
    _ model: String?, tokens: Int, cost: Double? = nil, agent: String = "a", swarm: String? = "s",
    days: Int64 = 0
  ) -> TraceEvent {
    var attrs: [String: JSONValue] = [
      "gen_ai.operation.name": .string("chat"), "gen_ai.usage.input_tokens": .int(tokens),
      "gen_ai.usage.output_tokens": .int(1), "gen_ai.usage.cache_read.input_tokens": .int(2),
    ]
    attrs["gen_ai.request.model"] = model.map(JSONValue.string)
    attrs["agentpipes.cost_usd"] = cost.map(JSONValue.double)
    return TraceEvent(
      ts: start + days * day, agent: agent, swarm: swarm, span: "c", name: "chat", attrs: attrs)
  }

  private func run(
    _ phase: TraceEvent.Phase, cost: Double? = nil, name: String = "invoke_agent", days: Int64 = 0
  ) -> TraceEvent {
    var attrs: [String: JSONValue] = ["gen_ai.usage.input_tokens": .int(1000)]
    attrs["agentpipes.cost_usd"] = cost.map(JSONValue.double)
    return TraceEvent(
      ts: start + days * day, agent: "a", swarm: "s", span: "r", phase, name: name, attrs: attrs)
  }

  /// The sums, each as its key, calls, tokens and cost.
  private func told(
    _ events: [any Event], by aspect: UsageSum.Aspect, since days: Int64? = nil
  ) throws -> [String] {
    let now = Timestamp(milliseconds: start + 5 * day)
    try log.append(events, at: now)
    try watcher.catchUp(at: now)
    return try sums(by: aspect, since: days)
  }

  private func sums(by aspect: UsageSum.Aspect, since days: Int64? = nil) throws -> [String] {
    let since = days.map { Timestamp(milliseconds: start + $0 * day) }
    return try watcher.standing(at: .now).usage(by: aspect, since: since).map {
      let cost = $0.costUSD.map { "\($0)" } ?? "?"
      return "\($0.key): \($0.calls) \($0.inputTokens)+\($0.outputTokens) \(cost)"
    }
  }

  @Test func `calls are added up by day, model and swarm`() throws {
    let events = [
      call("opus", tokens: 10, cost: 0.1), call("opus", tokens: 20, cost: 0.2, days: 1),
      call("mini", tokens: 300, cost: 0.3, swarm: "t", days: 1),
      call(nil, tokens: 4, cost: 0, swarm: nil, days: 3),
    ]
    #expect(
      try told(events, by: .day) == [
        "2026-02-25: 1 10+1 0.1", "2026-02-26: 2 320+2 0.5", "2026-02-28: 1 4+1 0.0",
      ])
    #expect(try sums(by: .model) == ["mini: 1 300+1 0.3", "opus: 2 30+2 0.3", ": 1 4+1 0.0"])
    #expect(try sums(by: .swarm) == ["t: 1 300+1 0.3", "s: 2 30+2 0.3", ": 1 4+1 0.0"])
    #expect(
      try sums(by: .model, since: 1) == ["mini: 1 300+1 0.3", "opus: 1 20+1 0.2", ": 1 4+1 0.0"])
    #expect(try watcher.standing(at: .now).usage(by: .day).map(\.cacheReadTokens) == [2, 4, 2])
  }

  @Test func `a sum with a call that tells no cost has none`() throws {
    let events = [call("opus", tokens: 10, cost: 0.1), call("own", tokens: 20, swarm: "t")]
    #expect(try told(events, by: .day) == ["2026-02-25: 2 30+2 ?"])
    #expect(try sums(by: .model) == ["own: 1 20+1 ?", "opus: 1 10+1 0.1"])
  }

  @Test func `what a run tells of all its calls counts once`() throws {
    let events = [
      run(.start), call("opus", tokens: 10, cost: 0.1), run(.end, cost: 0.1),
      run(.start, name: "invoke_workflow"), run(.end, cost: 7, name: "invoke_workflow"),
    ]
    #expect(try told(events, by: .day) == ["2026-02-25: 1 10+1 0.1"])
  }

  @Test func `money that only the run tells is its calls', on the day that it is told`() throws {
    let events = [
      run(.start), call("opus", tokens: 10), call("opus", tokens: 10), run(.progress, cost: 0.4),
      call("opus", tokens: 20, days: 1),
    ]
    #expect(try told(events, by: .day) == ["2026-02-25: 2 20+2 0.4", "2026-02-26: 1 20+1 ?"])
    // The same once more is no more money; at the end the rest is told.
    let end = [run(.progress, cost: 0.4, days: 2), run(.end, cost: 0.5, days: 2)]
    #expect(
      try told(end, by: .day) == [
        "2026-02-25: 2 20+2 0.4", "2026-02-26: 1 20+1 0.0", "2026-02-27: 0 0+0 0.1",
      ])
    #expect(try sums(by: .model) == ["opus: 3 40+3 0.5"])
  }

  @Test func `money of several models is the swarm's and the day's, and no model's`() throws {
    let events = [
      run(.start), call("opus", tokens: 10), call("mini", tokens: 20), run(.end, cost: 0.4),
    ]
    #expect(try told(events, by: .day) == ["2026-02-25: 2 30+2 0.4"])
    #expect(try sums(by: .swarm) == ["s: 2 30+2 0.4"])
    #expect(try sums(by: .model) == ["mini: 1 20+1 ?", "opus: 1 10+1 ?", ": 0 0+0 0.4"])
  }

  @Test func `money of calls that do not tell their model is theirs`() throws {
    let events = [run(.start), call(nil, tokens: 10), run(.end, cost: 0.4)]
    #expect(try told(events, by: .model) == [": 1 10+1 0.4"])
  }

  @Test func `the same log comes to the same, however it is cut into pieces`() throws {
    let events = [
      run(.start), call("opus", tokens: 10), run(.progress, cost: 0.25), call("mini", tokens: 20),
      run(.end, cost: 0.75, days: 1),
    ]
    let whole = try told(events, by: .model)
    let other = try UsageTests()
    for event in events { _ = try other.told([event], by: .model) }
    #expect(try other.sums(by: .model) == whole && other.sums(by: .day) == sums(by: .day))
  }
}
