import Foundation
import Requests
import Storage
import TestSupport
import Testing

import Core

/// Controls in the store, and the audit of them, the same on each engine.
struct ControlTests {
  /// A store, and the locks that processes hold which run agents.
  private struct Place {
    let home: Home
    let store: Store

    init(_ engine: RecordEngine) throws {
      home = try Home()
      store = try engine.store(in: home)
    }

    func ask(
      _ request: ControlRequest, standing: AgentStatus? = nil,
      limits: ActionLimits = ActionLimits(), at now: Timestamp = .now
    ) throws -> ControlReceipt {
      try store.submit(request, standing: standing, limits: limits, at: now)
    }

    func hold(_ agent: String) throws -> HeldLock { try HeldLock(agent, home) }

    func audited() throws -> [String] {
      try store.audit().map {
        "\($0.requestId) \($0.actor) \($0.action) \($0.target) \($0.id) \($0.outcome)"
          + ($0.replayed ? " again" : "")
      }
    }
  }

  /// An agent's lock, held as a process would that runs it.
  private final class HeldLock {
    private let lock: FileLock?

    init(_ agent: String, _ home: Home) throws {
      lock = try FileLock.ifFree(home.directories.state + "/" + Runner.lock(ofAgent: agent))
    }
  }

  /// A base whose clock is ahead.
  private struct LaterBase: RecordBase {
    let base: any RecordBase
    let seconds: Double
    /// What another process does while a transaction that writes waits for it.
    var other: @Sendable () -> Void = {}

    func read<Value>(_ query: (any Rows) throws -> Value) throws(Failure) -> Value {
      try base.read { try query(LaterRows(rows: $0, seconds: seconds)) }
    }

    func write<Value>(_ transaction: (any Rows) throws -> Value) throws(Failure) -> Value {
      other()
      return try base.write { try transaction(LaterRows(rows: $0, seconds: seconds)) }
    }

    func wakeUp(_ interruption: Interruption) throws(Failure) -> RecordWait {
      try base.wakeUp(interruption)
    }

    var now: Timestamp { base.now.adding(seconds: seconds) }
  }

  /// The rows of a base whose clock is ahead.
  private struct LaterRows: Rows {
    let rows: any Rows
    let seconds: Double

    var dialect: Dialect { rows.dialect }
    var now: Timestamp { rows.now.adding(seconds: seconds) }

    func run(_ statement: String, _ parameters: Parameters) throws(Failure) -> Int {
      try rows.run(statement, parameters)
    }

    func forEach(
      _ statement: String, _ parameters: Parameters, _ body: (any RecordRow) throws -> Void
    ) throws(Failure) {
      try rows.forEach(statement, parameters, body)
    }

    func version() throws(Failure) -> RecordVersion? { try rows.version() }
  }

