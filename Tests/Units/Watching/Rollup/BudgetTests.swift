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
}
