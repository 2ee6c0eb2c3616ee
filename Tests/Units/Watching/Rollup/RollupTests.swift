import Core
import Events
import Requests
import Storage
import TestSupport
import Testing

@testable import Watching

/// What events come to.
struct RollupTests {
  private let home: Home
  private let store: Store
  private let log: EventJournal
  private let watcher: Watcher
  /// Some instant; what is logged is logged then unless told otherwise.
  private let start: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    store = try Store(home.directories)
    log = EventJournal(home.directories)
    watcher = Watcher(store: store, journal: EventJournal(home.directories))
  }

  /// An instant so many seconds after the start.
  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: start + Int64(seconds * 1000))
  }

  private func add(_ events: [any Event], after seconds: Double = 0) throws {
    try log.append(events, at: time(seconds))
  }

  private func run(
    _ phase: TraceEvent.Phase?, agent: String = "a", swarm: String? = "s",
    after seconds: Double = 0, span: String = "0000000000000001",
    attrs: [String: JSONValue] = ["agentpipes.heartbeat_ms": .int(1000)]
  ) -> TraceEvent {
    TraceEvent(
      ts: time(seconds).milliseconds, agent: agent, swarm: swarm, session: "run of " + agent,
      span: span, phase, name: "invoke_agent", attrs: attrs)
  }

  private func said(
    _ level: Log.Level, _ message: String, agent: String = "a", swarm: String? = "s",
    after seconds: Double = 0, count: Int? = nil
  ) -> Log {
    var log = Log(
      ts: time(seconds).milliseconds, agentId: agent, level: level, message: message)
    log.swarmId = swarm
    log.count = count
    return log
  }

  private func standing(after seconds: Double = 0) throws -> Standing {
    try watcher.catchUp(at: time(seconds))
    return watcher.standing(at: time(seconds))
  }

  private func alerts() throws -> [Alert] {
    try log.read(after: nil, limit: 10_000).entries
      .filter { $0.line.contains(#""type":"alert""#) }.map { try Alert(json: $0.line) }
  }

  @Test func `an agent begins, is paused, goes on, and ends`() throws {
    try add([run(.start, attrs: ["agentpipes.task": .string("lint")])])
    #expect(try standing().agents().map(\.status) == [.running])
    #expect(try standing().agents().first?.taskSummary == "lint")
    for (told, status) in [("paused", AgentStatus.paused), ("running", .running)] {
      try add([run(.progress, attrs: ["agentpipes.status": .string(told)])])
      #expect(try standing().agents().map(\.status) == [status])
    }
    try add(
      [
        run(
          .end, after: 5,
          attrs: [
            "agentpipes.status": .string("finished"), "gen_ai.usage.input_tokens": .int(7),
            "gen_ai.usage.output_tokens": .int(2), "agentpipes.cost_usd": .double(0.5),
          ])
      ], after: 5)
    let agent = try #require(try standing(after: 9).agents().first)
    #expect(agent.status == .finished && agent.finishedAt == time(5))
    #expect(agent.usage == Usage(inputTokens: 7, outputTokens: 2) && agent.costUSD == 0.5)
    #expect(agent.startedAt == time(0) && agent.events == 4 && agent.errors == 0)
  }

  @Test func `an agent may have its swarm's id, and a run is no agent`() throws {
    try add([run(.start, agent: "s"), said(.error, "no disk", agent: "quiet", swarm: "quiet")])
    let workflow = TraceEvent(
      ts: start, agent: "w", swarm: "w", span: "w", .start, name: "invoke_workflow")
    try add([workflow, said(.info, "it begins", agent: "w", swarm: "w")])
    let standing = try standing()
    #expect(try standing.agents().map(\.id) == ["quiet", "s"])
    #expect(try standing.swarms().map(\.activeAgents) == [1, 1, 0])
    #expect(try standing.swarms().map(\.agents) == [1, 1, 0])
    // What an earlier version kept does not tell; it showed neither.
    let text =
      #"{"errors":0,"events":1,"heardAt":1,"id":"w","status":"running","swarmId":"w","workedAt":1}"#
    #expect(WatchedAgent(text: text)?.isRun == true)
  }

  @Test func `an end that comes before its beginning ends it all the same`() throws {
    try add([run(.end, after: 2, attrs: ["agentpipes.status": .string("finished")])], after: 3)
    try add([run(.progress, after: 1, attrs: ["agentpipes.status": .string("running")])], after: 3)
    try add([run(.start)], after: 3)
    #expect(try standing(after: 3).agents().map(\.status) == [.finished])
    // The same span once more, later, is another run.
    try add([run(.start, after: 4)], after: 4)
    #expect(try standing(after: 4).agents().map(\.status) == [.running])
  }

  @Test func `who is not heard of for two heartbeats is lost, and may come back`() throws {
    try add([run(.start)])
    #expect(try standing(after: 2).agents().map(\.status) == [.running])
    #expect(try standing(after: 2.001).agents().map(\.status) == [.lost])
    #expect(try alerts().map(\.kind) == [.stuckAgents])
    #expect(try standing(after: 2.001).swarms().map(\.status) == [.lost])
    try add([run(.progress, attrs: ["agentpipes.heartbeat": .bool(true)])], after: 3)
    #expect(try standing(after: 3).agents().map(\.status) == [.running])
    #expect(try standing(after: 3).swarms().map(\.status) == [.running])
    // Lost once more, told once more.
    #expect(try standing(after: 9).agents().map(\.status) == [.lost])
    #expect(try alerts().count == 2)
  }

  @Test func `who only lives, and does nothing, is stuck`() throws {
    try add([run(.start)])
    for second in 1...21 {
      try add(
        [run(.progress, attrs: ["agentpipes.heartbeat": .bool(true)])], after: Double(second))
    }
    #expect(try standing(after: 19.9).agents().map(\.status) == [.running])
    #expect(try alerts().isEmpty)
    _ = try standing(after: 21)
    let alert = try #require(try alerts().first)
    #expect(alert.summary == "'a' has done nothing for 21 heartbeats")
    #expect(alert.value == 21 && alert.threshold == 20)
  }

  @Test func `events count in their window, whenever they come`() throws {
    try add([said(.info, "x", after: 300), said(.error, "y", after: 100)], after: 300)
    // A clock that is ahead counts as now; one that is behind, where it says.
    try add([said(.info, "z", after: 90_000), said(.info, "w", after: 290, count: 3)], after: 300)
    let swarm = try #require(try standing(after: 301).swarms().first)
    #expect(swarm.errorRate == 1.0 / 6)
    #expect(swarm.throughput == 5.0 / 60)
    #expect(swarm.history?.reduce(0, +) == 6 && swarm.history?.last == 2)
    let later = try #require(try standing(after: 500).swarms().first)
    #expect(later.errorRate == 0 && later.throughput == 0)
  }

  @Test func `errors of one kind are one incident`() throws {
    try add([
      said(.error, "cannot open '/tmp/a1' after 3 tries"), said(.info, "other"),
      said(.error, "cannot open '/tmp/b2' after 4 tries", agent: "b"),
      said(.critical, "out of memory"),
      said(.error, "cannot open '/tmp/c' after 5 tries", swarm: "t"),
    ])
    let incidents = try standing().incidents(withClosed: true)
    #expect(
      Set(incidents.map { "\($0.severity) \($0.count) \($0.swarmId ?? "") \($0.summary)" }) == [
        "error 2 s cannot open '/tmp/a1' after 3 tries", "critical 1 s out of memory",
        "error 1 t cannot open '/tmp/c' after 5 tries",
      ])
    let alert = try #require(try alerts().first)
    #expect(try alerts().count == 1 && alert.kind == .incident && alert.severity == .critical)
    #expect(incidents.first { $0.severity == .critical }?.id == alert.incidentId)
    // The events of the agent are kept with the incident; those of others are not.
    let first = try #require(incidents.first { $0.count == 2 })
    let kept = try Standing(store).report(ofIncident: first.id).events.map { line in
      try Log(json: line).message
    }
    #expect(
      kept == [
        "cannot open '/tmp/a1' after 3 tries", "other", "cannot open '/tmp/b2' after 4 tries",
        "out of memory", "cannot open '/tmp/c' after 5 tries",
      ])
  }

  @Test func `of an incident the last 200 events stay when the log lets them go`() throws {
    var bounds = EventBounds()
    bounds.count = 50
    let log = try EventLog(home.directories, bounds: bounds)
    for round in 0..<10 {
      try log.append(
        (0..<45).map { said($0 == 0 ? .error : .info, "\(round * 100 + $0)") }, at: time(0))
      try watcher.catchUp(at: time(0))
    }
    let incident = try #require(try standing().incidents(withClosed: true).first)
    #expect(incident.count == 10)
    let kept = try Standing(store).report(ofIncident: incident.id).events
    #expect(kept.count == 200)
    #expect(try kept.last.map { try Log(json: $0).message } == "944")
  }

  @Test func `an incident ends by quiet or by hand, and comes again as another one`() throws {
    try add([said(.error, "down")])
    #expect(try standing(after: 1799).incidents(withClosed: true).map(\.status) == [.open])
    let quiet = try #require(try standing(after: 1800).incidents(withClosed: true).first)
    #expect(quiet.status == .closed && quiet.closedBy == "agentpipes")
    try add([said(.error, "down", after: 2000)], after: 2000)
    let again = try standing(after: 2000).incidents(withClosed: true)
    #expect(again.map(\.status) == [.open, .closed] && again[0].id != quiet.id)
    let steering = Steering(store: store)
    let closed = try steering.close(
      incident: again[0].id, by: .init(id: "r1", actor: "ann", reason: "mended"), at: time(2001))
    #expect(closed.status == .closed && closed.closedBy == "ann")
    // The same request again is no conflict, another one is.
    _ = try steering.close(
      incident: again[0].id, by: .init(id: "r1", actor: "ann", reason: "mended"))
    #expect {
      try steering.close(incident: again[0].id, by: .init(id: "r2", actor: "bob", reason: nil))
    } throws: {
      ($0 as? Failure)?.code == .conflict
    }
    #expect {
      try steering.close(incident: "none", by: .init(id: "r3", actor: "bob", reason: nil))
    } throws: {
      ($0 as? Failure)?.code == .notFound
    }
    #expect(
      try store.audit().map { "\($0.actor) \($0.requestId) \($0.outcome) \($0.replayed)" } == [
        "ann r1 applied false", "ann r1 applied true", "bob r2 Conflict false",
        "bob r3 NotFound false",
      ])
  }

  @Test func `many kinds of errors of one place are not many incidents`() throws {
    let words = (0..<200).map { number in
      String(
        "\(number)".map {
          Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0.wholeNumberValue ?? 0)))
        })
    }
    try add(words.map { said(.error, "odd \($0)") })
    let incidents = try standing().incidents(withClosed: true)
    #expect(incidents.count == 51)
    #expect(incidents.map(\.count).max() == 150)
  }

  @Test func `calls of a skill are paired, timed and counted, in whatever order they come`() throws
  {
    func call(
      _ phase: TraceEvent.Phase?, _ span: String, after seconds: Double, failed: Bool = false
    ) -> TraceEvent {
      var attrs: [String: JSONValue] = ["gen_ai.operation.name": .string("execute_tool")]
      if failed { attrs["error.type"] = .string("exit") }
      return TraceEvent(
        ts: time(seconds).milliseconds, agent: "a", skill: "grep", span: span, phase,
        name: "execute_tool", attrs: attrs)
    }
    try add(
      [
        call(.start, "1", after: 0), call(.end, "1", after: 1), call(.end, "2", after: 3),
        call(.start, "2", after: 1), call(.start, "3", after: 3),
        call(.end, "3", after: 3.1, failed: true), call(.end, "3", after: 3.2, failed: true),
        call(nil, "4", after: 4),
      ], after: 5)
    let hour = try #require(try standing(after: 5).skills(.hour).first)
    #expect(hour.skillId == "grep" && hour.calls == 4 && hour.errorRate == 0.25)
    #expect(hour.successRate == 0.75 && !hour.isSpiking)
    // Three were timed: 1000, 2000 and 100 ms; a class is 2.3 % wide.
    let latency = try #require(hour.p95LatencyMs)
    #expect((2000...2048).contains(latency))
    #expect(try standing(after: 3700).skills(.hour).first?.calls == 0)
    #expect(try standing(after: 3700).skills(.day).first?.calls == 4)
    #expect(try alerts().isEmpty)
    try add((10..<20).map { call(nil, "x\($0)", after: 3700, failed: true) }, after: 3700)
    #expect(try standing(after: 3701).skills(.hour).first?.isSpiking == true)
    #expect(try alerts().map(\.kind) == [.skillFailure])
  }

  @Test func `a context that is nearly full, or repeats itself, is told once`() throws {
    func chat(_ input: Int, _ redundancy: Double?, after seconds: Double) -> TraceEvent {
      TraceEvent(
        ts: time(seconds).milliseconds, agent: "a", swarm: "s", session: "c", span: "\(input)",
        name: "chat",
        attrs: [
          "gen_ai.operation.name": .string("chat"), "gen_ai.usage.input_tokens": .int(input),
          "gen_ai.usage.output_tokens": .int(0), "agentpipes.context.max_tokens": .int(1000),
          "gen_ai.request.model": .string("m"),
        ].merging(redundancy.map { ["agentpipes.redundancy": .double($0)] } ?? [:]) { $1 })
    }
    try add([chat(799, 0.1, after: 1)], after: 1)
    #expect(try standing(after: 1).contexts().map(\.warnings) == [[]])
    // What was sent before that says nothing of how full it is now.
    try add([chat(5, nil, after: 0)], after: 2)
    #expect(try standing(after: 2).contexts().map(\.tokenUsage) == [799])
    try add([chat(800, 0.7, after: 3), chat(900, nil, after: 4)], after: 4)
    let context = try #require(try standing(after: 4).contexts().first)
    #expect(context.warnings == ["nearCapacity", "redundancy"] && context.tokenUsage == 900)
    #expect(context.redundancyScore == 0.7 && context.model == "m")
    #expect(context.history == [799, 800, 900])
    _ = try standing(after: 5)
    #expect(try alerts().map(\.kind.rawValue).sorted() == ["contextCapacity", "redundancySpike"])
    try add((0..<25).map { chat($0, nil, after: 6 + Double($0)) }, after: 40)
    #expect(try standing(after: 40).contexts().first?.history == Array(5..<25))
  }

  @Test func `a threshold that somebody sets holds, for one or for all`() throws {
    let steering = Steering(store: store)
    _ = try steering.set(
      .swarmDegraded, for: nil, to: 0.9, by: .init(id: "1", actor: "ann", reason: nil))
    let set = try steering.set(
      .swarmDegraded, for: "s", to: 0.05, by: .init(id: "2", actor: "ann", reason: "touchy"))
    #expect(set.value == 0.05 && !set.isDefault && set.id == "s")
    for swarm in ["s", "t"] {
      try add((0..<10).map { said($0 == 0 ? .error : .info, "x", agent: swarm, swarm: swarm) })
    }
    _ = try standing(after: 1)
    #expect(try alerts().map { "\($0.kind) \($0.swarmId ?? "")" } == ["swarmDegraded s"])
    let all = try standing(after: 1).thresholds().filter { !$0.isDefault }
    #expect(all.map { "\($0.id ?? "all") \($0.value)" } == ["all 0.9", "s 0.05"])
    #expect(try store.audit().map(\.action) == ["set 0.9", "set 0.05"])
  }

  @Test func `a gate that waits is told, also when who opened it could not`() throws {
    var gate = ApprovalGate(
      ts: start, gateId: "g", status: .pending, summary: "Deploy?", requestedAt: time(0))
    gate.expiresAt = time(60)
    gate.agentId = "a"
    _ = try store.open(gate)
    _ = try standing(after: 1)
    #expect(try alerts().map(\.gateId) == ["g"])
    // Nobody tells the log that it expired but who looks.
    _ = try standing(after: 61)
    let events = try log.read(after: nil, limit: 10).entries.map(\.line)
      .filter { $0.contains(#""type":"approvalGate""#) }
    #expect(try events.map { try ApprovalGate(json: $0).status } == [.pending, .expired])
    #expect(try standing(after: 62).overview().pendingGates.isEmpty)
  }

  @Test func `the same log comes to the same, however it is cut into pieces`() throws {
    var random = SeededRandom(seed: 4)
    let other = try Home()
    let pieces = Watcher(
      store: try Store(other.directories), journal: EventJournal(home.directories))
    for second in 0..<120 {
      let events = (0..<Int.random(in: 0...40, using: &random)).map { _ -> any Event in
        event(&random, second)
      }
      try add(events, after: Double(second))
      if random.chance(3) { try pieces.catchUp(at: time(Double(second))) }
    }
    // Alerts are events too; they come only of the one that looks in between.
    try pieces.catchUp(at: time(120))
    try watcher.catchUp(at: time(120))
    let first = Standing(store, at: time(120))
    let second = Standing(try Store(other.directories), at: time(120))
    #expect(
      try !first.agents().isEmpty && first.incidents(withClosed: true).count > 3
        && !first.contexts().isEmpty)
    #expect(try first.agents() == second.agents())
    #expect(try first.swarms() == second.swarms())
    #expect(try first.incidents(withClosed: true) == second.incidents(withClosed: true))
    #expect(try first.contexts() == second.contexts())
    #expect(try first.skills(.hour) == second.skills(.hour))
    for incident in try first.incidents(withClosed: true) {
      #expect(
        try Standing(store).report(ofIncident: incident.id).events
          == Standing(try Store(other.directories)).report(ofIncident: incident.id).events)
    }
  }

  private func event(_ random: inout SeededRandom, _ second: Int) -> any Event {
    let agent = random.one(of: ["a", "b", "c"], else: "")
    let late = Double(second) - Double(Int.random(in: 0...30, using: &random))
    let span = "\(Int.random(in: 0...5, using: &random))"
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return said(
        random.one(of: Log.Level.allCases, else: .info),
        random.one(of: ["red", "green", "blue 1", "blue 2"], else: ""), agent: agent,
        swarm: agent == "c" ? nil : "s", after: late)
    case 1:
      return run(
        random.one(of: TraceEvent.Phase.allCases, else: .start), agent: agent,
        swarm: agent == "c" ? nil : "s", after: late, span: span)
    case 2:
      return TraceEvent(
        ts: time(late).milliseconds, agent: agent, skill: random.one(of: ["x", "y"], else: ""),
        span: span, random.one(of: [.start, .end], else: .end), name: "execute_tool",
        attrs: random.chance(3) ? ["error.type": .string("e")] : [:])
    default:
      return TraceEvent(
        ts: time(late).milliseconds, agent: agent, session: agent, span: span, name: "chat",
        attrs: [
          "gen_ai.operation.name": .string("chat"),
          "gen_ai.usage.input_tokens": .int(Int.random(in: 0...900, using: &random)),
        ])
    }
  }
}
