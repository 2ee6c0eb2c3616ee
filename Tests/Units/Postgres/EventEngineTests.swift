import Core
import Events
import Foundation
import Synchronization
import TestSupport
import Testing

/// The behaviour that all engines of events share.
@Suite("engines of events")
struct EventEngineTests {
  private func logs(_ numbers: Range<Int>, by writer: String = "a") -> [any Event] {
    numbers.map { Log(ts: Int64($0), agentId: writer, level: .info, message: "\($0)") }
  }

  private func event(_ message: String, source: String) throws -> EncodedEvent {
    try EncodedEvent(Log(ts: 1, agentId: "a", level: .info, message: message))
      .with(srcId: source)
  }

  private func messages(_ entries: [EventBatch.Entry]) throws -> [String] {
    try entries.map { try Log(json: $0.line).message }
  }

  private func kept(_ log: LogEngine.Log) throws -> [Int] {
    try messages(log.read(after: nil, limit: 1000).entries).compactMap { Int($0) }
  }

  private func bounds(
    count: Int = 1_000_000, bytes: Int = 1 << 40, seconds: Double = 1e9
  ) -> EventBounds {
    var bounds = EventBounds()
    (bounds.count, bounds.bytes, bounds.seconds) = (count, bytes, seconds)
    return bounds
  }

  @Test(arguments: LogEngine.allCases)
  func `ids rise without holes, and reading resumes after any of them`(_ engine: LogEngine) throws {
    let home = try Home()
    let log = try engine.open(in: home)
    #expect(try log.ends() == nil)
    #expect(try log.read(after: nil, limit: 9).last == nil)
    #expect(try log.append([EncodedEvent](), at: .now) == [])
    let ids =
      try log.append(logs(0..<9)) + engine.open(in: home).append(logs(9..<10))
      + log.append(logs(10..<12))
    #expect(ids.map { EventPosition($0)?.sequence } == (1...12).map(Int64.init))
    #expect(Set(ids.map { EventPosition($0)?.epoch }).count == 1)
    let all = try log.read(after: nil, limit: 100)
    #expect(all.entries.map(\.id) == ids && all.gap == nil)
    #expect(try messages(all.entries) == (0..<12).map(String.init))
    #expect(
      all.entries[3].line
        == #"{"agentId":"a","id":"\#(ids[3])","level":"info","message":"3","ts":3,"type":"log"}"#)
    for entry in all.entries {
      #expect(abs(entry.loggedAt - Timestamp.now.milliseconds) < 3_600_000)
    }
    for (index, id) in ids.enumerated() {
      let rest = try log.read(after: id, limit: 100)
      #expect(rest.entries.map(\.id) == Array(ids[(index + 1)...]))
      #expect(rest.gap == nil && rest.last == (index == 11 ? nil : ids[11]))
    }
    #expect(try messages(log.read(after: ids[2], limit: 2).entries) == ["3", "4"])
    let ends = try #require(try log.ends())
    #expect(ends.oldest == ids.first && ends.newest == ids.last)
  }

  @Test(arguments: LogEngine.allCases)
  func `an id of another log is a gap, and all of this one is read`(_ engine: LogEngine) throws {
    let home = try Home()
    let log = try engine.open(in: home)
    let empty = try log.read(after: "0123456789abcdef-7", limit: 1)
    #expect(empty.gap?.reason == .epoch && empty.gap?.to == nil && empty.last == nil)
    let id = try #require(try log.append(logs(0..<1)).first)
    let sound = String(id.dropLast("1".count))
    for bad in [
      "0123456789abcdef-1", "", "-", "1", id + "x", id + "-1", "zzzz-1", String(id.dropFirst()),
      "é\u{0}'-1", sound, sound + "-1", sound + "+1", sound + "99999999999999999999",
    ] {
      let batch = try log.read(after: bad, limit: 1)
      #expect(batch.gap?.reason == .epoch && batch.gap?.from == bad && batch.gap?.to == id)
      #expect(try messages(batch.entries) == ["0"])
    }
  }

  @Test(arguments: LogEngine.allCases)
  func `an id that is not there yet is a gap that ends with the newest event`(
    _ engine: LogEngine
  ) throws {
    let log = try engine.open(in: Home())
    let id = try #require(try log.append(logs(0..<1)).first)
    let later = String(id.dropLast("1".count)) + "5"
    let batch = try log.read(after: later, limit: 10)
    #expect(batch.entries.isEmpty && batch.last == id)
    #expect(batch.gap?.reason == .epoch && batch.gap?.from == later && batch.gap?.to == id)
  }

