import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Events

struct EventLogTests {
  private func logs(_ numbers: Range<Int>) -> [any Event] {
    numbers.map { Log(ts: Int64($0), agentId: "a", level: .info, message: "\($0)") }
  }

  private func messages(_ batch: EventBatch) throws -> [String] {
    try batch.entries.map { try Log(json: $0.line).message }
  }

  @Test func `a log of a newer schema is refused`() throws {
    let home = try Home()
    _ = try EventLog(home.directories)
    try DatabaseQueue(path: home.directories.data + "/events.db").write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 of tomorrow')")
    }
    #expect {
      try EventLog(home.directories)
    } throws: {
      ($0 as? Failure)?.kind == "newerSchema"
    }
  }

  @Test func `ids rise, and reading resumes after any of them`() throws {
    let home = try Home()
    let log = try EventLog(home.directories)
    #expect(try log.ends() == nil)
    #expect(try log.read(after: nil, limit: 9).last == nil)
    let ids = try log.append(logs(0..<5)) + EventLog(home.directories).append(logs(5..<9))
    #expect(Set(ids).count == 9)
    let all = try log.read(after: nil, limit: 100)
    #expect(try all.entries.map { try Log(json: $0.line).id } == ids)
    #expect(try messages(all) == (0..<9).map(String.init))
    #expect(
      all.entries[3].line
        == #"{"agentId":"a","id":"\#(ids[3])","level":"info","message":"3","ts":3,"type":"log"}"#)
    for (index, id) in ids.enumerated() {
      let rest = try log.read(after: id, limit: 100)
      #expect(try messages(rest) == ((index + 1)..<9).map(String.init))
      #expect(rest.gap == nil)
      #expect(rest.last == (index == 8 ? nil : ids[8]))
    }
    #expect(try messages(log.read(after: ids[2], limit: 2)) == ["3", "4"])
    let ends = try #require(try log.ends())
    #expect(ends.oldest == ids.first && ends.newest == ids.last)
  }

  @Test func `lines of other versions are read with the ids that the log has for them`() throws {
    let home = try Home()
    let log = try EventLog(home.directories)
    let ids = try log.append(logs(0..<3))
    let lines = [
      #"{"agentId":"a","id":"\#(ids[0])","level":"info","message":"0","ts":0,"type":"log"}"#,
      #"{"agentId":"a","id":"another-1","level":"info","message":"1","ts":1,"type":"log"}"#,
    ]
    try DatabaseQueue(path: EventLog.path(home.directories)).write { database in
      let stored = try String.fetchAll(database, sql: "SELECT record FROM event")
      #expect(stored.allSatisfy { !$0.contains("\"id\"") })
      for (index, line) in lines.enumerated() {
        try database.execute(
          sql: "UPDATE event SET record = ? WHERE record LIKE ?",
          arguments: [line, "%\"message\":\"\(index)\"%"])
      }
    }
    let read = try log.read(after: nil, limit: 10).entries
    #expect(read.map(\.id) == ids)
    #expect(read.first?.line == lines[0])
    #expect(try read.map { try Log(json: $0.line).id } == ids)
    #expect(try log.last(2, ofAgent: "a").map(\.id) == Array(ids.dropFirst()))
  }

  @Test func `an id of another log is a gap, and all of this one is read`() throws {
    let home = try Home()
    let other = try Home()
    let log = try EventLog(home.directories)
    let id = try #require(try log.append(logs(0..<1)).first)
    let foreign = try #require(try EventLog(other.directories).append(logs(0..<1)).first)
    #expect(foreign != id)
    for bad in [foreign, "", "-", "1", id + "x", id + "-1", "zzzz-1", String(id.dropFirst())] {
      let batch = try log.read(after: bad, limit: 1)
      #expect(batch.gap?.reason == .epoch && batch.gap?.from == bad && batch.gap?.to == id)
      #expect(try messages(batch) == ["0"])
    }
  }

  @Test func `an event that cannot be written takes the others of its batch with it`() throws {
    let home = try Home()
    let log = try EventLog(home.directories)
    let bad = TraceEvent(ts: 1, agentId: "a", spanId: "s", name: "n", attrs: ["x": .double(.nan)])
    #expect(throws: Failure.self) { try log.append(logs(0..<2) + [bad]) }
    #expect(try log.read(after: nil, limit: 10).entries.isEmpty)
    // The next batch takes the ids of the one that failed: a sequence has no holes.
    #expect(try log.append(logs(0..<1)).first?.hasSuffix("-1") == true)
  }

  @Test func `the oldest events go when the ring is full`() throws {
    let home = try Home()
    var bounds = EventBounds()
    bounds.count = 100
    let log = try EventLog(home.directories, bounds: bounds)
    let ids = try log.append(logs(0..<60)) + log.append(logs(60..<130))
    #expect(try messages(log.read(after: nil, limit: 1000)) == (30..<130).map(String.init))
    #expect(try log.ends()?.oldest == ids[30])
    // Resuming after an event that is gone says so, and goes on with the oldest that is kept.
    let batch = try log.read(after: ids[3], limit: 1)
    #expect(try messages(batch) == ["30"])
    #expect(batch.gap?.reason == .retention)
    #expect(batch.gap?.from == ids[3] && batch.gap?.to == ids[30])
    #expect(try log.read(after: ids[29], limit: 1).gap == nil)
  }

  @Test func `a writer wakes who waits for the folder to change`() async throws {
    let home = try Home()
    let log = try EventLog(home.directories)
    let watch = try FileWatch(folder: home.directories.data)
    #expect(try watch.hasChanged(within: 0) == false)
    try log.append(logs(0..<1))
    #expect(try watch.hasChanged(within: 600_000))
    let directories = home.directories
    let waiting = Task.detached {
      let watch = try FileWatch(folder: directories.data)
      while try log.read(after: nil, limit: 9).entries.count < 2 {
        _ = try watch.hasChanged(within: -1)
      }
    }
    try EventLog(directories).append(logs(1..<2))
    try await waiting.value
  }

  @Test func `a change is told again, for a commit that is seen later than it is written`() throws {
    let home = try Home()
    let log = try EventLog(home.directories)
    let watch = try FileWatch(folder: home.directories.data)
    try log.append(logs(0..<1))
    // The change, and five times more; a wait without end would not return otherwise.
    for _ in 0..<6 { #expect(try watch.hasChanged(within: -1)) }
    #expect(try watch.hasChanged(within: 0) == false)
    #expect(try watch.hasChanged(within: 50) == false)
  }
}
