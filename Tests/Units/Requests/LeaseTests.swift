import Core
import Requests
import Storage
import TestSupport
import Testing

/// Leases of agents that move between hubs, the same on each engine.
struct LeaseTests {
  private let home: Home

  init() throws { home = try Home() }

  /// A store without locks, as several hubs share it.
  private func store(_ engine: RecordEngine) throws -> Store { Store(try engine.base(in: home)) }

  private func runner(_ hub: String, session: String = "1") -> Runner {
    Runner(agentId: "a", swarmId: nil, sessionId: session, lock: "hub \(hub)")
  }

  private func pause(_ requestId: String) -> ControlRequest {
    ControlRequest(
      requestId: requestId, target: .agent, id: "a", action: .pause, reason: "because",
      actor: "ann")
  }

  @Test(arguments: RecordEngine.allCases)
  func `each lease of an agent has a higher number`(_ engine: RecordEngine) throws {
    let store = try store(engine)
    var numbers: [Int64] = []
    for hub in ["a", "b", "a", "a"] {
      let leases = try store.register([runner(hub)])
      #expect(leases.map(\.runner) == [runner(hub)])
      #expect(try store.runners(lock: "hub \(hub)").map(\.number) == leases.map(\.number))
      numbers += leases.map(\.number)
    }
    #expect(numbers == Array(Set(numbers)).sorted())
  }

  @Test(arguments: RecordEngine.allCases)
  func `a hub ends the lease that it had, and not a later one of its own or of another hub`(
    _ engine: RecordEngine
  ) throws {
    let store = try store(engine)
    let first = try store.register([runner("a")])
    let second = try store.register([runner("b")])
    #expect(try store.submit(pause("1"), standing: nil).outcome == .accepted)
    try store.release(first)
    #expect(try store.livingRunners() == [runner("b")])
    // The agent came back before its first hub knew that it had left.
    let third = try store.register([runner("a")])
    try store.release(first + second)
    #expect(try store.livingRunners() == [runner("a")])
    #expect(try store.pendingControls(lock: "hub a").map(\.requestId) == ["1"])
    #expect(try store.settle("1")?.outcome == .accepted)
    try store.release(third)
    #expect(try store.livingRunners().isEmpty)
    #expect(try store.receipt("1")?.outcome == .unreachable)
  }

  @Test(arguments: RecordEngine.allCases)
  func `of two runs of one agent, the one that registers first holds the lease`(
    _ engine: RecordEngine
  ) throws {
    let stores = [try store(engine), try store(engine)]
    func isOther(_ living: Runner, _ new: Runner) -> Bool { living.sessionId != new.sessionId }
    let leases = try stores[0].register([runner("a")], unless: isOther)
    let failure = #expect(throws: Failure.self) {
      try stores[1].register([runner("b", session: "2")], unless: isOther)
    }
    #expect(failure?.code == .conflict && failure?.input == "a")
    #expect(try stores[1].livingRunners() == [runner("a")])
    // The same run moves at once, and another one after the lease.
    try stores[1].register([runner("b")], unless: isOther)
    try stores[0].release(leases)
    #expect(try stores[0].livingRunners() == [runner("b")])
    try stores[1].release(try stores[1].runners(lock: "hub b"))
    try stores[0].register([runner("a", session: "2")], unless: isOther)
    #expect(try stores[1].livingRunners() == [runner("a", session: "2")])
  }
}
