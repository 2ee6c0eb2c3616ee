import Core
import Events
import Foundation
import Storage
import Watching

/// Times the event log and the watching of it, in the folder of AGENTPIPES_HOME.
///
/// usage: event-log-bench COUNT
///        event-log-bench pace COUNT RATE
///        event-log-bench agents COUNT WORKING
/// Prints a name and a number a line: events a second. With `pace`, appends so many events a second,
/// each with the microsecond it was appended at as its message. With `agents`, lets so many agents
/// begin, call a model and a tool, and all but some of them end.
@main
struct EventLogBench {
  static func main() throws {
    let arguments = OwnArguments.words
    guard !arguments.isEmpty else { throw OwnArguments.unreadable }
    let directories = Directories(environment: ProcessInfo.processInfo.environment)
    let log = try EventLog(directories)
    if arguments.count == 4, arguments[1] == "pace", let count = Int(arguments[2]),
      let rate = Double(arguments[3])
    {
      return try pace(count, rate, log)
    }
    if arguments.count == 4, let count = Int(arguments[2]), let working = Int(arguments[3]) {
      return try work(count, working, log)
    }
    let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    let store = try Store(directories)
    let clock = ContinuousClock()
    let batches = (0..<count / 1000).map { batch in (0..<1000).map { event(batch * 1000 + $0) } }
    let appended = try clock.measure { for batch in batches { try log.append(batch) } }
    try tell("append", count, appended)
    let watched = try clock.measure {
      try Watcher(store: store, journal: EventJournal(directories)).catchUp()
    }
    try tell("watch", count, watched)
    let read = try clock.measure {
      var last: String?
      while let next = try log.read(after: last, limit: 1000).last { last = next }
    }
    try tell("read", count, read)
  }

  private static func pace(_ count: Int, _ rate: Double, _ log: EventLog) throws {
    let start = ContinuousClock.now
    for number in 0..<count {
      let due = start + .seconds(Double(number) / rate)
      let wait = (due - .now) / .microseconds(1)
      if wait > 0 { usleep(UInt32(wait)) }
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      let now = time.tv_sec * 1_000_000 + time.tv_nsec / 1000
      try log.append([
        Log(ts: Int64(now / 1000), agentId: "bench", level: .info, message: "\(now)")
      ])
    }
  }

  /// The work of agents in swarms of twenty.
  private static func work(_ count: Int, _ working: Int, _ log: EventLog) throws {
    for number in 0..<count {
      func event(
        _ phase: TraceEvent.Phase, _ name: String, _ span: Int, _ attrs: [String: JSONValue]
      ) -> TraceEvent {
        var event = TraceEvent(
          ts: Timestamp.now.milliseconds, agentId: "agent-\(number)",
          spanId: "\(span)-\(number)", name: name, attrs: attrs)
        event.swarmId = "swarm-\(number / 20)"
        event.sessionId = "session-\(number)"
        event.phase = phase
        return event
      }
      let began = event(
        .start, "invoke_agent", 1,
        [
          "agentpipes.heartbeat_ms": .int(3_600_000),
          "agentpipes.task": .string("looks at the files"),
        ])
      let called = event(
        .end, "chat", 2,
        [
          "gen_ai.operation.name": .string("chat"), "gen_ai.usage.input_tokens": .int(1200),
          "gen_ai.usage.output_tokens": .int(300), "agentpipes.context.max_tokens": .int(200_000),
        ])
      let used = event(
        .end, "execute_tool", 3,
        ["gen_ai.tool.name": .string("Bash"), "agentpipes.duration_ms": .int(12)])
      let ended = event(
        .end, "invoke_agent", 1, ["agentpipes.status": .string("finished")])
      try log.append([began, called, used] + (number < working ? [] : [ended]))
    }
  }

  /// Events as agents write them: nine logs of some 200 bytes to one call of a tool.
  private static func event(_ number: Int) -> any Event {
    let ts = Timestamp.now.milliseconds
    let agent = "agent-\(number % 20)"
    guard number % 10 == 0 else {
      var log = Log(
        ts: ts, agentId: agent, level: number % 500 == 1 ? .error : .info,
        message: "line \(number) of what the command prints while it works on the files")
      log.swarmId = "review"
      log.sessionId = "019c8e5a-3a01-7000-8000-000000000002"
      return log
    }
    var event = TraceEvent(
      ts: ts, agentId: agent, spanId: "00000000\(10_000_000 + number)", name: "execute_tool",
      attrs: ["gen_ai.operation.name": .string("execute_tool"), "agentpipes.duration_ms": .int(12)])
    event.swarmId = "review"
    event.sessionId = "019c8e5a-3a01-7000-8000-000000000002"
    event.skillId = "Bash"
    event.phase = .end
    return event
  }

  private static func tell(_ name: String, _ count: Int, _ taken: Duration) throws {
    let rate = Double(count) / (taken / .seconds(1))
    try RecordWriter().write(text: "\(name) \(Int(rate))\n")
  }
}
