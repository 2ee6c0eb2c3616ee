import Core
import Events
import Storage
import TestSupport
import Testing
import Watching

/// What keeps the standing up to date beside other work.
struct WatchKeeperTests {
  @Test func `who asks after a change is told of it, however seldom the keeper looks`() throws {
    let home = try Home()
    let journal = EventJournal(home.directories)
    let watcher = Watcher(
      store: try Store(home.directories), journal: EventJournal(home.directories))
    let keeper = WatchKeeper(watcher, every: 3_600_000)
    for number in 1...20 {
      let now = Timestamp.now
      try journal.append(
        [
          TraceEvent(
            ts: now.milliseconds, agent: "a\(number)", swarm: "s", session: "run \(number)",
            span: "1", .start, name: "invoke_agent")
        ], at: now)
      keeper.settle(within: 300)
      #expect(try watcher.standing(at: now).agents().count == number)
    }
    // What comes last is taken in at the end.
    let now = Timestamp.now
    try journal.append(
      [
        TraceEvent(
          ts: now.milliseconds, agent: "last", swarm: "s", session: "last", span: "1", .start,
          name: "invoke_agent")
      ], at: now)
    keeper.close()
    #expect(try watcher.standing(at: now).agents().count == 21)
  }
}