  private func request(
    _ action: ControlAction = .pause, _ target: ControlTarget = .agent, _ id: String = "a",
    requestId: String = "r", reason: String = "because", actor: String = "ann"
  ) -> ControlRequest {
    ControlRequest(
      requestId: requestId, target: target, id: id, action: action, reason: reason, actor: actor)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a control waits for its agent, acts once, and is in the audit`(_ engine: RecordEngine)
    throws
  {
    let place = try Place(engine)
    let held = try place.hold("a")
    defer { withExtendedLifetime(held) {} }
    try place.store.register([Runner(agentId: "a", swarmId: "s", sessionId: "1")])
    #expect(try place.ask(request()).outcome == .accepted)
    let pending = try place.store.pendingControls(agents: ["a", "b"])
    #expect(pending.map(\.action) == [.pause] && pending.map(\.agentId) == ["a"])
    let again = try place.ask(request(actor: "bob"))
    #expect(again.outcome == .accepted && again.replayed)
    let event = try #require(try place.store.answer(pending[0], .applied, swarmId: "s"))
    #expect(event.outcome == .applied && event.agentId == "a" && event.swarmId == "s")
    #expect(try place.store.answer(pending[0], .applied) == nil)
    #expect(try place.store.receipt("r")?.outcome == .applied)
    #expect(try place.store.pendingControls(agents: ["a"]).isEmpty)
    #expect(try place.ask(request()).outcome == .applied)
    #expect { try place.ask(request(reason: "another")) } throws: {
      ($0 as? Failure)?.code == .conflict
    }
    #expect(
      try place.audited() == [
        "r ann pause agent a accepted", "r bob pause agent a accepted again",
        "r ann pause agent a applied", "r ann pause agent a applied again",
        "r ann pause agent a Conflict",
      ])
  }

  @Test(arguments: RecordEngine.allCases)
  func `of a swarm every living agent is asked, and the last answer settles it`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
    let held = [try place.hold("a"), try place.hold("b")]
    defer { withExtendedLifetime(held) {} }
    try place.store.register(
      ["a", "b", "dead"].map { Runner(agentId: $0, swarmId: "s", sessionId: $0) })
    #expect(try place.ask(request(.terminate, .swarm, "s")).outcome == .accepted)
    let pending = try place.store.pendingControls(agents: ["a", "b", "dead"])
    #expect(pending.map(\.agentId) == ["a", "b"])
    // One that had nothing to do is no event, and does not settle it.
    #expect(try place.store.answer(pending[0], .refused) == nil)
    #expect(try place.store.receipt("r")?.outcome == .accepted)
    #expect(try place.store.answer(pending[1], .applied)?.target == .swarm)
    #expect(try place.store.receipt("r")?.outcome == .applied)
  }

  @Test(arguments: RecordEngine.allCases)
  func `an answer that is repeated has the same event again, and no other outcome`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
    let runners = ["a", "b"].map { Runner(agentId: $0, swarmId: "s", sessionId: $0) }
    let held = [try place.hold("a"), try place.hold("b")]
    try place.store.register(runners)
    #expect(try place.ask(request(.pause, .swarm, "s")).outcome == .accepted)
    func answer(_ runner: Runner, _ outcome: ControlOutcome) throws -> String {
      guard let (event, receipt) = try place.store.answer("r", of: runner, outcome) else {
        return "none"
      }
      return "\(event?.srcId ?? "none") \(event?.outcome.rawValue ?? "-") \(receipt.outcome)"
    }
    func earlier(_ runner: Runner) throws -> Control? {
      try place.store.earlierAnswer(to: "r", ofAgent: runner.agentId, session: runner.sessionId)
    }
    #expect(try earlier(runners[0]) == nil)
    #expect(try answer(runners[0], .applied) == "control:r:a applied accepted")
    let event = try #require(try earlier(runners[0]))
    #expect(event.srcId == "control:r:a" && event.outcome == .applied && event.swarmId == "s")
    #expect(try answer(runners[0], .refused) == "control:r:a applied accepted")
    #expect(try answer(runners[1], .refused) == "none - applied")
    #expect(try answer(runners[1], .applied) == "none - applied")
    let stranger = Runner(agentId: "a", swarmId: "s", sessionId: "2")
    #expect(try answer(stranger, .applied) == "none - applied")
    #expect(try earlier(stranger) == nil && earlier(runners[1]) == nil)
    #expect(try place.store.answer("none", of: runners[0], .applied) == nil)
    // A run that counts as ended applied nothing.
    #expect(try place.ask(request(requestId: "2")).outcome == .accepted)
    withExtendedLifetime(held) {}
    try place.store.unregister(runners)
    let late = try place.store.answer("2", of: runners[0], .applied)
    #expect(late?.event == nil && late?.receipt.outcome == .unreachable)
  }

  @Test(arguments: RecordEngine.allCases)
  func `who is not there is not waited for`(_ engine: RecordEngine) throws {
    let place = try Place(engine)
    #expect { try place.ask(request()) } throws: { ($0 as? Failure)?.code == .notFound }
    #expect(try place.ask(request(requestId: "1"), standing: .finished).outcome == .refused)
    #expect(try place.ask(request(requestId: "2"), standing: .lost).outcome == .unreachable)
    #expect(try place.ask(request(requestId: "3"), standing: .running).outcome == .unreachable)
    try place.store.register([Runner(agentId: "a", swarmId: nil, sessionId: "1")])
    #expect(try place.ask(request(requestId: "4")).outcome == .unreachable)
    #expect(
      try place.audited() == [
        "r ann pause agent a NotFound", "1 ann pause agent a refused",
        "2 ann pause agent a unreachable", "3 ann pause agent a unreachable",
        "4 ann pause agent a unreachable",
      ])
  }

  @Test(arguments: RecordEngine.allCases)
  func `a new run of an agent does not obey what was asked of an earlier one`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
    let held = try place.hold("a")
    defer { withExtendedLifetime(held) {} }
    try place.store.register([Runner(agentId: "a", swarmId: nil, sessionId: "1")])
    _ = try place.ask(request())
    try place.store.register([Runner(agentId: "a", swarmId: nil, sessionId: "2")])
    #expect(try place.store.pendingControls(agents: ["a"]).isEmpty)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a person may steer and decide so often a minute, and terminate less often`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
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
          try place.ask(
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
    _ = try place.ask(
      request(requestId: "x", actor: "bob"), standing: .lost, limits: limits,
      at: now.adding(seconds: 6))
    _ = try place.ask(
      request(requestId: "y"), standing: .lost, limits: limits, at: now.adding(seconds: 61))
    #expect(try place.store.audit().count == 8)
  }

  @Test(arguments: RecordEngine.allCases)
  func `devices of the same name, and the operator, have limits of their own`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
    var limits = ActionLimits()
    limits.perMinute = 1
    let now = Timestamp.now
    var codes: [String] = []
    for (number, device) in ["one", "two", nil, "one", nil].enumerated() {
      var request = request(requestId: "\(number)", actor: "phone")
      request.deviceId = device
      do {
        codes.append(
          try place.ask(request, standing: .lost, limits: limits, at: now).outcome.rawValue)
      } catch let failure as Failure {
        codes.append(failure.code.rawValue)
      }
    }
    #expect(
      codes == ["unreachable", "unreachable", "unreachable", "RateLimited", "RateLimited"])
  }

  @Test(arguments: RecordEngine.allCases)
  func `a decision that is made twice counts once`(_ engine: RecordEngine) throws {
    let place = try Place(engine)
    let gate = ApprovalGate(
      ts: 0, gateId: "g", status: .pending, summary: "s", requestedAt: .now)
    _ = try place.store.open(gate)
    #expect(try place.store.open(gate).gateId != "g")
    func decide(_ decision: Decision, _ requestId: String) throws -> (DecisionReceipt, Bool) {
      let (receipt, isWinner) = try place.store.decide(
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
      try place.audited() == [
        "1 ann approve gate g approved", "1 ann approve gate g approved again",
        "1 ann reject gate g Conflict", "2 ann reject gate g Conflict",
      ])
  }

  @Test(arguments: RecordEngine.allCases)
  func `nothing in the audit is changed or goes away`(_ engine: RecordEngine) throws {
    let place = try Place(engine)
    _ = try? place.ask(request())
    for statement in ["UPDATE audit SET outcome = 'applied'", "DELETE FROM audit"] {
      #expect { try place.store.base.write { try $0.run(statement) } } throws: {
        ($0 as? Failure)?.explanation.contains("the audit is only added to") == true
      }
    }
    #expect(try place.audited() == ["r ann pause agent a NotFound"])
  }

  @Test(arguments: RecordEngine.allCases)
  func `an agent's controls are handed over, those of before too, until it is closed`(
    _ engine: RecordEngine
  ) async throws {
    let place = try Place(engine)
    let held = try place.hold("a")
    defer { withExtendedLifetime(held) {} }
    let runner = Runner(agentId: "a", swarmId: nil, sessionId: "1")
    try place.store.register([runner])
    _ = try place.ask(request(requestId: "1"))
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let post = try ControlPost([runner], store: place.store) {
      (post, control) in
      _ = try? post.answer(control, .applied)
      continuation.yield("\(control.requestId) \(control.action)")
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == "1 pause")
    _ = try place.ask(request(.resume, requestId: "2"))
    #expect(await iterator.next() == "2 resume")
    #expect(try place.store.receipt("2")?.outcome == .applied)
    post.close()
    #expect(try place.ask(request(requestId: "3"), standing: .running).outcome == .unreachable)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a held lock counts as alive after its lease, and a free one as gone within it`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
    let later = Store(LaterBase(base: place.store.base, seconds: 1000), locks: place.store.locks)
    do {
      let held = try place.hold("a")
      defer { withExtendedLifetime(held) {} }
      try place.store.register([Runner(agentId: "a", swarmId: nil, sessionId: "1")])
      #expect(try later.livingRunners().count == 1)
      #expect(try later.submit(request(requestId: "1"), standing: nil).outcome == .accepted)
      #expect(try later.settle("1")?.outcome == .accepted)
    }
    #expect(try place.store.livingRunners().isEmpty)
    #expect(try place.ask(request(requestId: "2")).outcome == .unreachable)
    #expect(try place.store.settle("1")?.outcome == .unreachable)
  }

  @Test(arguments: RecordEngine.allCases)
  func `without locks the lease decides, for as long as it is renewed`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
    func store(after seconds: Double) -> Store {
      Store(LaterBase(base: place.store.base, seconds: seconds))
    }
    let runner = Runner(agentId: "a", swarmId: nil, sessionId: "1")
    let seconds = store(after: 0).lease.seconds
    try store(after: 0).register([runner])
    #expect(try store(after: seconds - 2).livingRunners() == [runner])
    #expect(try store(after: seconds + 2).livingRunners().isEmpty)
    try store(after: 7).renewLease(of: runner.lock)
    #expect(
      try store(after: seconds + 2).submit(request(), standing: nil).outcome == .accepted)
    #expect(try store(after: seconds + 5).settle("r")?.outcome == .accepted)
    #expect(try store(after: seconds + 9).settle("r")?.outcome == .unreachable)
  }
  @Test(arguments: RecordEngine.allCases)
  func `a lease that is renewed while a transaction waits is not taken for an expired one`(
    _ engine: RecordEngine
  ) throws {
    let place = try Place(engine)
    let runner = Runner(agentId: "a", swarmId: nil, sessionId: "1")
    let begin = Store(LaterBase(base: place.store.base, seconds: 0))
    try begin.register([runner])
    #expect(try begin.submit(request(), standing: nil).outcome == .accepted)
    let late = begin.lease.seconds + 2
    let renewing = Store(LaterBase(base: place.store.base, seconds: late - 1))
    let base = LaterBase(base: place.store.base, seconds: late) {
      try? renewing.renewLease(of: runner.lock)
    }
    #expect(try Store(base).settle("r")?.outcome == .accepted)
    #expect(try Store(base).submit(request(requestId: "2"), standing: nil).outcome == .accepted)
  }
}
