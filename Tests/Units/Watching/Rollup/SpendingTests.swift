import Core
import Events
import Storage
import TestSupport
import Testing

@testable import Watching

/// The usage of sessions, which several sources report.
struct SpendingTests {
  private let log: EventJournal
  private let watcher: Watcher
  private let home: Home
  /// 2026-02-25T10:00:00Z.
  private let start: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    log = EventJournal(home.directories)
    watcher = Watcher(store: try Store(home.directories), journal: log)
  }

  private func call(
    _ tokens: Int, cost: Double? = nil, source: UsageSource?, session: String = "s"
  ) -> TraceEvent {
    var attributes = EventAttributes(Usage(inputTokens: tokens, outputTokens: 1))
    attributes[.operation] = .string("chat")
    attributes[.responseModel] = .string("m")
    attributes[.costUSD] = cost.map(JSONValue.double)
    attributes[.usageSource] = (source?.rawValue).map(JSONValue.string)
    return TraceEvent(
      ts: start, agent: "claude-\(session)", session: session, span: "c", .end, name: "chat",
      attrs: attributes.named)
  }

  private func point(
    _ metric: EventMetric, _ value: Double, isCumulative: Bool = false, from began: Int = 1,
    source: String? = "metrics"
  ) -> Metric {
    var event = Metric(ts: start, scope: .session, name: metric.rawValue, value: value)
    event.head.agentId = "claude-s"
    event.sessionId = "s"
    var labels = [
      EventAttribute.responseModel.rawValue: "m",
      EventMetric.temporalityLabel: isCumulative ? EventMetric.cumulative : "delta",
      EventMetric.startLabel: "\(began)",
    ]
    labels[EventAttribute.usageSource.rawValue] = source
    event.head.labels = labels
    return event
  }

  /// The sums after the given events, each as its key, calls, tokens and cost.
  private func sums(
    _ events: [any Event], by aspect: UsageSum.Aspect = .session
  ) throws -> [String] {
    let now = Timestamp(milliseconds: start + 1000)
    // Each event is processed by itself, as if it had just arrived.
    for event in events {
      try log.append([event], at: now)
      try watcher.catchUp(at: now)
    }
    return try watcher.standing(at: now).usage(by: aspect).map {
      let cost = $0.costUSD.map { "\($0)" } ?? "?"
      return "\($0.key): \($0.calls) \($0.inputTokens)+\($0.outputTokens) \(cost)"
    }
  }

  @Test func `calls are added up by session`() throws {
    let events = [
      call(10, cost: 0.1, source: .logs), call(20, cost: 0.2, source: .logs),
      call(5, source: .logs, session: "t"), call(7, cost: 1, source: nil, session: "u"),
    ]
    #expect(try sums(events) == ["s: 2 30+2 0.3", "u: 1 7+1 1.0", "t: 1 5+1 ?"])
    let named = try watcher.standing(at: .now).usage(by: .session).map(\.name)
    #expect(named == ["claude-s", "claude-u", "claude-t"])
  }

  @Test func `the increase of a call counts tokens and money, and no call`() throws {
    var more = call(5, cost: 0.2, source: .transcript)
    more.body.attrs[EventAttribute.usageScope.rawValue] = .string(EventAttribute.increaseScope)
    var unpriced = more
    unpriced.body.attrs[EventAttribute.costUSD.rawValue] = nil
    #expect(
      try sums([call(10, cost: 0.1, source: .transcript), more, unpriced]) == ["s: 1 20+3 0.3"])
    #expect(try sums([], by: .model) == ["m: 1 20+3 0.3"])
    let agents = try watcher.standing(at: Timestamp(milliseconds: start + 1000)).agents()
    #expect(agents.compactMap { $0.usage?.inputTokens } == [20])
  }

  @Test func `calls beside a session make its cost unknown, until its run has the sum`() throws {
    var marker = call(0, source: .transcript)
    marker.body.attrs = [
      EventAttribute.operation.rawValue: .string("chat"),
      EventAttribute.usageScope.rawValue: .string(EventAttribute.increaseScope),
      EventAttribute.sideCalls.rawValue: .bool(true),
    ]
    var side = call(5, cost: 0.2, source: .transcript)
    for (name, value) in marker.body.attrs { side.body.attrs[name] = value }
    side.body.attrs[EventAttribute.responseModel.rawValue] = .string("n")
    func run(_ phase: TraceEvent.Phase, _ cost: Double?) -> TraceEvent {
      var attributes: EventAttributes = [.operation: .string("invoke_agent")]
      attributes[.costUSD] = cost.map(JSONValue.double)
      return TraceEvent(
        ts: start, agent: "claude-s", session: "s", span: "r", phase, name: "invoke_agent",
        attrs: attributes.named)
    }
    let calls = [call(10, cost: 0.1, source: .transcript), side]
    #expect(try sums([run(.start, nil), marker] + calls) == ["s: 1 15+2 ?"])
    let now = Timestamp(milliseconds: start + 1000)
    let live = try watcher.standing(at: now).agents()
    #expect(live.map(\.costUSD) == [nil] && live.compactMap(\.knownCostUSD).count == 1)
    // The order of the sum differs.
    #expect(try sums([run(.end, 0.3)]) == ["s: 1 15+2 0.3"])
    #expect(try sums([], by: .model) == ["m: 1 10+1 0.1", "n: 0 5+1 0.2"])
    let ended = try watcher.standing(at: now).agents()
    #expect(ended.map(\.costUSD) == [0.3] && ended.map(\.knownCostUSD) == [nil])
  }

  @Test func `metrics count if there are no log records`() throws {
    let events = [
      point(.inputTokens, 10), point(.outputTokens, 5), point(.inputTokens, 1),
      point(.cacheReadTokens, 4),
    ]
    #expect(try sums(events) == ["s: 0 11+5 ?"])
    #expect(try sums([point(.costUSD, 0.5)]) == ["s: 0 11+5 0.5"])
    #expect(try sums([], by: .day) == ["2026-02-25: 0 11+5 0.5"])
  }

  @Test func `a cumulative counter counts what it grew by, and anew from another start`() throws {
    let events = [10.0, 10, 25, 20].map { point(.inputTokens, $0, isCumulative: true) }
    #expect(try sums(events) == ["s: 0 25+0 ?"])
    #expect(
      try sums([point(.inputTokens, 30, isCumulative: true, from: 2)]) == ["s: 0 55+0 ?"])
  }

  @Test(arguments: [true, false])
  func `log records count instead of metrics, whichever came first`(_ isFirst: Bool) throws {
    let metrics = [point(.inputTokens, 10), point(.outputTokens, 1), point(.costUSD, 0.1)]
    let logs = [call(10, cost: 0.1, source: .logs)]
    let events: [any Event] = isFirst ? logs + metrics : metrics + logs + metrics
    #expect(try sums(events) == ["s: 1 10+1 0.1"])
    #expect(try sums([], by: .model) == ["m: 1 10+1 0.1"])
  }

  @Test func `a transcript counts instead of both`() throws {
    let events: [any Event] = [
      point(.inputTokens, 10), call(10, cost: 0.1, source: .logs),
      call(12, cost: 0.2, source: nil), call(10, cost: 0.1, source: .logs),
      call(3, cost: 0.1, source: .transcript),
    ]
    #expect(try sums(events) == ["s: 2 15+2 0.3"])
    #expect(try sums([], by: .day) == ["2026-02-25: 2 15+2 0.3"])
  }

  @Test(arguments: [true, false])
  func `an agent's record counts its transcript and not its telemetry`(_ isFirst: Bool) throws {
    let began = TraceEvent(
      ts: start, agent: "claude-s", session: "s", span: "r", .start, name: "invoke_agent",
      attrs: ["gen_ai.operation.name": .string("invoke_agent")])
    let logs = [call(10, cost: 0.1, source: .logs), point(.inputTokens, 10)] as [any Event]
    let transcript = [began, call(12, cost: 0.2, source: .transcript)]
    _ = try sums(isFirst ? logs + transcript + logs : transcript + logs)
    let agents = try watcher.standing(at: Timestamp(milliseconds: start + 1000)).agents()
    #expect(agents.map { $0.usage?.inputTokens } == [12])
    #expect(agents.map(\.costUSD) == [0.2])
  }

  @Test(arguments: [true, false])
  func `the output of a run counts, and not the telemetry of its session`(_ isFirst: Bool) throws {
    let telemetry: [any Event] = [
      call(10, cost: 0.1, source: .logs, session: "t"), point(.inputTokens, 10),
    ]
    let run = ["s", "t"].map { session in
      var told = call(12, cost: 0.2, source: nil, session: "run")
      told.body.attrs[EventAttribute.agentSession.rawValue] = .string(session)
      return told
    }
    let events = isFirst ? telemetry + run + telemetry : run + telemetry
    #expect(try sums(events) == ["run: 2 24+2 0.4"])
    #expect(try sums([], by: .model) == ["m: 2 24+2 0.4"])
    let agents = try watcher.standing(at: Timestamp(milliseconds: start + 1000)).agents()
    #expect(agents.compactMap { $0.usage?.inputTokens }.filter { $0 > 0 } == [24])
  }

  @Test func `what a session used before a run remains`() throws {
    let earlier = call(10, cost: 0.1, source: .logs)
    let began = TraceEvent(
      ts: start + 1, agent: "claude-run", session: "run", span: "r", .start, name: "invoke_agent")
    var told = call(12, cost: 0.2, source: nil, session: "run")
    told.body.attrs[EventAttribute.agentSession.rawValue] = .string("s")
    #expect(try sums([earlier, began, told, earlier]) == ["run: 1 12+1 0.2", "s: 1 10+1 0.1"])
  }

  @Test func `metrics of other programs never count`() throws {
    #expect(try sums([point(.inputTokens, 10, source: nil)]) == [])
  }

  @Test func `an agent without a run shows the usage of its session`() throws {
    _ = try sums([call(10, cost: 0.1, source: .logs), call(20, cost: 0.2, source: .logs)])
    let agent = try #require(watcher.standing(at: .now).agents().first)
    #expect(agent.id == "claude-s")
    #expect(agent.usage?.inputTokens == 30)
    #expect(agent.sessionId == "s")
  }
}
