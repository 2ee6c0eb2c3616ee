import Core
import Events
import Storage
import TestSupport
import Testing

@testable import Watching

/// The machines of agents and swarms.
struct HostTests {
  private let home: Home
  private let store: Store
  private let log: EventJournal
  private let start = Timestamp(milliseconds: 1_772_013_600_000)

  init() throws {
    home = try Home()
    store = try Store(home.directories)
    log = EventJournal(home.directories)
  }

  private func said(_ agent: String, in swarm: String, on host: String?) -> Log {
    var log = Log(ts: start.milliseconds, agentId: agent, level: .info, message: "x")
    (log.swarmId, log.host) = (swarm, host)
    return log
  }

  /// The machines of the agents, then those of the swarms.
  private func hosts(after events: [any Event]) throws -> [String?] {
    try log.append(events, at: start)
    let watcher = Watcher(store: store, journal: EventJournal(home.directories))
    try watcher.catchUp(at: start)
    let standing = watcher.standing(at: start)
    return try standing.agents().map(\.host) + standing.swarms().map(\.host)
  }

  @Test func `agents and swarms are where their last events came from`() throws {
    let first = [said("a", in: "s", on: "laptop"), said("b", in: "t", on: nil)]
    #expect(try hosts(after: first) == ["laptop", nil, "laptop", nil])
    // A control is the hub's own event. A name that no sender has is none.
    var control = Control(
      ts: start.milliseconds, requestId: "r", target: .agent, action: .pause, reason: "wait",
      actor: "ann", outcome: .applied)
    (control.agentId, control.swarmId) = ("a", "s")
    let strange = said("b", in: "t", on: "\u{1b}[2J")
    #expect(try hosts(after: [control, strange]) == ["laptop", nil, "laptop", nil])
    let moved = [said("a", in: "s", on: "box"), said("b", in: "t", on: "laptop")]
    #expect(try hosts(after: moved) == ["box", "laptop", "box", "laptop"])
    #expect(try hosts(after: [said("a", in: "s", on: nil)]) == [nil, "laptop", nil, "laptop"])
  }
}
