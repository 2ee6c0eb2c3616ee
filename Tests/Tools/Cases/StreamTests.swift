import Foundation
import TestSupport
import Testing

/// The rules of the stream that hold for every tool.
@Suite("the stream")
struct StreamTests {
  private static let strange = #"{"type":"strange" , "b":1.0,"a":"A\/" }"#
  private static let filters = [
    "ceo-plan", "stage-run", "web-fetch", "export-md --into out", "stream-tail -",
  ]
  /// A line of each tool that writes at least one record.
  private static let writers = [
    "key-store list", "gate-decide list --all", "stage-run --list", "ceo-plan Goal",
    "stage-run --show \(Plan.pipeline)", "stage-run --yolo <plan.ndjson",
    "web-fetch a.html", "export-md --into out <strange.ndjson", "key-store set x <secret",
    "key-store get tavily", "key-store get tavily --reveal", "key-store --bogus",
    "key-store get nothing", "gate-decide show nothing", "ceo-plan --parse <reply",
    "ceo-plan <strange.ndjson", "web-fetch <strange.ndjson", "stage-run <strange.ndjson",
    "stream-tail strange.ndjson", "stream-tail --last 3 --text - <strange.ndjson",
  ]

  /// Files and a store for the lines above.
  private func prepare(_ scratch: Scratch) async throws {
    try scratch.write("work/plan.ndjson", Plan.one + Plan.page)
    try scratch.write("work/a.html", "<title>A</title><body><p>" + "word ".repeated(2000))
    try scratch.write("work/strange.ndjson", (Self.strange + "\n").repeated(5000))
    try scratch.write("work/secret", "not-a-real-secret-0000\n")
    try scratch.write("work/reply", #"{"pipeline":[{"role":"producer","task":"T"}]}"#)
    try await scratch.shell("stage-run >/dev/null", input: Plan.one + Plan.page)
  }

  @Test func `a reader that is gone ends every tool quietly`() async throws {
    try await Scratch.with { scratch in
      try await prepare(scratch)
      for line in Self.writers where !line.contains("--bogus") && !line.contains("nothing") {
        // The reader ends first; the tool starts once it has.
        let run = try await scratch.shell(
          "rm -f pipe; mkfifo pipe; exec 8<>pipe 9>pipe; : <pipe; exec 8<&-; \(line) >&9")
        #expect(run.statuses == [0], "\(line)")
        #expect(run.errors == "", "\(line)")
        let ignoring = try await scratch.shell(
          "rm -f pipe; mkfifo pipe; exec 8<>pipe 9>pipe; exec 8<&-; trap '' PIPE; \(line) >&9")
        #expect(ignoring.statuses == [0], "\(line)")
        #expect(ignoring.errors == "", "\(line)")
      }
    }
  }

  @Test func `head takes a line and the tools before it end`() async throws {
    try await Scratch.with { scratch in
      try await prepare(scratch)
      for tool in Self.filters {
        for prefix in ["", "trap '' PIPE; "] {
          let run = try await scratch.shell(
            "\(prefix)yes '\(Self.strange)' | head -n 200000 | \(tool) | head -1")
          #expect(run.output == Self.strange + "\n", "\(tool)")
          #expect(run.statuses.suffix(2) == [0, 0], "\(tool)")
          #expect(!run.errors.contains(tool.split(separator: " ")[0] + ":"), "\(tool)")
        }
      }
    }
  }

  @Test func `a full disk is never exit 0`() async throws {
    try await Scratch.with { scratch in
      try await prepare(scratch)
      for line in Self.writers {
        let run = try await scratch.shell("\(line) >/dev/full")
        #expect(run.statuses != [0], "\(line)")
        if !line.contains("--bogus") && !line.contains("nothing") {
          #expect(run.statuses == [74], "\(line)")
          #expect(run.errors.contains("cannot write '<stdout>': No space left"), "\(line)")
        }
      }
      let help = try await scratch.shell("stage-run --help >/dev/full")
      #expect(help.statuses == [74])
    }
  }

  @Test func `a store or a file that cannot grow is StorageFailed`() async throws {
    try await Scratch.with { scratch in
      let page =
        #"{"type":"page","url":"https://example.org/","markdown":"\#("word ".repeated(9000))"}"#
      // Past the limit write(2) fails as on a full disk once the signal is ignored.
      for (line, input) in [
        ("ceo-plan Goal", ""), ("stage-run --yolo", Plan.one + Plan.page),
        ("export-md --into out", page),
      ] {
        let run = try await scratch.shell("trap '' XFSZ; ulimit -f 8; \(line)", input: input)
        #expect(run.statuses == [74], "\(line)")
        #expect(run.records("error").map { $0["code"] } == ["StorageFailed"], "\(line)")
        let killed = try await scratch.shell("ulimit -c 0; ulimit -f 8; \(line)", input: input)
        #expect(killed.statuses != [0], "\(line)")
      }
      // No part of a file is left behind.
      try await scratch.shell("find out -type f")
      #expect(scratch.runs.last?.output == "")
    }
  }

  @Test func `bad lines are told by every filter, with their numbers`() async throws {
    try await Scratch.with { scratch in
      let lines = [
        Self.strange, "", "junk", "[1]", "\"text\"", "{}", #"{"type":7}"#, #"{"type":""}"#,
        #"{"type":"x","a":01}"#, #"{"type":"x"}{"type":"y"}"#, #"{"type":"x","a":"\u12"}"#, "   ",
        #"{"type":"x","a":\#("[".repeated(300))\#("]".repeated(300))}"#,
        "{\"type\":\"x\",\"a\":\"\t\"}",
        Self.strange,
      ]
      for tool in Self.filters {
        try await scratch.shell(tool, input: lines.joined(separator: "\n"))
      }
      try scratch.expectGolden("stream/bad-lines")
    }
  }

  @Test func `lines that are not UTF-8 or over 16 MiB are bad, the others pass`() async throws {
    try await Scratch.with { scratch in
      let make = """
        { printf '%s\\n' '\(Self.strange)'; printf '{"type":"x","a":"\\377"}\\n'; \
        printf '{"type":"x","a":"'; head -c 16777216 /dev/zero | tr '\\0' a; printf '"}\\n'; \
        printf '%s' '\(Self.strange)'; } >lines
        """
      try await scratch.shell(make)
      for tool in Self.filters { try await scratch.shell("\(tool) <lines") }
      try scratch.expectGolden("stream/bytes")
    }
  }

  @Test func `a byte order mark, carriage returns and blank lines are no part of a record`()
    async throws
  {
    try await Scratch.with { scratch in
      // One that runs plans has no use for an input without one.
      for tool in Self.filters where tool != "stage-run" {
        let run = try await scratch.shell(
          tool, input: "\u{FEFF}\r\n\(Self.strange)\r\n\r\n \t \n\(Self.strange)\r\n")
        #expect(run.output == (Self.strange + "\n").repeated(2), "\(tool)")
        #expect(run.statuses == [0], "\(tool)")
        let first = try await scratch.shell(tool, input: "\u{FEFF}\(Self.strange)")
        #expect(first.output == Self.strange + "\n", "\(tool)")
      }
    }
  }

  @Test func `an error record passes on and makes the status 1`() async throws {
    try await Scratch.with { scratch in
      let error = """
        {"action":"retry","category":"network","code":"Timeout","explanation":"too slow","retryable":\
        true,"suggestedAction":"retry","title":"Timed out","tool":"other","type":"error"}
        """
      for tool in Self.filters {
        let run = try await scratch.shell(tool, input: error + "\n" + Self.strange)
        #expect(run.output == error + "\n" + Self.strange + "\n", "\(tool)")
        #expect(run.statuses == [1], "\(tool)")
      }
    }
  }

  @Test func `records are written one by one while input is awaited`() async throws {
    try await Scratch.with { scratch in
      for tool in ["ceo-plan", "web-fetch", "export-md", "stream-tail -"] {
        let running = try scratch.starting(tool, input: nil)
        for count in 1...3 {
          running.writer?.write(Self.strange + "\n")
          try await scratch.until("\(tool) passes line \(count) on") {
            running.output == (Self.strange + "\n").repeated(count)
          }
        }
        let run = await running.ended()
        #expect(run.endings == [.exit(0)], "\(tool)")
      }
    }
  }

  @Test func `the same store is found by XDG folders, and its files are private`() async throws {
    try await Scratch.with { scratch in
      scratch.set("AGENTPIPES_HOME", nil)
      scratch.set("XDG_DATA_HOME", scratch.path("user/data"))
      scratch.set("XDG_STATE_HOME", "not/absolute")
      try await scratch.shell("stage-run --yolo >/dev/null", input: Plan.one + Plan.page)
      try await scratch.shell(
        "cd ~ && find . -type f \\( -not -perm 600 \\) -o -type d -not -perm 700 -not -name .; find . -name store.db -o -name '*.lock' | sort"
      )
      try scratch.expectGolden("stream/folders")
    }
  }
}
