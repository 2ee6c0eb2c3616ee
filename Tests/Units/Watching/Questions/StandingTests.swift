import Core
import Events
import Foundation
import GRDB
import Storage
import TestSupport
import Testing

@testable import Watching

/// What questions read is all that they need.
struct StandingTests {
  private let home: Home
  private let store: Store
  private let log: EventJournal
  private let watcher: Watcher
  private let start: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    store = try Store(home.directories)
    log = EventJournal(home.directories)
    watcher = Watcher(store: store, journal: log)
  }

  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: start + Int64(seconds * 1000))
  }

  private static func log(
    at ts: Int64, agent: String, swarm: String?, _ level: Log.Level, _ message: String
  ) -> Log {
    var log = Log(ts: ts, agentId: agent, level: level, message: message)
    log.swarmId = swarm
    return log
  }

  /// Something that one of a few agents does at a second.
  private func event(_ random: inout SeededRandom, _ second: Double) -> any Event {
    let number = Int.random(in: 0..<30, using: &random)
    let agent = "agent \(number)"
    let swarm = number % 7 == 6 ? nil : "swarm \(number % 7)"
    let ts = time(second).milliseconds
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      return Self.log(
        at: ts, agent: agent, swarm: swarm, random.one(of: Log.Level.allCases, else: .info),
        random.one(of: ["red", "green", "blue"], else: ""))
    case 1:
      return TraceEvent(
        ts: ts, agent: agent, skill: random.one(of: ["x", "y"], else: ""), span: "c",
        name: "execute_tool",
        attrs: random.chance(3) ? ["error.type": .string("e")] : [:])
    case 2:
      return TraceEvent(
        ts: ts, agent: agent, swarm: swarm, session: "session \(number / 2)", span: "m",
        name: "chat",
        attrs: [
          "gen_ai.operation.name": .string("chat"), "agentpipes.context.max_tokens": .int(1000),
          "gen_ai.usage.input_tokens": .int(Int.random(in: 0...1000, using: &random)),
          "agentpipes.redundancy": .double(Double(Int.random(in: 0...10, using: &random)) / 10),
        ])
    default:
      let phase = random.one(of: TraceEvent.Phase.allCases, else: .start)
      var attrs: [String: JSONValue] = [:]
      if random.chance(2) { attrs["agentpipes.heartbeat_ms"] = .int(20_000) }
      if phase == .progress { attrs["agentpipes.status"] = .string("paused") }
      return TraceEvent(
        ts: ts, agent: agent, swarm: swarm, span: "\(Int(second) / 100)", phase,
        name: "invoke_agent", attrs: attrs)
    }
  }

  private func fill(_ random: inout SeededRandom, from: Double, to: Double) throws {
    for part in 0..<10 {
      let second = from + (to - from) * Double(part) / 10
      try log.append((0..<12).map { _ in event(&random, second) }, at: time(second))
    }
  }

  /// An overview, made of everything that is known.
  private func wholeOverview(_ standing: Standing, at now: Timestamp) throws -> Overview {
    let day = now.adding(seconds: -86_400)
    let swarms = try standing.swarms().filter {
      $0.status.isActive || $0.status == .lost && $0.updatedAt > day
    }
    let agents = try standing.agents().filter {
      $0.status.isActive || $0.status == .lost && $0.updatedAt > day
    }
    let risks = try standing.contexts().filter { context in
      agents.contains { $0.id == context.agentId }
    }.compactMap { context in context.maxTokens.map { Double(context.tokenUsage) / Double($0) } }
    let skills = try standing.skills(.hour)
    let calls = skills.reduce(0) { $0 + $1.calls }
    let failures = skills.reduce(0) { $0 + Double($1.calls) * ($1.errorRate ?? 0) }
    let well = swarms.filter { swarm in
      swarm.errorRate < 0.2 && swarm.status != .lost
        && !agents.contains { $0.swarmId == swarm.id && $0.status == .lost }
    }
    return Overview(
      summaryCards: SummaryCards(
        contextRisk: risks.max(),
        skillFailureRate: calls == 0 ? nil : failures.rounded() / Double(calls),
        swarmHealth: swarms.isEmpty ? nil : Double(well.count) / Double(swarms.count)),
      activeIncidents: try standing.incidents(withClosed: true).filter { $0.status == .open },
      activeSwarms: swarms, activeSessions: agents, pendingGates: [],
      updatedAt: try standing.agents().map(\.updatedAt).max())
  }

  @Test func `an overview is what one makes of everything that is known`() throws {
    var random = SeededRandom(seed: 11)
    var seen: Set<AgentStatus> = []
    for hour in stride(from: 0.0, to: 30, by: 2.5) {
      try fill(&random, from: hour * 3600, to: hour * 3600 + 600)
      for later in [0, 30, 301, 1900, 3700] {
        let now = time(hour * 3600 + 600 + Double(later))
        try watcher.catchUp(at: now)
        let standing = watcher.standing(at: now)
        let overview = try standing.overview()
        let whole = try wholeOverview(standing, at: now)
        #expect(overview.summaryCards == whole.summaryCards)
        #expect(overview.activeIncidents == whole.activeIncidents)
        #expect(overview.activeSwarms == whole.activeSwarms)
        #expect(overview.activeSessions == whole.activeSessions)
        #expect(overview.updatedAt == whole.updatedAt)
        // Who comes new and knows nothing yet is told the same.
        #expect(try Standing(try Store(home.directories), at: now).overview() == overview)
        seen.formUnion(overview.activeSessions.map(\.status))
      }
    }
    #expect(seen.isSuperset(of: [.running, .paused, .lost]))
  }

  @Test func `what is the matter is what everything that is known says`() throws {
    var random = SeededRandom(seed: 12)
    for hour in 0..<6 {
      try fill(&random, from: Double(hour) * 3600, to: Double(hour) * 3600 + 600)
      let now = time(Double(hour) * 3600 + 601)
      try watcher.catchUp(at: now)
      let full = try watcher.standing(at: now).contexts()
        .flatMap { context in context.warnings.map { "\($0) \(context.sessionId)" } }
      let lost = try watcher.standing(at: now).agents(status: .lost).map { "lost \($0.id)" }
      let raised = try watcher.watched.read { (state) throws(Failure) in
        try state.documents(WatchedAlert.self)
      }.filter(\.isRaised).compactMap { alert -> String? in
        switch alert.alert.kind {
        case .contextCapacity: "nearCapacity \(alert.alert.sessionId ?? "")"
        case .redundancySpike: "redundancy \(alert.alert.sessionId ?? "")"
        case .stuckAgents where alert.alert.value == nil: "lost \(alert.alert.agentId ?? "")"
        default: nil
        }
      }
      #expect(!full.isEmpty && !lost.isEmpty)
      #expect(Set(raised).isSuperset(of: full + lost))
      #expect(Set(raised).subtracting(full + lost).allSatisfy { $0.hasPrefix("lost ") })
    }
  }

  @Test func `what somebody else changes is seen by who has it in memory`() throws {
    func say(_ second: Double) throws {
      try log.append(
        [Self.log(at: start, agent: "a", swarm: "s", .error, "down")], at: time(second))
    }
    try say(0)
    try watcher.catchUp(at: time(0))
    let first = try #require(try watcher.standing(at: time(0)).incidents().first)
    // By another connection, and by the same one.
    for (second, store) in [(1.0, try Store(home.directories)), (2.0, store)] {
      let open = try #require(try watcher.standing(at: time(second)).incidents().first)
      let steering = Steering(store: store)
      _ = try steering.close(
        incident: open.id, by: .init(id: nil, actor: "ann", reason: nil), at: time(second))
      #expect(try watcher.standing(at: time(second)).incidents().isEmpty)
      try say(second)
      try Watcher(store: store, journal: log).catchUp(at: time(second))
      try say(second)
      try watcher.catchUp(at: time(second))
      #expect(try watcher.standing(at: time(second)).incidents().map(\.count) == [2])
    }
    let all = try watcher.standing(at: time(3)).incidents(withClosed: true)
    #expect(all.count == 3 && all.last?.id == first.id && all.last?.count == 1)
    #expect(try watcher.standing(at: time(3)).agents().map(\.errors) == [5])
  }

  @Test(arguments: ["a\u{0}b", String(repeating: "界", count: 200)])
  func `an agent is found by an id that is stored in another form`(id: String) throws {
    try log.append([Self.log(at: start, agent: id, swarm: nil, .info, "up")], at: time(0))
    try watcher.catchUp(at: time(0))
    let standing = watcher.standing(at: time(0))
    let stored = try #require(try standing.agents().first).id
    #expect(stored != id)
    #expect(try standing.report(ofAgent: id, events: 1, in: log).agent.id == stored)
  }

  @Test func `a closed incident is opened again, but for a later one of its errors`() throws {
    let steering = Steering(store: store)
    func request() -> Steering.Request { .init(id: nil, actor: "ann", reason: nil) }
    func say(_ second: Double) throws {
      try log.append(
        [Self.log(at: start, agent: "a", swarm: "s", .error, "down")], at: time(second))
      try watcher.catchUp(at: time(second))
    }
    func open(_ second: Double) throws -> [Incident] {
      try watcher.catchUp(at: time(second))
      return try watcher.standing(at: time(second)).incidents()
    }
    try say(0)
    let id = try #require(try open(0).first).id
    #expect(throws: Failure.self) { try steering.reopen(incident: id, by: request(), at: time(1)) }
    _ = try steering.close(incident: id, by: request(), at: time(1))
    // It stays open for as long as any other, though its errors are old.
    #expect(try steering.reopen(incident: id, by: request(), at: time(1700)).closedBy == nil)
    #expect(try open(3400).map(\.id) == [id] && open(3500).isEmpty)
    _ = try steering.reopen(incident: id, by: request(), at: time(3501))
    try say(3502)
    #expect(try open(3502).map(\.count) == [2])
    _ = try steering.close(incident: id, by: request(), at: time(3503))
    try say(3504)
    #expect(throws: Failure.self) {
      try steering.reopen(incident: id, by: request(), at: time(3505))
    }
  }

  @Test func `a store of an earlier version comes to the same`() throws {
    var random = SeededRandom(seed: 13)
    try fill(&random, from: 0, to: 3600)
    try watcher.catchUp(at: time(3600))
    func kept() throws -> [String] {
      try Store(home.directories).file.read { database in
        try String.fetchAll(
          database,
          sql: """
            SELECT kind || ' ' || id || ' ' || ifnull(parent, '-') || ' ' || ifnull(liveUntil, '-')
              || ' ' || ifnull(fullness, '-') || ' ' || ifnull(redundancy, '-')
            FROM watched ORDER BY kind, id
            """)
      }
    }
    let rows = try kept()
    #expect(rows.contains { $0.hasSuffix("9223372036854775807 - -") })
    try Store(home.directories).file.write {
      try $0.execute(
        sql: """
          DROP INDEX watchedLive;
          DROP INDEX watchedFull;
          DROP INDEX watchedRedundant;
          ALTER TABLE watched DROP COLUMN liveUntil;
          ALTER TABLE watched DROP COLUMN fullness;
          ALTER TABLE watched DROP COLUMN redundancy;
          UPDATE watched SET parent = json_extract(record, '$.swarmId') WHERE kind = 'session';
          DELETE FROM grdb_migrations WHERE identifier LIKE '6 %'
          """)
    }
    #expect(try kept() == rows)
  }
}
