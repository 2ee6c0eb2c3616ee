import Foundation
import Requests
import Storage
import TestSupport
import Testing

import Core

/// Controls in the store, and the audit of them.
struct ControlTests {
  private let home: Home
  private let store: Store

  init() throws {
    home = try Home()
    store = try Store(home.directories)
  }

  private func request(
    _ action: ControlAction = .pause, _ target: ControlTarget = .agent, _ id: String = "a",
    requestId: String = "r", reason: String = "because", actor: String = "ann"
  ) -> ControlRequest {
    ControlRequest(
      requestId: requestId, target: target, id: id, action: action, reason: reason, actor: actor)
  }

  private func ask(
    _ request: ControlRequest, standing: AgentStatus? = nil, limits: ActionLimits = ActionLimits(),
    at now: Timestamp = .now
  ) throws -> ControlReceipt {
    try store.ask(
      request, standing: standing, directories: home.directories, limits: limits, at: now)
  }

  /// An agent's lock, held as a process would that runs it.
  private final class HeldLock {
    private let lock: FileLock?

    init(_ agent: String, _ home: Home) throws {
      lock = try FileLock.ifFree(home.directories.state + "/" + Runner.lock(ofAgent: agent))
    }
  }

  private func audited() throws -> [String] {
    try store.audit().map {
      "\($0.requestId) \($0.actor) \($0.action) \($0.target) \($0.id) \($0.outcome)"
        + ($0.replayed ? " again" : "")
    }
  }

