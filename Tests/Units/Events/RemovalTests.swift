import Core
import GRDB
import TestSupport
import Testing

@testable import Events

/// How the oldest events of a log go.
struct RemovalTests {
  private let home: Home
  private let start = Timestamp(milliseconds: 1_735_300_000_000)

  init() throws { home = try Home() }

  private func logs(_ numbers: Range<Int>, bytes: Int = 0) -> [any Event] {
    numbers.map { number in
      Log(
        ts: Int64(number), agentId: "a", level: .info,
        message: "\(number)" + String(repeating: "x", count: bytes))
    }
  }

  private func bounds(
    count: Int = 1_000_000, bytes: Int = 1 << 30, seconds: Double = 1e9
  ) -> EventBounds {
    var bounds = EventBounds()
    (bounds.count, bounds.bytes, bounds.seconds) = (count, bytes, seconds)
    return bounds
  }

  private func kept(_ log: EventLog) throws -> [Int] {
    try log.read(after: nil, limit: 1_000_000).entries.map {
      Int(try Log(json: $0.line).message.prefix { $0.isNumber }) ?? -1
    }
  }

  private func usedBytes() throws -> Int {
    try DatabaseQueue(path: EventLog.path(home.directories)).read { database in
      func number(_ name: String) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
      }
      return try (number("page_count") - number("freelist_count")) * number("page_size")
    }
  }

  @Test func `what a hub keeps nobody removes, whatever is usual elsewhere`() throws {
    let hub = try EventLog(home.directories)
    try hub.apply(bounds(count: 100), processedUpTo: nil)
    let other = try EventLog(home.directories, bounds: bounds(count: 10))
    let ids = try other.append(logs(0..<50))
    #expect(try kept(hub) == Array(0..<50))
    try hub.apply(bounds(count: 100), processedUpTo: ids[49])
    try other.append(logs(50..<140))
    #expect(try kept(hub) == Array(40..<140))
    // What was taken in goes; what came later stays, though it is more than a hundred.
    try other.append(logs(140..<200))
    #expect(try kept(hub) == Array(50..<200))
  }

  @Test func `what was taken in is noted, whoever does it`() throws {
    let log = try EventLog(home.directories)
    try log.apply(bounds(count: 10_000, seconds: 3600), processedUpTo: nil)
    let ids = try log.append(logs(0..<2000), at: start)
    let journal = EventJournal(home.directories)
    journal.recordProcessed(upTo: ids[1399], at: start)
    // Few more are not worth a commit, but some time later they are.
    journal.recordProcessed(upTo: ids[1499], at: start)
    try log.append([], at: start.adding(seconds: 7200))
    #expect(try kept(log) == Array(1400..<2000))
    journal.recordProcessed(upTo: ids[1599], at: start.adding(seconds: 600))
    try log.append([], at: start.adding(seconds: 7200))
    #expect(try kept(log) == Array(1600..<2000))
    journal.recordProcessed(upTo: "other-99", at: start.adding(seconds: 1e6))
    try log.append([], at: start.adding(seconds: 7200))
    #expect(try kept(log) == Array(1600..<2000))
  }

  @Test func `what was not taken in goes last, and for want of bytes alone`() throws {
    let log = try EventLog(home.directories)
    let ids = try log.append(logs(0..<60), at: start)
    try log.apply(bounds(count: 10, seconds: 1), processedUpTo: ids[19])
    try log.append([], at: start.adding(seconds: 3600))
    #expect(try kept(log) == Array(20..<60))
    try log.apply(bounds(count: 10, bytes: 1), processedUpTo: ids[19])
    try log.append([], at: start)
    #expect(try kept(log) == [59])
    let batch = try log.read(after: ids[19], limit: 1)
    #expect(batch.gap?.reason == .retention)
    #expect(batch.gap?.from == ids[19] && batch.gap?.to == ids[59])
  }

  @Test func `no commit removes very many events, and in the end all go that are too much`() throws
  {
    let log = try EventLog(home.directories, bounds: bounds())
    try log.append(logs(0..<20_000))
    let small = try EventLog(home.directories, bounds: bounds(count: 10))
    try small.append(logs(20_000..<20_001))
    #expect(try kept(log).count > 15_000)
    var rounds = 0
    while try kept(log).count > 10, rounds < 10 {
      try small.append([EncodedEvent]())
      rounds += 1
    }
    #expect(try kept(log) == Array(19_991..<20_001))
    #expect(rounds == 4)
  }

  @Test func `what is too old goes, some at once`() throws {
    let log = try EventLog(home.directories, bounds: bounds(seconds: 3600))
    for minute in 0..<50 {
      try log.append(
        logs(minute * 100..<(minute + 1) * 100), at: start.adding(seconds: Double(minute) * 60))
    }
    #expect(try kept(log).first == 0)
    try log.append([], at: start.adding(seconds: 3600 + 30 * 60))
    #expect(try kept(log).first == 3000)
    try log.append([], at: start.adding(seconds: 1e6))
    #expect(try kept(log) == [4999])
  }

  @Test func `a log that is full does not grow, however large the new events are`() throws {
    let limit = 4 << 20
    let log = try EventLog(home.directories, bounds: bounds(bytes: limit))
    for round in 0..<30 { try log.append(logs(round * 1000..<(round + 1) * 1000)) }
    #expect(try usedBytes() <= limit + (1 << 20))
    var most = 0
    for round in 0..<20 {
      try log.append(logs(round * 100..<(round + 1) * 100, bytes: 8000))
      most = max(most, try usedBytes())
    }
    #expect(most <= limit + (2 << 20))
    #expect(try kept(log).count > 100)
  }
}
