import Core
import Foundation
import Watching

/// Times the event log and the watching of it, in the folder of AGENTPIPES_HOME.
///
/// usage: event-log-bench COUNT
/// Prints a name and a number a line: events a second.
@main
struct EventLogBench {
  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    let directories = Directories(environment: ProcessInfo.processInfo.environment)
    let log = try EventLog(directories)
    let store = try Store(directories)
    let clock = ContinuousClock()
    let batches = (0..<count / 1000).map { batch in (0..<1000).map { event(batch * 1000 + $0) } }
    let appended = try clock.measure { for batch in batches { try log.append(batch) } }
    try tell("append", count, appended)
    let watched = try clock.measure { try Watcher(store: store, log: log).catchUp() }
    try tell("watch", count, watched)
    let read = try clock.measure {
      var last: String?
      while let next = try log.read(after: last, limit: 1000).last { last = next }
    }
    try tell("read", count, read)
  }

  /// Events as agents write them: nine logs of some 200 bytes to one call of a tool.
  private static func event(_ number: Int) -> any Event {
    let ts = Timestamp.now.milliseconds
    let agent = "agent-\(number % 20)"
    guard number % 10 == 0 else {
      return Log(
        ts: ts, swarmId: "review", agentId: agent,
        sessionId: "019c8e5a-3a01-7000-8000-000000000002",
        level: number % 500 == 1 ? .error : .info,
        message: "line \(number) of what the command prints while it works on the files")
    }
    return TraceEvent(
      ts: ts, swarmId: "review", agentId: agent, sessionId: "019c8e5a-3a01-7000-8000-000000000002",
      skillId: "Bash", spanId: "00000000\(10_000_000 + number)", phase: .end, name: "execute_tool",
      attrs: ["gen_ai.operation.name": .string("execute_tool"), "agentpipes.duration_ms": .int(12)])
  }

  private static func tell(_ name: String, _ count: Int, _ taken: Duration) throws {
    let rate = Double(count) / (taken / .seconds(1))
    try RecordWriter().write(text: "\(name) \(Int(rate))\n")
  }
}
