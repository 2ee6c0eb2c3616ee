import Foundation
import TestSupport
import Testing

/// Input that stays open: files that grow, and a pipe that says nothing.
@Suite("input that stays open")
struct FollowedFileTests {
  private static func event(_ number: Int) -> String {
    #"{"agentId":"a","level":"info","message":"\#(number)","ts":\#(number),"type":"log"}"# + "\n"
  }

  private static let notice =
    "stream-tail: 'log' was truncated or replaced: reading it from its start\n"

  @Test func `a file is followed over appended lines, a truncation and a rotation`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/log", (1...12).map(Self.event).joined())
      let running = try scratch.starting("stream-tail", "--follow", "log")
      var expected = (3...12).map(Self.event).joined()
      func expect(_ number: Int, _ change: String) async throws {
        try await scratch.shell(change)
        expected += Self.event(number)
        try await scratch.until("event \(number) is written") { running.output == expected }
      }
      try await scratch.until("the last ten events") { running.output == expected }
      try await expect(13, "printf '%s' '\(Self.event(13))' >>log")
      try await expect(14, "printf '%s' '\(Self.event(14))' >log")
      // The old file is read to its end, and the line that it lacks the end of is a line.
      try await scratch.shell(
        "mv log log.1; printf '%s' '\(Self.event(15).dropLast())' >>log.1")
      expected += Self.event(15)
      try await expect(16, "printf '%s' '\(Self.event(16))' >new; mv new log")
      try await expect(17, "rm log; printf '%s' '\(Self.event(17))' >new; mv new log")
      try await scratch.shell("printf 'junk\\n%s' '\(Self.event(18))' >>log")
      try await scratch.until("the last event") { running.output.hasSuffix(Self.event(18)) }
      running.child.signal(SIGINT)
      let run = await running.ended()
      #expect(run.endings == [.signal(SIGINT)])
      #expect(
        run.errors.hasPrefix(Self.notice + Self.notice + Self.notice + "stream-tail: log:2: "))
      #expect(run.errors.split(separator: "\n").count == 4)
    }
  }

  @Test func `a file that cannot be followed is refused`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/log", Self.event(1))
      for (line, status, word) in [
        ("stream-tail -f nothing", 66, "cannot open 'nothing'"),
        ("stream-tail -f none/log", 66, "cannot open 'none/log'"),
        ("stream-tail -f log log", 64, "--follow accepts one file only"),
        ("gzip -c log >log.gz; stream-tail -f log.gz", 64, "'log.gz' is compressed and cannot be"),
        ("stream-tail -f .", 64, "'.' is no regular file and cannot be followed"),
      ] as [(String, Int32, String)] {
        let run = try await scratch.shell(line)
        #expect(run.statuses == [status], "\(line)")
        #expect(run.errors.contains("stream-tail: \(word)"), "\(line)")
      }
      let run = try await scratch.shell("stream-tail -f -", input: Self.event(2))
      #expect(run.statuses == [0])
      #expect(run.output == Self.event(2))
    }
  }

  @Test func `a prompt names an open pipe that it waits for, and the option against it`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.serveModels(#"[{"text":"Yes.","times":0}]"#)
      scratch.set("AGENTPIPES_MODEL", "claude-sonnet-4-6")
      let waiting = try scratch.starting("chat-send", "hi", input: nil)
      try await scratch.until("the wait is named") {
        waiting.errors == "chat-send: waiting for stdin; use -n\n"
      }
      let run = await waiting.ended()
      #expect(run.endings == [.exit(0)])
      #expect(run.records("message").map { $0["text"] } == ["Yes."])
      // A chat that waits for an answer needs no prompt, either.
      try await scratch.shell("chat-send -n again --max-cost 0")
      let unfinished = try scratch.starting(
        "chat-send", "--continue", "--max-cost", "1", input: nil)
      try await scratch.until("the wait is named") {
        unfinished.errors == "chat-send: waiting for stdin; use -n\n"
      }
      #expect(await unfinished.ended().endings == [.exit(0)])
      let other = try scratch.starting("chat-send", "-n", "hi", input: nil)
      try await scratch.until("the answer is there") { other.output.contains("Yes.") }
      #expect(await other.ended().errors == "")
    }
  }
}
