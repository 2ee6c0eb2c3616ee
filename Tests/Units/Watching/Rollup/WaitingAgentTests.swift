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
    _ phase: TraceEvent.Phase, _ status: String? = nil, process: String? = "certain",
    _ attributes: EventAttributes = [:]
  ) -> TraceEvent {
    var attributes = attributes
    attributes[.status] = status.map(JSONValue.string)
    var event = TraceEvent(
      ts: start, agent: "a", span: "0000000000000001", phase, name: "invoke_agent",
      attrs: attributes.named)
    event.head.labels = process.map { ["process": $0] }
    return event
  }

  private func gate(_ id: String, _ status: GateStatus) -> ApprovalGate {
    var gate = ApprovalGate(
      ts: start, gateId: id, status: status, summary: "Go on?",
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
        == [.running, .waiting, .waiting])
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
