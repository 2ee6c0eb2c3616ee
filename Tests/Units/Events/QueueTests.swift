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

  private func withQueue(_ body: (EventQueue, Directories) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "queue-" + Identifier.make()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let directories = Directories(environment: ["AGENTPIPES_HOME": path])
    let queue = EventQueue(EventJournal(directories)) { count, since in
      var log = Self.log(.warn, "left out since \(since.milliseconds)")
      log.count = count
      return log
    }
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
      queue.end(within: 60)
      let messages = try kept(directories).map(\.message)
      #expect(messages.count == 2000)
      for thread in 0..<4 {
        #expect(
          messages.filter { $0.hasPrefix("\(thread) ") } == (0..<500).map { "\(thread) \($0)" })
      }
    }
  }

  @Test func `a flood loses the oldest below a warning, and counts them`() throws {
    try withQueue { queue, directories in
      // All at once, so that the other thread takes none in between.
      let flood = (0..<100_000).map { number in
        Self.log(number.isMultiple(of: 1000) ? .error : .info, "\(number)")
      }
      queue.add(flood)
      queue.end(within: 60)
      let logs = try kept(directories)
      let told = logs.filter { $0.level == .warn }
      #expect(told.count == 1)
      let rest = logs.filter { $0.level != .warn }
      #expect(rest.count + (told.first?.count ?? 0) == 100_000)
      #expect(rest.filter { $0.level == .error }.count == 100)
      #expect(rest.last?.message == "99999")
      #expect(rest.count == EventQueue.capacity.events)
    }
  }

  @Test func `errors are kept, however many`() throws {
    try withQueue { queue, directories in
      queue.add((0..<30_000).map { Self.log(.error, "\($0)") })
      queue.end(within: 60)
      let count = try kept(directories).count
      #expect(count == 30_000)
    }
  }

  @Test func `what was taken is there after a flush`() throws {
    try withQueue { queue, directories in
      for number in 1...3 {
        queue.add([Self.log(.info, "\(number)")])
        #expect(queue.flush(within: 60))
        let count = try kept(directories).count
        #expect(count == number)
      }
      queue.end(within: 60)
    }
  }

  @Test func `a log that cannot be opened holds up nobody`() throws {
    try withQueue { queue, directories in
      try FileManager.default.createDirectory(
        atPath: EventLog.path(directories), withIntermediateDirectories: true)
      queue.add([Self.log(.error, "lost")])
      #expect(queue.flush(within: 60))
      queue.end(within: 60)
    }
  }
}
