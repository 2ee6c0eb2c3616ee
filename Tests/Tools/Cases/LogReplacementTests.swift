import Foundation
import TestSupport
import Testing

/// Who follows a log that goes, or becomes another one.
@Suite("stream-tail and a log that is replaced")
struct LogReplacementTests {
  private static func following(
    _ scratch: Scratch, _ change: String, _ body: (Running, Record) async throws -> Void
  ) async throws {
    scratch.set("DATA", scratch.path("home/data"))
    try await scratch.shell(
      "AGENTPIPES_HOME=$PWD/other agent-run --agent x -- echo foreign; agent-run -- echo one")
    let follower = try scratch.starting("stream-tail", "-f", input: nil)
    try await scratch.until("it reads") { follower.output.contains(#""phase":"end""#) }
    // What follows the change may be there before anything else is looked at.
    let last = try #require(Record.all(in: follower.output).last)
    // cp(1) and cat(1) write a file in place: a reader could meet half of it.
    follower.child.signal(SIGSTOP)
    let changed = try await scratch.shell(change)
    follower.child.signal(SIGCONT)
    #expect(changed.statuses == [0] && changed.errors == "")
    try await body(follower, last)
  }

  @Test(arguments: [
    ": >$DATA/events.db", "cp other/data/events.db $DATA/events.db",
    "cat other/data/events.db >$DATA/events.db", "mv $DATA/events.db $DATA/moved.db",
    "mv other/data/events.db $DATA/events.db", "rm $DATA/events.db", "rm $DATA/events.db*",
  ])
  func `a log that becomes another one is a gap, and that is followed`(
    change: String
  ) async throws {
    try await Scratch.with { scratch in
      try await Self.following(scratch, change) { follower, last in
        try await scratch.shell("agent-run -- echo two; agent-run -- echo three")
        try await scratch.until("it goes on") { follower.output.contains("three") }
        follower.child.signal(SIGTERM)
        let run = await follower.ended()
        #expect(run.errors == "")
        let gap = try #require(run.records("gap").first)
        #expect(run.records("gap").count == 1)
        #expect(gap["reason"] == "epoch" && gap["from"] == last.id && gap["to"].hasSuffix("-1"))
        let messages = run.records("log").map { $0["message"] }
        let foreign = change.contains("other") ? ["foreign"] : []
        #expect(messages == ["one"] + foreign + ["two", "three"])
      }
    }
  }

  @Test(arguments: ["truncate -s 8192 $DATA/events.db", "echo no database >$DATA/events.db"])
  func `a log that becomes something else is a gap, and then a failure`(
    change: String
  ) async throws {
    try await Scratch.with { scratch in
      try await Self.following(scratch, change) { follower, _ in
        let run = await follower.ended()
        #expect(run.endings == [.exit(74)])
        #expect(run.records.suffix(2).map { $0["type"] } == ["gap", "error"])
        #expect(run.records.last?["code"] == "StorageFailed")
      }
    }
  }

  @Test func `who writes the log goes on with the new one`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--agent", "a", "--", "sh", "-c", "echo one; read -r go; echo two", input: nil)
      try await scratch.until("it is told") {
        let isMade = FileManager.default.fileExists(atPath: scratch.path("home/data/events.db"))
        return isMade && running.output == "one\n"
      }
      try await scratch.shell("mv ../home/data/events.db ../home/data/moved.db")
      running.writer?.write("go\n")
      #expect(await running.ended().endings == [.exit(0)])
      let logs = try await scratch.shell("stream-tail --type log").records
      #expect(logs.map { $0["message"] }.last == "two")
    }
  }
}
