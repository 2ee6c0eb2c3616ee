import Core
import Events
import Foundation
import Synchronization
import TestSupport
import Testing

/// An engine that keeps events in memory: the journal works with whatever keeps them.
private final class MemoryEngine: EventEngine {
  private let lines = Mutex<[(source: String?, line: String)]>([])
  private let faults: Mutex<[Failure]>
  private let added = DispatchSemaphore(value: 0)

  /// Creates an engine whose next calls fail.
  init(failing faults: [Failure] = []) { self.faults = Mutex(faults) }

  private func failIfDue() throws(Failure) {
    if let fault = faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw fault }
  }

  func append(_ events: [EncodedEvent], at now: Timestamp) throws(Failure) -> [String] {
    try failIfDue()
    return events.map { event in
      let (sequence, isNew) = lines.withLock { lines in
        let known = event.srcId.flatMap { source in lines.firstIndex { $0.source == source } }
        if let known { return (known + 1, false) }
        lines.append((event.srcId, String(decoding: event.line, as: UTF8.self)))
        return (lines.count, true)
      }
      if isNew { added.signal() }
      return "memory-\(sequence)"
    }
  }

  func read(after last: String?, limit: Int) throws(Failure) -> EventBatch {
    try failIfDue()
    let from = last.flatMap { Int($0.dropFirst("memory-".count)) } ?? 0
    let kept = lines.withLock { $0.dropFirst(from).prefix(limit).map(\.line) }
    return EventBatch(
      entries: kept.enumerated().map { index, line in
        EventBatch.Entry(id: "memory-\(from + index + 1)", stored: line, loggedAt: 0)
      },
      last: kept.isEmpty ? nil : "memory-\(from + kept.count)")
  }

  func last(_ count: Int, ofAgent id: String) throws(Failure) -> [EventBatch.Entry] { [] }

  func ends() throws(Failure) -> (oldest: String, newest: String)? {
    let count = lines.withLock { $0.count }
    return count == 0 ? nil : ("memory-1", "memory-\(count)")
  }

  func wakeUp(_ interruption: Interruption) throws(Failure) -> EventWakeUp {
    EventWakeUp { [added] (milliseconds) throws(Failure) in
      added.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success
    }
  }
}

struct JournalTests {
  private func log(_ message: String, srcId: String? = nil) -> Log {
    var log = Log(ts: 1, agentId: "a", level: .info, message: message)
    log.srcId = srcId
    return log
  }

  private func journal(
    _ engine: MemoryEngine, report: @escaping NoticeHandler = { _ in }
  ) -> EventJournal {
    EventJournal(
      EventPlace(holdsLog: { true }, open: { () throws(Failure) in engine }), report: report)
  }

  @Test func `another engine stands behind the journal`() throws {
    let journal = journal(MemoryEngine())
    #expect(try journal.ends() == nil)
    #expect(try journal.append([log("1"), log("2", srcId: "x")]) == ["memory-1", "memory-2"])
    #expect(try journal.append([log("2", srcId: "x"), log("3")]) == ["memory-2", "memory-3"])
    let batch = try journal.read(after: "memory-1", limit: 10)
    #expect(try batch.entries.map { try Log(json: $0.line).message } == ["2", "3"])
    #expect(try batch.entries.map { try Log(json: $0.line).id } == ["memory-2", "memory-3"])
    #expect(batch.last == "memory-3")
    // It removes nothing, so that there is nothing to set.
    try journal.apply(EventBounds(), processedUpTo: nil)
    journal.recordProcessed(upTo: "memory-1")
    #expect(try journal.ends()?.newest == "memory-3")
  }

  @Test func `who waits for more is woken by it`() throws {
    let journal = journal(MemoryEngine())
    let wakeUp = try journal.wakeUp(Interruption())
    #expect(try !wakeUp.mayHaveMore(within: 1))
    Thread.detachNewThread { [journal, event = log("1")] in journal.record([event]) }
    #expect(try wakeUp.mayHaveMore(within: 600_000))
  }

  @Test func `a source reads what another engine keeps`() throws {
    let journal = journal(MemoryEngine())
    try journal.append([log("1"), log("2")])
    let source = try LogSource(journal, follows: false)
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = try bytes.withUnsafeMutableBytes { (buffer) throws(Failure) in
      try source.read(into: buffer)
    }
    #expect(bytes[..<count].count { $0 == 0x0A } == 2)
  }

  @Test func `trouble is told once`() throws {
    let told = Mutex<[Notice]>([])
    let fault = Failure(.storageFailed, "the disk is full")
    let engine = MemoryEngine(failing: [fault, fault])
    let journal = journal(engine) { notice in told.withLock { $0.append(notice) } }
    for number in 1...3 { journal.record([log("\(number)")]) }
    #expect(told.withLock { $0 } == ["cannot store events: the disk is full"])
    #expect(journal.lostCount == 2)
    #expect(try journal.read(after: nil, limit: 10).entries.count == 1)
  }

  @Test func `an event that cannot be written holds up no other`() throws {
    let told = Mutex<[Notice]>([])
    let journal = journal(MemoryEngine()) { notice in told.withLock { $0.append(notice) } }
    let bad = TraceEvent(ts: 1, agentId: "a", spanId: "s", name: "n", attrs: ["x": .double(.nan)])
    journal.record([log("1"), bad, log("2")])
    #expect(told.withLock { $0.count } == 1)
    #expect(try journal.read(after: nil, limit: 10).entries.count == 2)
  }

  @Test func `a log that became another one is tried once more`() throws {
    let fault = Failure(.storageFailed, "it is another one", kind: "corrupt")
    #expect(try journal(MemoryEngine(failing: [fault])).append([log("1")]) == ["memory-1"])
    #expect(throws: Failure.self) {
      try journal(MemoryEngine(failing: [fault, fault])).append([log("1")])
    }
  }

  @Test func `a log that is not there is not made by reading`() throws {
    let place = EventPlace(
      holdsLog: { false },
      open: { () throws(Failure) in throw Failure(.storageFailed, "it was opened") })
    #expect(try EventJournal(place).readExisting(after: nil, limit: 1) == nil)
  }
}

struct WordsTests {
  @Test func `no name is read as that of two attributes`() {
    let names = EventAttribute.allCases.flatMap(\.names)
    #expect(Set(names).count == names.count)
  }

  @Test func `what a span is told with is what each event of it tells, unless it says otherwise`() {
    var span = EventSpan(
      .executeTool, agentId: "a", spanId: "s",
      attributes: [.toolName: .string("Bash"), .status: .string("running")])
    span.parentSpanId = "p"
    let event = span.event(.end, [.status: .string("failed")], at: Timestamp(milliseconds: 5))
    #expect(event.name == "execute_tool")
    #expect(event.ts == 5)
    #expect(event.parentSpanId == "p")
    #expect(
      event.attrs == [
        "gen_ai.operation.name": .string("execute_tool"), "gen_ai.tool.name": .string("Bash"),
        "agentpipes.status": .string("failed"),
      ])
  }

  @Test func `ids of spans have the digits that they need`() {
    let id = "0193b3c4-0000-7000-8000-00000000000a"
    #expect(EventSpan.traceId(of: id) == "0193b3c400007000800000000000000a")
    #expect(EventSpan.spanId(of: id) == "800000000000000a")
    #expect(EventSpan.traceId(of: "plan 7").count == 32)
    #expect(EventSpan.newId().count == 16)
    #expect(EventSpan.newTraceId().count == 32)
  }
}
