import Core
import Requests
import Storage
import TestSupport
import Testing

/// Decisions at gates, the same on each engine.
struct DecisionTests {
  private func gate(_ id: String, expiresAt: Timestamp? = nil) -> ApprovalGate {
    var gate = ApprovalGate(
      ts: 0, gateId: id, status: .pending, summary: "s", requestedAt: Timestamp(milliseconds: 0))
    gate.expiresAt = expiresAt
    return gate
  }

  @Test(arguments: RecordEngine.allCases)
  func `the first of eight decisions at once wins, and all are kept`(
    _ engine: RecordEngine
  ) async throws {
    let home = try Home()
    let store = try engine.store(in: home)
    _ = try store.open(gate("g"))
    let results = try await withThrowingTaskGroup(
      of: (receipt: DecisionReceipt, isWinner: Bool).self
    ) { group in
      for number in 0..<8 {
        group.addTask {
          try engine.store(in: home).decide(
            gate: "g", number.isMultiple(of: 2) ? .approve : .reject,
            reason: "because of \(number)", actor: "actor \(number)")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count { $0.isWinner } == 1)
    #expect(Set(results.map(\.receipt)).count == 1)
    let winner = try #require(results.first?.receipt)
    let decisions = try store.decisions(atGate: "g")
    #expect(decisions.count == 8)
    #expect(decisions.first == winner)
    #expect(Set(decisions.map(\.actor)).count == 8)
    let decided = try #require(try store.gate("g"))
    #expect(decided.status == winner.decision.outcome)
    #expect(decided.revision == 2)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a gate that is printed after it was opened is the same gate`(
    _ engine: RecordEngine
  ) throws {
    let store = try engine.store(in: Home())
    _ = try store.open(gate("g"))
    var printed = gate("g")
    (printed.agentId, printed.swarmId) = ("a", "swarm")
    let joined = try store.open(printed: printed)
    #expect(joined.gateId == "g" && joined.revision == 2)
    #expect([joined.agentId, joined.swarmId] == ["a", "swarm"])
    #expect(try store.gate("g") == joined)
    // A gate of another agent, and one that is decided, stay as they are.
    printed.agentId = "b"
    #expect(try store.open(printed: printed) == joined)
    try store.expire(gate: "g", reason: "over")
    printed.agentId = "a"
    #expect(try store.open(printed: printed) == store.gate("g"))
    #expect(try store.gates().count == 1)
    // Another question is another gate.
    printed.summary = "t"
    #expect(try store.open(printed: printed).gateId != "g")
  }

  @Test(arguments: RecordEngine.allCases)
  func `a gate whose time is up is rejected, whoever looks`(_ engine: RecordEngine) throws {
    let home = try Home()
    let store = try engine.store(in: home)
    let end = Timestamp(milliseconds: 1000)
    for id in ["a", "b"] { _ = try store.open(gate(id, expiresAt: end)) }
    _ = try store.open(gate("c"))
    try store.expireGates(at: Timestamp(milliseconds: 999))
    #expect(try store.gates(status: .pending).count == 3)
    let late = try store.decide(gate: "a", .approve, reason: nil, actor: "late", at: end)
    #expect(!late.isWinner)
    #expect(late.receipt.status == .expired)
    try store.expireGates(at: end)
    #expect(try store.gates(status: .expired).map(\.gateId) == ["a", "b"])
    #expect(try store.gates(status: .pending).map(\.gateId) == ["c"])
    #expect(try store.decisions(atGate: "a").map(\.actor) == ["agentpipes", "late"])
    #expect(try store.decisions(atGate: "b").map(\.status) == [.expired])
  }

  @Test(arguments: RecordEngine.allCases)
  func `an unknown gate is not found`(_ engine: RecordEngine) throws {
    let home = try Home()
    let store = try engine.store(in: home)
    let failure = #expect(throws: Failure.self) {
      try store.decide(gate: "none", .approve, reason: nil, actor: "a")
    }
    #expect(failure?.code == .notFound)
  }
}
