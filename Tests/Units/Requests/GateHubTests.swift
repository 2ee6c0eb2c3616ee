import Core
import Requests
import Storage
import TestSupport
import Testing

/// Gates that a hub owns, the same on each engine.
struct GateHubTests {
  private static let hub = "http://hub.example:7878"

  /// Returns a store with a gate that is offered to the hub.
  private func store(_ engine: RecordEngine, expiresAt: Timestamp? = nil) throws -> Store {
    let store = try engine.store(in: try Home())
    var gate = ApprovalGate(
      ts: 0, gateId: "g", status: .pending, summary: "s", requestedAt: Timestamp(milliseconds: 0))
    gate.expiresAt = expiresAt
    _ = try store.open(gate)
    try store.offer(gate: "g", to: Self.hub)
    return store
  }

  private func receipt(_ decision: Decision) -> DecisionReceipt {
    DecisionReceipt(
      requestId: "there", gateId: "g", decision: decision, status: decision.outcome, reason: nil,
      actor: "ann", ts: 1)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a gate that the hub has not acknowledged is decided here`(
    _ engine: RecordEngine
  ) throws {
    let store = try store(engine)
    #expect(try store.hub(ofGate: "g")?.isOwner == false)
    #expect(try store.unreportedHubs() == [])
    _ = try store.decide(gate: "g", .approve, reason: nil, actor: "bob")
    #expect(try !store.hold(gate: "g"))
    #expect(try store.hub(ofGate: "g") == nil)
    #expect(try store.unreportedHubs() == [Self.hub])
    #expect(try store.unreportedGates(Self.hub) == ["g"])
  }

  @Test(arguments: RecordEngine.allCases)
  func `a gate that the hub owns is decided here only if it is taken back`(
    _ engine: RecordEngine
  ) throws {
    let store = try store(engine)
    #expect(try store.hold(gate: "g"))
    let failure = #expect(throws: Failure.self) {
      try store.decide(gate: "g", .approve, reason: nil, actor: "bob")
    }
    #expect(failure?.kind == .held && failure?.url == Self.hub)
    #expect(try store.decisions(atGate: "g") == [])
    let taken = try store.decide(gate: "g", .approve, reason: nil, actor: "bob", isHere: true)
    #expect(taken.isWinner)
    #expect(try store.unreportedGates(Self.hub) == ["g"])
    try store.settle(gate: "g", by: taken.receipt)
    #expect(try store.unreportedGates(Self.hub) == [])
    #expect(try store.gate("g")?.revision == 2)
  }

  @Test(arguments: RecordEngine.allCases)
  func `the hub's decision replaces one that was made here`(_ engine: RecordEngine) throws {
    let store = try store(engine)
    let own = try store.decide(gate: "g", .approve, reason: nil, actor: "bob").receipt
    try store.settle(gate: "g", by: receipt(.reject))
    #expect(try store.gate("g")?.status == .rejected)
    #expect(try store.unreportedGates(Self.hub) == [])
    #expect(try store.decisions(atGate: "g") == [own, receipt(.reject)])
    let late = try store.decide(gate: "g", .approve, reason: nil, actor: "eve")
    #expect(!late.isWinner && late.receipt == receipt(.reject))
  }

  @Test(arguments: RecordEngine.allCases)
  func `a gate that the hub owns ends by the hub's clock`(_ engine: RecordEngine) throws {
    let end = Timestamp(milliseconds: 1000)
    let store = try store(engine, expiresAt: end)
    #expect(try store.hold(gate: "g"))
    try store.expireGates(at: end.adding(seconds: 60))
    #expect(try store.gate("g")?.status == .pending)
    try store.settle(gate: "g", by: receipt(.approve))
    #expect(try store.gate("g")?.status == .approved)
  }
}