  @Test(arguments: LogEngine.allCases)
  func `a repeated event is skipped, and has the id of the stored one`(_ engine: LogEngine) throws {
    let home = try Home()
    let log = try engine.open(in: home)
    // The last two are equal as texts, but not as bytes.
    let sources = [
      "s", "", " ", "a\"b\\c", "line\nline\t\u{1}", "{a,b}", "NULL", "nul\u{0}nul", "🦊",
      String(repeating: "x", count: 10_000), "\u{E9}", "e\u{301}",
    ]
    let first = try sources.map { try event("first", source: $0) }
    let ids = try log.append(first, at: .now)
    #expect(Set(ids).count == sources.count)
    for other in [log, try engine.open(in: home)] {
      let again = try sources.map { try event("again", source: $0) }
      #expect(try other.append(again, at: .now) == ids)
      #expect(try other.append([again[3]], at: .now) == [ids[3]])
    }
    let mixed = try log.append(
      [event("new", source: "t"), event("again", source: "s"), event("again", source: "t")],
      at: .now)
    #expect(mixed == [mixed[0], ids[0], mixed[0]])
    #expect(EventPosition(mixed[0])?.sequence == Int64(sources.count + 1))
    let stored = try log.read(after: nil, limit: 100).entries
    #expect(stored.map(\.stored).count { $0.contains("again") } == 0)
    #expect(stored.count == sources.count + 1)
    #expect(try Log(json: stored[7].line).head.srcId == "nul\u{0}nul")
  }

  @Test(arguments: LogEngine.allCases)
  func `an event that cannot be stored takes the others of its batch with it`(
    _ engine: LogEngine
  ) throws {
    let home = try Home()
    let log = try engine.open(in: home)
    try engine.refuseSome(in: home)
    for count in [1, 20] {
      let bad = Log(ts: 1, agentId: "a", level: .info, message: "refused")
      #expect(throws: Failure.self) { try log.append(logs(0..<count) + [bad]) }
      #expect(try log.read(after: nil, limit: 10).entries.isEmpty)
    }
    // The next batch uses the ids of the one that failed.
    #expect(EventPosition(try log.append(logs(0..<1))[0])?.sequence == 1)
  }

  @Test(arguments: LogEngine.allCases)
  func `the last events of an agent are found`(_ engine: LogEngine) throws {
    let home = try Home()
    try engine.usePartitions(in: home)
    let log = try engine.open(in: home)
    let long = String(repeating: "b", count: 5000)
    for index in 0..<30 { try log.append(logs(index..<index + 1, by: index % 3 == 0 ? long : "a")) }
    #expect(try messages(log.last(3, ofAgent: long)) == ["21", "24", "27"])
    #expect(try log.last(100, ofAgent: "a").count == 20)
    #expect(try log.last(3, ofAgent: "c").isEmpty)
    #expect(try log.last(0, ofAgent: "a").isEmpty)
  }

  @Test(arguments: LogEngine.allCases)
  func `events beyond the count are deleted, and a reader of them sees a gap`(
    _ engine: LogEngine
  ) throws {
    let home = try Home()
    try engine.usePartitions(in: home)
    let log = try engine.open(in: home)
    let ids = try log.append(logs(0..<35)) + log.append(logs(35..<60))
    try log.apply(bounds(count: 20), processedUpTo: ids.last)
    #expect(try log.append([EncodedEvent](), at: .now) == [])
    #expect(try kept(log) == Array(40..<60))
    let ends = try #require(try log.ends())
    #expect(ends.oldest == ids[40] && ends.newest == ids[59])
    let batch = try log.read(after: ids[3], limit: 1)
    #expect(batch.gap?.reason == .retention && batch.last == ids[40])
    #expect(batch.gap?.from == ids[3] && batch.gap?.to == ids[40])
    #expect(try log.read(after: ids[39], limit: 1).gap == nil)
    #expect(try log.last(100, ofAgent: "a").map(\.id) == Array(ids[40...]))
  }

