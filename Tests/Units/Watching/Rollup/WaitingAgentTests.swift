import Core
import Events
import Storage
import TestSupport
import Testing

@testable import Watching

/// Agents that wait for a person, and what ends the wait.
struct WaitingAgentTests {
  private let home: Home
  private let log: EventJournal
  private let watcher: Watcher
  private let start: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    log = EventJournal(home.directories)
    watcher = Watcher(store: try Store(home.directories), journal: log)
  }

  private func run(
    _ phase: TraceEvent.Phase, _ status: String? = nil, for cause: WaitCause? = nil,
    process: String? = "certain", _ attributes: EventAttributes = [:], at milliseconds: Int64 = 0,
    span: String = "0000000000000001"
  ) -> TraceEvent {
    var attributes = attributes
    attributes[.status] = status.map(JSONValue.string)
    attributes[.waitingFor] = cause.map { .string($0.rawValue) }
    var event = TraceEvent(
      ts: start + milliseconds, agent: "a", span: span, phase, name: "invoke_agent",
      attrs: attributes.named)
    event.head.labels = process.map { ["process": $0] }
    return event
  }

  private func gate(
    _ id: String, _ status: GateStatus, at milliseconds: Int64 = 0
  ) -> ApprovalGate {
    var gate = ApprovalGate(
      ts: start + milliseconds, gateId: id, status: status, summary: "Go on?",
      requestedAt: Timestamp(milliseconds: start))
    gate.agentId = "a"
    return gate
  }

  /// Returns the status after each of the given events.
  private func statuses(
    _ events: [any Event], after seconds: Double = 0
  ) throws -> [AgentStatus] {
    let now = Timestamp(milliseconds: start).adding(seconds: seconds)
    return try events.flatMap { event in
      try log.append([event], at: now)
      try watcher.catchUp(at: now)
      return try watcher.standing(at: now).agents().map(\.status)
    }
  }

  /// Returns the cause of the wait after each of the given events; nil if the agent does not wait.
  private func causes(_ events: [any Event]) throws -> [WaitCause?] {
    let now = Timestamp(milliseconds: start).adding(seconds: 10)
    return try events.flatMap { event in
      try log.append([event], at: now)
      try watcher.catchUp(at: now)
      return try watcher.standing(at: now).agents().map(\.waitingFor)
    }
  }

  @Test(arguments: [true, false])
  func `a gate keeps its agent waiting, before or after the start`(isFirst: Bool) throws {
    // An agent's hook is faster than the process that reads the transcript.
    let (first, gate) = (run(.start), gate("g", .pending, at: 500))
    let events: [any Event] = isFirst ? [gate, first] : [first, gate]
    #expect(try causes(events).last == .permission)
    #expect(try causes([run(.progress, "running")]) == [.permission])
    #expect(try statuses([self.gate("g", .approved)], after: 10) == [.running])
    #expect(try causes([run(.progress, "running")]) == [nil])
  }

  @Test func `a gate that was opened between two runs belongs to the later one`() throws {
    _ = try statuses(
      [run(.start), gate("old", .pending), run(.end, "terminated", at: 1000)], after: 10)
    let second = run(.start, at: 3000, span: "0000000000000002")
    let asked = gate("new", .pending, at: 4000)
    #expect(try statuses([second], after: 10) == [.running])
    #expect(try causes([asked]) == [.permission])
    let third = run(.start, at: 3500, span: "0000000000000003")
    #expect(try causes([run(.end, "finished", at: 3400, span: "2"), third]).last == .permission)
  }

  @Test func `an agent waits until its last gate is decided`() throws {
    #expect(
      try causes([
        run(.start), gate("g", .pending), gate("h", .pending), gate("g", .approved),
        gate("h", .rejected),
      ]) == [nil, .permission, .permission, .permission, nil])
    #expect(
      try statuses(
        [
          gate("i", .pending), run(.progress, "paused"), run(.progress, "running"),
          gate("i", .expired),
        ], after: 10) == [.waiting, .paused, .waiting, .running])
  }

  @Test func `an agent of which only gates are known waits at each of them`() throws {
    let hour = Timestamp(milliseconds: start + 3_600_000)
    for id in ["g", "h"] {
      #expect(try statuses([gate(id, .pending)]) == [.waiting])
      #expect(try watcher.standing(at: hour).agents().map(\.waitingFor) == [.permission])
      #expect(try watcher.standing(at: hour).overview().activeSessions.map(\.id) == ["a"])
      #expect(try statuses([gate(id, .approved)]) == [.finished])
    }
  }

  @Test func `what an agent waits for is told by gates, registries and limits`() throws {
    let limit: EventAttributes = [.waitingUntil: .string("2026-02-25T12:00:00.000Z")]
    #expect(
      try causes([
        run(.start), run(.progress, "waiting", for: .prompt),
        run(.progress, "waiting", for: .question), gate("g", .pending),
        run(.progress, "waiting", for: .prompt), gate("g", .expired),
        run(.progress, "waiting", limit), run(.progress, "running"),
        run(.progress, "waiting"),
      ]) == [
        nil, .prompt, .question, .permission, .permission, .prompt, .limit, nil, nil,
      ])
    let named = run(.progress, "running", [.sessionName: .string("shop-59")])
    #expect(try statuses([named], after: 10) == [.running])
    #expect(try watcher.standing().agents().map(\.name) == ["shop-59"])
  }

  @Test func `states of earlier versions are read`() throws {
    let text =
      #"{"errors":0,"events":1,"heardAt":1,"id":"w","openGates":["g"],"status":"waiting","workedAt":1}"#
    let agent = try #require(WatchedAgent(text: text))
    #expect(agent.record(at: 1).waitingFor == .permission)
  }

  @Test func `a start that is reported again ends no wait`() throws {
    #expect(
      try statuses([run(.start), gate("1", .pending), run(.start)])
        == [.running, .waiting, .waiting])
  }

  @Test func `a registry ends the wait that it told, and that of no open gate`() throws {
    #expect(
      try statuses([run(.start), run(.progress, "waiting"), run(.progress, "running")])
        == [.running, .waiting, .running])
    #expect(
      try statuses([
        gate("g", .pending), gate("h", .pending), run(.progress, "running"),
        run(.progress, "waiting"), run(.progress, "running"),
      ]) == [.waiting, .waiting, .waiting, .waiting, .waiting])
    #expect(
      try statuses([gate("g", .approved), run(.progress, "waiting"), run(.progress, "running")])
        == [.waiting, .waiting, .waiting])
    #expect(
      try statuses([gate("h", .rejected), run(.progress, "waiting"), run(.progress, "running")])
        == [.running, .waiting, .running])
  }

  @Test func `a heartbeat may announce the interval that the start did not`() throws {
    let beat = run(
      .progress, "running", [.heartbeat: .bool(true), .heartbeatMilliseconds: .int(1000)])
    #expect(try statuses([run(.start), run(.progress, "running")]) == [.running, .running])
    let later = Timestamp(milliseconds: start + 60_000)
    #expect(try watcher.standing(at: later).agents().map(\.status) == [.running])
    #expect(try statuses([beat]) == [.running])
    #expect(try watcher.standing(at: later).agents().map(\.status) == [.lost])
  }

  @Test func `the output of a run ends no wait for a gate`() throws {
    let told = run(.progress, "running", process: nil)
    let beat = run(.progress, "running", [.heartbeat: .bool(true)])
    #expect(
      try statuses([run(.start, process: nil), gate("g", .pending), told, beat])
        == [.running, .waiting, .waiting, .waiting])
    #expect(try statuses([gate("g", .approved)]) == [.running])
  }
}
