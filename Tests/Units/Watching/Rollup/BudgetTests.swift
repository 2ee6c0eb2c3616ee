import Core
import Events
import Requests
import Storage
import TestSupport
import Testing

@testable import Watching

/// Thresholds on the cost and the number of agents of a swarm.
struct BudgetTests {
  private let home: Home
  private let store: Store
  private let log: EventJournal
  private let watcher: Watcher
  private let start: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    store = try Store(home.directories)
    log = EventJournal(home.directories)
    watcher = Watcher(store: store, journal: EventJournal(home.directories))
  }

  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: start + Int64(seconds * 1000))
  }

  /// An agent of swarm `s` begins, and has cost so much.
  private func run(_ agent: String, costing cost: Double?, after seconds: Double) throws {
    let span = "00000000000000" + agent
    func event(_ phase: TraceEvent.Phase, _ attrs: [String: JSONValue]) -> TraceEvent {
      TraceEvent(
        ts: time(seconds).milliseconds, agent: agent, swarm: "s", session: "run of " + agent,
        span: span, phase, name: "invoke_agent", attrs: attrs)
    }
    let told: [String: JSONValue] = cost.map { ["agentpipes.cost_usd": .double($0)] } ?? [:]
    try log.append([event(.start, [:]), event(.progress, told)], at: time(seconds))
    try watcher.catchUp(at: time(seconds))
  }

  private func set(
    _ kind: Threshold.Kind, _ id: String?, _ value: Double, _ action: Threshold.Action? = nil
  ) throws -> Threshold {
    try Steering(store: store).set(
      kind, for: id, to: value, then: action,
      by: Steering.Request(id: nil, actor: "ann", reason: nil))
  }

  private func alerts() throws -> [String] {
    try log.read(after: nil, limit: 10_000).entries
      .filter { $0.line.contains(#""type":"alert""#) }
      .map { try Alert(json: $0.line) }
      .map { "\($0.kind) \($0.summary) \($0.value ?? 0) of \($0.threshold ?? 0)" }
  }

  private func controls() throws -> [String] {
    try store.audit().filter { $0.target == .swarm }
      .map { "\($0.actor) \($0.action) \($0.id) \($0.reason ?? "")" }
  }

  @Test func `without a threshold no cost and no number matters`() throws {
    for agent in ["11", "12"] { try run(agent, costing: 1000, after: 1) }
    #expect(try alerts() == [])
    #expect(try set(.swarmCost, "s", 0).value == 0)
    try run("13", costing: 1000, after: 2)
    #expect(try alerts() == [] && controls() == [])
  }

  @Test func `a swarm that has spent enough is told, and paused once`() throws {
    #expect(try set(.swarmCost, "s", 2, .pause).then == .pause)
    try run("11", costing: 1.25, after: 1)
    try run("12", costing: nil, after: 2)
    #expect(try alerts() == [])
    try run("13", costing: 0.75, after: 3)
    let words = "'s' has spent 2.00 dollars"
    #expect(try alerts() == ["swarmCost \(words) 2.0 of 2.0"])
    #expect(try controls() == ["threshold pause s \(words)"])
    try run("14", costing: 5, after: 4)
    #expect(try alerts().count == 1 && controls().count == 1)
  }

  @Test func `many agents are told, and paused only if that was asked for`() throws {
    _ = try set(.swarmAgents, nil, 2)
    try run("11", costing: nil, after: 1)
    #expect(try alerts() == [])
    try run("12", costing: nil, after: 2)
    #expect(try alerts() == ["swarmAgents 's' has 2 active agents 2.0 of 2.0"])
    #expect(try controls() == [])
  }

  @Test func `a swarm's own threshold decides about the pause too`() throws {
    #expect(try set(.swarmAgents, nil, 1, .pause).then == .pause)
    #expect(try set(.swarmAgents, "s", 1).then == nil)
    try run("11", costing: nil, after: 1)
    #expect(try alerts().count == 1 && controls() == [])
    let shown = try watcher.standing(at: time(1)).thresholds().filter { $0.kind == .swarmAgents }
    #expect(shown.map { "\($0.id ?? "all") \($0.then?.rawValue ?? "-")" } == ["all pause", "s -"])
    #expect(try store.audit().map(\.action) == ["set 1.0 then pause", "set 1.0"])
  }

  /// The controls that agents have not answered.
  private func pending(_ agents: String...) throws -> [String] {
    try store.pendingControls(agents: agents).map { "\($0.agentId) \($0.action) \($0.actor)" }
  }

  @Test func `a pause that reached nobody is tried again when the agent can be reached`() throws {
    try Directories.make(home.directories.state)
    let lock = try FileLock.ifFree("\(home.directories.state)/runner.lock")
    func register(_ agent: String) throws -> Runner {
      let runner = Runner(
        agentId: agent, swarmId: "s", sessionId: "run of " + agent, lock: "runner.lock")
      try store.register([runner])
      return runner
    }
    _ = try set(.swarmCost, "s", 2, .pause)
    // The first call is more than the budget, and the agent has no runner yet.
    try run("11", costing: 5, after: 1)
    #expect(try store.audit().map(\.outcome) == ["applied", "unreachable"])
    try watcher.catchUp(at: time(2))
    #expect(try controls().count == 1 && pending("11") == [])
    let runner = try register("11")
    try watcher.catchUp(at: time(3))
    try watcher.catchUp(at: time(4))
    #expect(try pending("11") == ["11 pause threshold"])
    // The runner ends without an answer, and another one takes the agent.
    try store.unregister([runner])
    try watcher.catchUp(at: time(5))
    #expect(try pending("11") == [])
    _ = try register("11")
    try watcher.catchUp(at: time(6))
    #expect(try pending("11") == ["11 pause threshold"])
    let control = try #require(try store.pendingControls(agents: ["11"]).first)
    _ = try store.answer(control, .applied, at: time(7))
    try watcher.catchUp(at: time(8))
    #expect(try pending("11") == [])
    // An agent that joins is paused too, until a person resumes the swarm.
    _ = try register("12")
    try watcher.catchUp(at: time(9))
    #expect(try pending("12") == ["12 pause threshold"])
    _ = try store.submit(
      ControlRequest(target: .swarm, id: "s", action: .resume, reason: "r", actor: "ann"),
      standing: .paused, at: time(10))
    _ = try register("13")
    try watcher.catchUp(at: time(11))
    #expect(try pending("13") == [])
    withExtendedLifetime(lock) {}
  }

  @Test func `an action that is set after the alert pauses too`() throws {
    _ = try set(.swarmCost, "s", 1)
    try run("11", costing: 2, after: 1)
    #expect(try alerts().count == 1 && controls() == [])
    _ = try set(.swarmCost, "s", 1, .pause)
    try watcher.catchUp(at: time(2))
    #expect(try alerts().count == 1)
    #expect(try controls() == ["threshold pause s 's' has spent 2.00 dollars"])
  }
}