  @Test(arguments: LogEngine.allCases)
  func `events that were not processed are deleted last, and for lack of bytes alone`(
    _ engine: LogEngine
  ) throws {
    let home = try Home()
    try engine.usePartitions(in: home)
    let log = try engine.open(in: home)
    let ids = try log.append(logs(0..<60))
    for processed in [nil, "", "0123456789abcdef-60"] {
      try log.apply(bounds(count: 10), processedUpTo: processed)
      #expect(try log.append([EncodedEvent](), at: .now) == [])
      #expect(try kept(log).count == 60)
    }
    try log.apply(bounds(count: 10), processedUpTo: ids[19])
    #expect(try log.append([EncodedEvent](), at: .now) == [])
    #expect(try kept(log) == Array(20..<60))
    try log.recordProcessed(upTo: "0123456789abcdef-60", at: .now)
    try log.recordProcessed(upTo: "x", at: .now)
    try log.recordProcessed(upTo: ids[39], at: .now)
    try log.recordProcessed(upTo: ids[29], at: .now)
    let other = try engine.open(in: home)
    #expect(try other.append([EncodedEvent](), at: .now) == [])
    #expect(try kept(log) == Array(40..<60))
    try log.apply(bounds(bytes: 1), processedUpTo: nil)
    #expect(try log.append([EncodedEvent](), at: .now) == [])
    // The newest event remains, in PostgreSQL with its partition.
    #expect(try kept(log) == (engine == .sqlite ? [59] : Array(50..<60)))
  }

  @Test(arguments: LogEngine.allCases)
  func `an append wakes readers of other connections`(_ engine: LogEngine) throws {
    let home = try Home()
    let log = try engine.open(in: home)
    let other = try engine.open(in: home)
    let wakeUps = try [log.wakeUp(Interruption()), log.wakeUp(Interruption())]
    for wakeUp in wakeUps { #expect(try !wakeUp.mayHaveMore(within: 50)) }
    for number in 0..<3 {
      try other.append(logs(number..<number + 1))
      for wakeUp in wakeUps { #expect(try wakeUp.mayHaveMore(within: 600_000)) }
    }
    let interruption = Interruption()
    let wakeUp = try log.wakeUp(interruption)
    interruption.fire(signal: SIGTERM)
    #expect(throws: Failure.self) { try wakeUp.mayHaveMore(within: 600_000) }
  }

  @Test(arguments: LogEngine.allCases)
  func `a reader sees each event of two writers once and in order`(_ engine: LogEngine) throws {
    let home = try Home()
    try engine.usePartitions(in: home)
    let (rounds, size) = (40, 7)
    let logs = try (0..<3).map { _ in try engine.open(in: home) }
    let returned = Mutex<[[String]]>([])
    let read = Mutex<[EventBatch.Entry]>([])
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 3) { number in
      do {
        if number == 2 {
          let wakeUp = try logs[2].wakeUp(Interruption())
          var last: String?
          while read.withLock({ $0.count }) < 2 * rounds * size {
            let batch = try logs[2].read(after: last, limit: 11)
            if let gap = batch.gap { throw Failure(.conflict, "a gap: \(gap)") }
            read.withLock { $0 += batch.entries }
            last = batch.last ?? last
            if batch.last == nil, try !wakeUp.mayHaveMore(within: 600_000) {
              throw Failure(.conflict, "no more events")
            }
          }
          return
        }
        for round in 0..<rounds {
          let count = round % 2 == 0 ? 1 : 2 * size - 1
          let ids = try logs[number].append(
            (0..<count).map { _ in
              Log(ts: Int64(round), agentId: "\(number)", level: .info, message: "m")
            })
          returned.withLock { $0.append(ids) }
        }
      } catch {
        failures.withLock { $0.append("\(number): \(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let entries = read.withLock { $0 }
    let sequences = entries.map { EventPosition($0.id)?.sequence }
    #expect(sequences == (1...2 * rounds * size).map(Int64.init))
    for ids in returned.withLock({ $0 }) {
      let numbers = ids.compactMap { EventPosition($0)?.sequence }
      #expect(numbers == ids.indices.map { (numbers.first ?? 0) + Int64($0) })
    }
    #expect(Set(returned.withLock { $0 }.joined()) == Set(entries.map(\.id)))
    for number in 0..<2 {
      let rounds = try entries.map { try Log(json: $0.line) }.filter { $0.agentId == "\(number)" }
        .map(\.head.ts)
      #expect(rounds == rounds.sorted())
    }
  }
}
