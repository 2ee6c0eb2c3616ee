import Foundation
import Testing

@testable import Core

struct EventLogTests {
  private func deltas(_ numbers: Range<Int>) -> [(record: any StreamRecord, ts: Int64)] {
    numbers.map { (Delta(model: "m", text: "\($0)"), Int64($0)) }
  }

  @Test func `ids rise, and reading resumes after any of them`() throws {
    let home = try Home()
    let log = try EventLog(home.directories)
    #expect(try log.bounds() == nil)
    let ids = try log.append(deltas(0..<5)) + EventLog(home.directories).append(deltas(5..<9))
    #expect(Set(ids).count == 9)
    let all = try #require(try log.read(after: nil, limit: 100))
    #expect(all.map(\.id) == ids)
    let texts = try all.map { try Delta(json: $0.json).text }
    #expect(texts == (0..<9).map(String.init))
    for (index, id) in ids.enumerated() {
      let rest = try #require(try log.read(after: id, limit: 100))
      #expect(rest.map(\.id) == Array(ids[(index + 1)...]))
    }
    #expect(try log.read(after: ids[2], limit: 2)?.map(\.id) == [ids[3], ids[4]])
    let bounds = try #require(try log.bounds())
    #expect(bounds.oldest == ids.first && bounds.newest == ids.last)
  }

  @Test func `an id of another log is recognised`() throws {
    let home = try Home()
    let other = try Home()
    let log = try EventLog(home.directories)
    let id = try #require(try log.append(deltas(0..<1)).first)
    let foreign = try #require(try EventLog(other.directories).append(deltas(0..<1)).first)
    #expect(foreign != id)
    for bad in [foreign, "", "-", "1", id + "x", id + "-1", "zzzz-1", String(id.dropFirst())] {
      #expect(try log.read(after: bad, limit: 1) == nil, "\(bad)")
    }
  }

  @Test func `an event that cannot be written takes the others of its batch with it`() throws {
    let home = try Home()
    let log = try EventLog(home.directories)
    let metric = Pipeline(id: "1", goal: "g", costUSD: .nan)
    #expect(throws: Failure.self) { try log.append(deltas(0..<2) + [(metric, 1)]) }
    #expect(try log.read(after: nil, limit: 10)?.isEmpty == true)
  }

  @Test func `the oldest events go when the ring is full`() throws {
    let home = try Home()
    let log = try EventLog(home.directories, capacity: 100)
    let ids = try log.append(deltas(0..<60)) + log.append(deltas(60..<130))
    let kept = try #require(try log.read(after: nil, limit: 1000))
    #expect(kept.map(\.id) == Array(ids.suffix(100)))
    #expect(try log.bounds()?.oldest == ids[30])
    // Resuming after an event that is gone goes on with the oldest that is kept.
    #expect(try log.read(after: ids[3], limit: 1)?.first?.id == ids[30])
  }
}
