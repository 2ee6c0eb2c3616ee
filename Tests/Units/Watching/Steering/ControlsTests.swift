import Core
import Events
import Foundation
import Requests
import Storage
import TestSupport
import Testing
import Watching

/// What is asked of agents, without a tool.
struct ControlsTests {
  private let home: Home
  private let store: Store
  private let log: EventJournal
  private let controls: Controls
  private let now = Timestamp(milliseconds: 1_772_013_600_000)

  init() throws {
    home = try Home()
    store = try Store(home.directories)
    log = EventJournal(home.directories)
    controls = Controls(store: store, journal: log)
  }

  private func request(_ id: String, _ requestId: String) -> ControlRequest {
    ControlRequest(
      requestId: requestId, target: .agent, id: id, action: .pause, reason: "because",
      actor: "ann")
  }

  /// Lets the log tell that an agent began.
  private func begin(_ agent: String, endsWith status: String? = nil) throws {
    var run = TraceEvent(
      ts: now.milliseconds, agentId: agent, spanId: "1", name: "invoke_agent")
    run.phase = .start
    try log.append([run], at: now)
    guard let status else { return }
    run.phase = .end
    run.attrs = ["agentpipes.status": .string(status)]
    try log.append([run], at: now)
  }

  private func told() throws -> [ControlOutcome] {
    try log.read(after: nil, limit: 100).entries
      .filter { $0.line.contains(#""type":"control""#) }
      .map { try Control(json: $0.line).outcome }
  }

  @Test func `how an agent stands says what can be asked of it`() throws {
    try begin("gone")
    try begin("done", endsWith: "finished")
    try Watcher(store: store, journal: log).catchUp(at: now)
    #expect(try controls.submit(request("gone", "1"), at: now).outcome == .unreachable)
    #expect(try controls.submit(request("done", "2"), at: now).outcome == .refused)
    #expect { try controls.submit(request("none", "3"), at: now) } throws: {
      ($0 as? Failure)?.code == .notFound
    }
    #expect(try store.audit().map(\.ts) == [now.milliseconds, now.milliseconds, now.milliseconds])
  }

  @Test func `what could not be done is in the log once, and is a failure`() throws {
    try begin("done", endsWith: "finished")
    for isAgain in [false, true] {
      let receipt = try controls.send(
        request("done", "1"), waiting: 0, interruption: Interruption(), at: now,
        prepare: { () throws(Failure) in
          try Watcher(store: store, journal: log).catchUp(at: now)
        })
      #expect(receipt.replayed == isAgain)
      #expect(receipt.failure?.code == .conflict)
      #expect(receipt.failure?.explanation == "agent 'done' cannot pause: it has ended")
    }
    #expect(try told() == [.refused])
  }

  @Test func `what was stored but not logged is logged when it is asked again, once`() throws {
    try begin("done", endsWith: "finished")
    try Watcher(store: store, journal: log).catchUp(at: now)
    // The process ends before it logs the outcome.
    #expect(try controls.submit(request("done", "1"), at: now).outcome == .refused)
    #expect(try told().isEmpty)
    for _ in 1...2 {
      let again = try controls.submit(request("done", "1"), at: now)
      #expect(again.replayed)
      try controls.record(again)
      #expect(try told() == [.refused])
    }
  }

  @Test func `what an agent refused is logged by the agent, also when it is asked again`() throws {
    let lock = try FileLock.ifFree(home.directories.state + "/" + Runner.lock(ofAgent: "a"))
    defer { withExtendedLifetime(lock) {} }
    let runner = Runner(agentId: "a", swarmId: nil, sessionId: "1")
    try store.register([runner])
    #expect(try controls.submit(request("a", "1")).outcome == .accepted)
    #expect(try store.answer("1", of: runner, .refused)?.receipt.outcome == .refused)
    let again = try controls.submit(request("a", "1"))
    #expect(again.replayed && again.outcome == .refused)
    try controls.record(again)
    #expect(try told().isEmpty)
  }

  @Test func `who asks waits for the answer, but not for ever`() throws {
    let lock = try FileLock.ifFree(home.directories.state + "/" + Runner.lock(ofAgent: "a"))
    defer { withExtendedLifetime(lock) {} }
    let runner = Runner(agentId: "a", swarmId: nil, sessionId: "1")
    try store.register([runner])
    let silent = try controls.send(
      request("a", "1"), waiting: 0.05, interruption: Interruption())
    #expect(silent.outcome == .accepted && silent.failure?.code == .notAnswered)
    let post = try ControlPost([runner], store: store) {
      (post, control) in
      _ = try? post.answer(control, .applied)
    }
    defer { post.close() }
    let answered = try controls.send(
      request("a", "2"), waiting: 60, interruption: Interruption())
    #expect(answered.outcome == .applied && answered.failure == nil)
    #expect(try told().isEmpty)
  }

  @Test func `what was not confirmed is in the audit all the same`() throws {
    try Controls.record(
      request("a", "1"), refused: Failure(.userRejected, "no"), in: store)
    let entry = try #require(try store.audit().first)
    #expect(entry.outcome == "UserRejected" && entry.action == "pause" && entry.id == "a")
    #expect(entry.target == .agent)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a change that waits for other writers is of the time at which it is stored`(
    _ engine: RecordEngine
  ) throws {
    let store = try engine.store(in: home)
    _ = try Steering(store: Store(WaitingBase(store.base))).set(
      .contextCapacity, for: nil, to: 0.5, by: .init(id: "r", actor: "ann", reason: nil))
    let entry = try #require(try store.audit().first)
    #expect(abs(store.now.milliseconds - entry.ts) < 3_600_000)
  }
}
