import Core
import Events
import Requests
import Storage
import TestSupport
import Testing

@testable import Watching

/// What agents did over the last minutes.
struct ActivityTests {
  private let home: Home
  private let log: EventJournal
  private let watcher: Watcher
  private let start: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    log = EventJournal(home.directories)
    watcher = Watcher(store: try Store(home.directories), journal: log)
  }

  private func time(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: start + seconds * 1000)
  }

  private func span(_ phase: TraceEvent.Phase, _ attribute: String, after seconds: Int64)
    -> TraceEvent
  {
    TraceEvent(
      ts: time(seconds).milliseconds, agent: "a", span: "r", phase, name: "invoke_agent",
      attrs: [attribute: .int(1000)])
  }

  private func activity(after seconds: Int64) throws -> [Int]? {
    try watcher.catchUp(at: time(seconds))
    return try watcher.standing(at: time(seconds)).activity().ofAgents["a"]
  }

  @Test func `events count in their half minute, heartbeats aside`() throws {
    var log = Log(ts: time(100).milliseconds, agentId: "a", level: .info, message: "x")
    log.count = 3
    try self.log.append(
      [
        span(.start, "agentpipes.heartbeat_ms", after: 0), log,
        span(.progress, "agentpipes.task", after: 599),
        span(.progress, "agentpipes.heartbeat", after: 599),
      ], at: time(599))
    #expect(try activity(after: 599) == [1, 0, 0, 3] + Array(repeating: 0, count: 15) + [1])
    #expect(try activity(after: 640)?.prefix(2) == [0, 3])
    #expect(try activity(after: 3000)?.allSatisfy { $0 == 0 } == true)
  }

  @Test func `what comes late counts where it belongs, or not at all`() {
    var window = ActivityWindow()
    for second in [900_000, 870_000, 330_000, 300_000] as [Int64] { window.add(1, at: second) }
    #expect(window.series(at: 900_000) == [1] + Array(repeating: 0, count: 17) + [1, 1])
  }
}
