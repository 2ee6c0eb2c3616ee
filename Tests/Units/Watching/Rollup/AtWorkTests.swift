import Core
import Events
import Storage
import TestSupport
import Testing

@testable import Watching

/// Who is at work, and who only was heard of.
struct AtWorkTests {
  private let home: Home
  private let log: EventJournal
  private let watcher: Watcher
  private let start: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    log = EventJournal(home.directories)
    watcher = Watcher(
      store: try Store(home.directories), journal: EventJournal(home.directories))
  }

  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: start + Int64(seconds * 1000))
  }

  private func standing(after seconds: Double) throws -> Standing {
    try watcher.catchUp(at: time(seconds))
    return watcher.standing(at: time(seconds))
  }

  private func say(_ message: String, after seconds: Double) throws {
    let instant = time(seconds)
    let line = Log(ts: instant.milliseconds, agentId: "a", level: .info, message: message)
    try log.append([line], at: instant)
  }

  private func run(_ phase: TraceEvent.Phase, agent: String) -> TraceEvent {
    TraceEvent(ts: start, agent: agent, swarm: "s", span: agent, phase, name: "invoke_agent")
  }

  @Test func `one that never said that it began is at work as long as it was heard of`() throws {
    try say("here", after: 0)
    #expect(try standing(after: 0.001).agents().map(\.status) == [.finished])
    #expect(try standing(after: 0.001).overview().activeSessions.isEmpty)
    try say("here again", after: 200)
    #expect(try standing(after: 400).overview().activeSessions.map(\.status) == [.running])
    #expect(try standing(after: 400.001).agents().map(\.status) == [.finished])
    for second in [401.0, 600] { try say("still here", after: second) }
    #expect(try standing(after: 900).agents().map(\.status) == [.running])
    #expect(try standing(after: 900.001).agents().map(\.status) == [.finished])
    // After a long silence, one line is one line.
    try say("here again", after: 2000)
    #expect(try standing(after: 2000.001).agents().map(\.status) == [.finished])
  }

  @Test func `a swarm counts all its agents in the overview, beside those at work`() throws {
    let events = [run(.start, agent: "a"), run(.start, agent: "b"), run(.end, agent: "b")]
    try log.append(events, at: time(1))
    let swarm = try #require(try standing(after: 1).overview().activeSwarms.first)
    #expect(swarm.agents == 2 && swarm.activeAgents == 1)
  }
}