  @Test func `a control waits for its agent, acts once, and is in the audit`() throws {
    let held = try HeldLock("a", home)
    defer { withExtendedLifetime(held) {} }
    try store.register([Runner(agentId: "a", swarmId: "s", sessionId: "1")])
    #expect(try ask(request()).outcome == .accepted)
    let pending = try store.pendingControls(agents: ["a", "b"])
    #expect(pending.map(\.action) == [.pause] && pending.map(\.agentId) == ["a"])
    let again = try ask(request(actor: "bob"))
    #expect(again.outcome == .accepted && again.replayed)
    let event = try #require(try store.answer(pending[0], .applied, swarmId: "s"))
    #expect(event.outcome == .applied && event.agentId == "a" && event.swarmId == "s")
    #expect(try store.answer(pending[0], .applied) == nil)
    #expect(try store.receipt("r")?.outcome == .applied)
    #expect(try store.pendingControls(agents: ["a"]).isEmpty)
    #expect(try ask(request()).outcome == .applied)
    #expect { try ask(request(reason: "another")) } throws: {
      ($0 as? Failure)?.code == .conflict
    }
    #expect(
      try audited() == [
        "r ann pause agent a accepted", "r bob pause agent a accepted again",
        "r ann pause agent a applied", "r ann pause agent a applied again",
        "r ann pause agent a Conflict",
      ])
  }

  @Test func `of a swarm every living agent is asked, and the last answer settles it`() throws {
    let held = [try HeldLock("a", home), try HeldLock("b", home)]
    defer { withExtendedLifetime(held) {} }
    try store.register(
      ["a", "b", "dead"].map { Runner(agentId: $0, swarmId: "s", sessionId: $0) })
    #expect(try ask(request(.terminate, .swarm, "s")).outcome == .accepted)
    let pending = try store.pendingControls(agents: ["a", "b", "dead"])
    #expect(pending.map(\.agentId) == ["a", "b"])
    // One that had nothing to do is no event, and does not settle it.
    #expect(try store.answer(pending[0], .refused) == nil)
    #expect(try store.receipt("r")?.outcome == .accepted)
    #expect(try store.answer(pending[1], .applied)?.target == .swarm)
    #expect(try store.receipt("r")?.outcome == .applied)
  }

  @Test func `who is not there is not waited for`() throws {
    #expect { try ask(request()) } throws: { ($0 as? Failure)?.code == .notFound }
    #expect(try ask(request(requestId: "1"), standing: .finished).outcome == .refused)
    #expect(try ask(request(requestId: "2"), standing: .lost).outcome == .unreachable)
    #expect(try ask(request(requestId: "3"), standing: .running).outcome == .unreachable)
    try store.register([Runner(agentId: "a", swarmId: nil, sessionId: "1")])
    #expect(try ask(request(requestId: "4")).outcome == .unreachable)
    #expect(
      try audited() == [
        "r ann pause agent a NotFound", "1 ann pause agent a refused",
        "2 ann pause agent a unreachable", "3 ann pause agent a unreachable",
        "4 ann pause agent a unreachable",
      ])
  }

  @Test func `a new run of an agent does not obey what was asked of an earlier one`() throws {
    let held = try HeldLock("a", home)
    defer { withExtendedLifetime(held) {} }
    try store.register([Runner(agentId: "a", swarmId: nil, sessionId: "1")])
    _ = try ask(request())
    try store.register([Runner(agentId: "a", swarmId: nil, sessionId: "2")])
    #expect(try store.pendingControls(agents: ["a"]).isEmpty)
  }

  @Test func `a person may steer and decide so often a minute, and terminate less often`() throws {
    var limits = ActionLimits()
    limits.perMinute = 4
    limits.terminationsPerMinute = 2
    let now = Timestamp.now
    var codes: [String] = []
    for (number, action) in [
      ControlAction.terminate, .terminate, .terminate, .pause, .pause, .pause,
    ].enumerated() {
      do {
        codes.append(
          try ask(
            request(action, requestId: "\(number)"), standing: .lost, limits: limits,
            at: now.adding(seconds: Double(number))
          ).outcome.rawValue)
      } catch let failure as Failure {
        codes.append("\(failure.code.rawValue) \(failure.retryAfterSeconds ?? -1)")
      }
    }
    #expect(
      codes == [
        "unreachable", "unreachable", "RateLimited 58.0", "unreachable", "unreachable",
        "RateLimited 55.0",
      ])
    // Others may still, and so may this one later.
    _ = try ask(
      request(requestId: "x", actor: "bob"), standing: .lost, limits: limits,
      at: now.adding(seconds: 6))
    _ = try ask(
      request(requestId: "y"), standing: .lost, limits: limits, at: now.adding(seconds: 61))
    #expect(try store.audit().count == 8)
  }

  @Test func `a decision that is made twice counts once`() throws {
    let gate = ApprovalGate(
      ts: 0, gateId: "g", status: .pending, summary: "s", requestedAt: .now)
    _ = try store.open(gate)
    #expect(try store.open(gate).gateId != "g")
    func decide(_ decision: Decision, _ requestId: String) throws -> (DecisionReceipt, Bool) {
      let (receipt, isWinner) = try store.decide(
        gate: "g", decision, reason: nil, actor: "ann", requestId: requestId,
        limits: ActionLimits())
      return (receipt, isWinner)
    }
    let (first, isWinner) = try decide(.approve, "1")
    #expect(isWinner && first.status == .approved && !first.replayed)
    let (again, isStillWinner) = try decide(.approve, "1")
    #expect(isStillWinner && again.status == .approved && again.replayed)
    #expect { _ = try decide(.reject, "1") } throws: { ($0 as? Failure)?.code == .conflict }
    #expect(try decide(.reject, "2").1 == false)
    #expect(
      try audited() == [
        "1 ann approve gate g approved", "1 ann approve gate g approved again",
        "1 ann reject gate g Conflict", "2 ann reject gate g Conflict",
      ])
  }

  @Test func `nothing in the audit is changed or goes away`() throws {
    _ = try? ask(request())
    for statement in ["UPDATE audit SET outcome = 'applied'", "DELETE FROM audit"] {
      #expect { try store.base.write { try $0.run(statement) } } throws: {
        ($0 as? Failure)?.explanation.contains("the audit is only added to") == true
      }
    }
    #expect(try audited() == ["r ann pause agent a NotFound"])
  }

  @Test func `an agent's controls are handed over, those of before too, until it is closed`()
    async throws
  {
    let held = try HeldLock("a", home)
    defer { withExtendedLifetime(held) {} }
    let runner = Runner(agentId: "a", swarmId: nil, sessionId: "1")
    try store.register([runner])
    _ = try ask(request(requestId: "1"))
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let post = try ControlPost([runner], store: store) {
      (post, control) in
      _ = try? post.answer(control, .applied)
      continuation.yield("\(control.requestId) \(control.action)")
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == "1 pause")
    _ = try ask(request(.resume, requestId: "2"))
    #expect(await iterator.next() == "2 resume")
    #expect(try store.receipt("2")?.outcome == .applied)
    post.close()
    #expect(try ask(request(requestId: "3"), standing: .running).outcome == .unreachable)
  }
}
