import Core
import Foundation
import Synchronization
import Testing

@testable import Events

@Suite("the queue of events")
struct QueueTests {
  private static func log(_ level: Log.Level, _ message: String) -> Log {
    Log(ts: 1, agentId: "a", level: level, message: message)
  }

  private static func loss(_ count: Int, _ since: Timestamp, _ isFull: Bool) -> any Event {
    var log = log(.warn, isFull ? "full since \(since.milliseconds)" : "too fast")
    log.count = count
    return log
  }

  /// Takes so many bytes, then events that matter up to twice as many.
  private final class Spool: EventSink {
    private let lines = Mutex<[EncodedEvent]>([])
    private let limit: Mutex<Int>
    let report: NoticeHandler = { _ in }

    init(limit: Int) { self.limit = Mutex(limit) }

    var logs: [Log] {
      lines.withLock { $0.compactMap { try? Log(json: String(decoding: $0.line, as: UTF8.self)) } }
    }
    var hasRoom: Bool { limit.withLock { $0 > 0 } }

    func grow(by bytes: Int) { limit.withLock { $0 += bytes } }

    func record(_ events: [EncodedEvent]) -> Int {
      limit.withLock { limit in
        events.count { event in
          guard !event.isMinor || event.line.count <= limit else { return true }
          limit -= event.line.count
          lines.withLock { $0.append(event) }
          return false
        }
      }
    }

    func settle(within seconds: Double) -> Bool { true }
    func end(within seconds: Double) {}
  }

  private func withQueue(_ body: (EventQueue, Directories) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "queue-" + Identifier.make()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let directories = Directories(environment: ["AGENTPIPES_HOME": path])
    let queue = EventQueue(EventJournal(directories), loss: Self.loss)
    try body(queue, directories)
  }

  private func kept(_ directories: Directories) throws -> [Log] {
    try EventLog(directories).read(after: nil, limit: 1_000_000).entries.map {
      try Log(json: $0.line)
    }
  }

  @Test func `events of many threads are all written, each thread's in order`() throws {
    try withQueue { queue, directories in
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for number in 0..<500 { queue.add([Self.log(.info, "\(thread) \(number)")]) }
      }
      queue.end(within: 600)
      let messages = try kept(directories).map(\.message)
      #expect(messages.count == 2000)
      for thread in 0..<4 {
        #expect(
          messages.filter { $0.hasPrefix("\(thread) ") } == (0..<500).map { "\(thread) \($0)" })
      }
    }
  }

  @Test func `it is full when its reader has to wait, and loses nothing all the same`() throws {
    try withQueue { queue, directories in
      // All at once, so that the other thread takes none in between.
      let count = 3 * EventQueue.capacity.events
      queue.add((0..<count).map { Self.log(.info, "\($0)") })
      #expect(queue.isFull)
      #expect(queue.flush(within: 600))
      #expect(!queue.isFull)
      queue.countDropped(7, at: .now)
      queue.end(within: 600)
      let logs = try kept(directories)
      #expect(logs.prefix(count).map(\.message) == (0..<count).map { "\($0)" })
      #expect(logs.dropFirst(count).map(\.message) == ["too fast"])
      #expect(logs.last?.count == 7)
    }
  }

  @Test func `what a spool has no room for is counted, and told before what comes later`() {
    let spool = Spool(limit: 2000)
    let queue = EventQueue(spool, loss: Self.loss)
    queue.add((0..<100).map { Self.log(.info, "\($0)") } + [Self.log(.error, "bad")])
    #expect(queue.flush(within: 600))
    #expect(spool.logs.contains { $0.message == "bad" })
    spool.grow(by: 100_000)
    queue.add([Self.log(.info, "last")])
    queue.end(within: 600)
    let logs = spool.logs
    #expect(logs.last?.message == "last")
    let lost = logs.filter { $0.message == "full since 1" }.reduce(0) { $0 + ($1.count ?? 0) }
    #expect(lost > 0 && lost + logs.count { Int($0.message) != nil } == 100)
  }

  @Test func `errors are kept, however many`() throws {
    try withQueue { queue, directories in
      queue.add((0..<30_000).map { Self.log(.error, "\($0)") })
      queue.end(within: 600)
      let count = try kept(directories).count
      #expect(count == 30_000)
    }
  }

  @Test func `what was taken is there after a flush`() throws {
    try withQueue { queue, directories in
      for number in 1...3 {
        queue.add([Self.log(.info, "\(number)")])
        #expect(queue.flush(within: 600))
        let count = try kept(directories).count
        #expect(count == number)
      }
      queue.end(within: 600)
    }
  }

  @Test func `a log that cannot be opened holds up nobody`() throws {
    try withQueue { queue, directories in
      try FileManager.default.createDirectory(
        atPath: EventLog.path(directories), withIntermediateDirectories: true)
      queue.add([Self.log(.error, "lost")])
      #expect(queue.flush(within: 600))
      queue.end(within: 600)
    }
  }
}
