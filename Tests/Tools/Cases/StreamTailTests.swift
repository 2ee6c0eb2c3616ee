import Foundation
import TestSupport
import Testing

@Suite("stream-tail")
struct StreamTailTests {
  static let events =
    [
      #"{"agentId":"a1","level":"debug","message":"looks","ts":1735300000000,"type":"log"}"#,
      #"{"agentId":"a1","level":"info","message":"reads","swarmId":"s1","ts":1735300001000,"type":"log"}"#,
      #"{"agentId":"a2","level":"warn","message":"slow","swarmId":"s1","ts":1735300002000,"type":"log"}"#,
      #"{"agentId":"a2","attrs":{"level":"error"},"name":"tool.call","phase":"end","skillId":"grep","ts":1735300003000,"type":"traceEvent"}"#,
      #"{ "type":"log", "level":"debug", "\u006cevel":"error", "message":"caf\u00e9", "agentId":"a1", "ts":1735300004000 }"#,
      #"{"agentId":"a3","incidentId":"i1","level":"critical","message":"down","ts":1735300005000,"type":"log"}"#,
      #"{"name":"error_rate","scope":"swarm","swarmId":"s1","ts":1735300006000,"type":"metric","value":0.12}"#,
      #"{"gateId":"g1","revision":1,"status":"pending","summary":"Deploy fix?","ts":1735300007000,"type":"approvalGate"}"#,
      #"{"from":"7-1","reason":"retention","to":"7-9","ts":1735300008000,"type":"gap"}"#,
      #"{"type":"unheard-of","x":[1, 2]}"#,
    ].joined(separator: "\n") + "\n"

  @Test func `every condition lets pass what meets it, byte for byte`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/events.ndjson", Self.events)
      for options in [
        "", "--level debug", "--level error", "--swarm s1", "--agent a2 --agent a3",
        "--skill grep", "--type metric --type gap", "--incident i1", "--match 'caf\\u00e9'",
        "--match café", "--since 2024-12-27T11:46:45Z", "--until 2024-12-27T12:46:41+01:00",
        "--since 2024-12-27T11:46:41.000Z --until 2024-12-27T11:46:42Z --level warn", "--since 10m",
        "--until 1s --type log --level critical", "--last 2", "--last 1 --level error",
        "--last 100 --agent a1",
      ] {
        try await scratch.shell("stream-tail \(options) events.ndjson".replacing("  ", with: " "))
      }
      try scratch.expectGolden("stream-tail/conditions")
    }
  }

  @Test func `files, standard input and what gzip packed are read in turn`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/a.ndjson", #"{"type":"a"}"#)
      try scratch.write("work/b", #"{"type":"b"}"# + "\n")
      try await scratch.shell("gzip -n b && mv b.gz b && head -c 20 b >cut && echo >empty")
      try await scratch.shell("stream-tail a.ndjson - b a.ndjson", input: #"{"type":"c"}"#)
      try await scratch.shell("stream-tail - <b")
      try await scratch.shell("cat b b | stream-tail - | cat")
      try await scratch.shell("stream-tail cut empty")
      try await scratch.shell("stream-tail missing a.ndjson . b")
      try scratch.expectGolden("stream-tail/inputs")
    }
  }

  @Test func `what a run does is in the log, and is seen as it happens`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let empty = try await scratch.shell("stream-tail")
      #expect(empty.output == "" && empty.statuses == [0])
      let follower = try scratch.starting(
        "stream-tail", "--follow", "--type", "log", input: nil)
      let late = try scratch.starting("stream-tail", "-f", "--last", "1", input: nil)
      try await scratch.shell("stage-run --yolo", input: Plan.one)
      let done = "is completed"
      try await scratch.until("the end is seen") { follower.output.contains(done) }
      try await scratch.until("the end is seen by the other") { late.output.contains(done) }
      for running in [follower, late] { running.child.signal(SIGTERM) }
      let seen = await follower.ended()
      _ = await late.ended()
      let stored = try await scratch.shell("stream-tail --type log")
      #expect(seen.output == stored.output)
      #expect(
        stored.records.map { "\($0["level"]): \($0["message"])" } == [
          "info: the run of 'P' begins", "info: researcher begins",
          "info: researcher is approved", "info: the run of 'P' is completed",
        ])
      let all = try await scratch.shell("stream-tail")
      let ids = all.records.map { $0["id"].split(separator: "-") }
      #expect(Set(ids.map { $0[0] }).count == 1)
      #expect(ids.map { Int($0[1]) } == Array(1...ids.count))
      let spans = all.records("traceEvent")
      #expect(spans.map { $0["phase"] } == ["start", "start", "", "end", "end"])
      #expect(Set(spans.map { $0["traceId"] }).count == 1)
      #expect(spans[1]["parentSpanId"] == spans[0]["spanId"])
      let last = try await scratch.shell("stream-tail --last 1")
      #expect(last.output == all.output.split(separator: "\n").suffix(1).joined() + "\n")
    }
  }

  @Test func `who follows starts with the last ten events, or with what an option asks for`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent a1 -- seq 20")
      let known = try await scratch.shell("stream-tail --agent a1").records.map(\.id)
      let counts = [
        "": 10, "-n 3": 3, "-n 0": 0, "--since 2020-01-01T00:00:00Z": known.count,
        "--until 2120-01-01T00:00:00Z": known.count, "--after \(known[4])": known.count - 5,
      ]
      // The agent that nobody knows has it told when all that is there was read.
      let followers = try counts.map { options, count in
        (
          options, count,
          try scratch.starting("stream-tail -f --agent a1 --agent nosuch \(options)", input: nil)
        )
      }
      for (options, count, follower) in followers {
        try await scratch.until("all was read: \(options)") { follower.errors.hasSuffix("\n") }
        #expect(Record.all(in: follower.output).map(\.id) == known.suffix(count), "\(options)")
      }
      try await scratch.shell("agent-run --agent a1 -- echo last")
      for (_, _, follower) in followers {
        try await scratch.until("it goes on") { follower.output.contains(#""message":"last""#) }
      }
      #expect(try await scratch.shell("stream-tail -n 0").output == "")
    }
  }

  @Test func `a log that was made anew is a gap to who follows`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      try await scratch.shell("stage-run --yolo", input: Plan.one)
      let follower = try scratch.starting("stream-tail", "--follow", input: nil)
      try await scratch.until("it reads") { follower.output.contains("is completed") }
      let first = try #require(follower.output.split(separator: "\n").last).description
      try await scratch.shell("rm ../home/data/events.db*")
      try await scratch.shell("stage-run --yolo", input: Plan.three)
      try await scratch.until("it goes on") {
        follower.output.components(separatedBy: "is completed").count == 3
      }
      follower.child.signal(SIGTERM)
      let run = await follower.ended()
      let gap = try #require(run.records("gap").first)
      #expect(run.records("gap").count == 1)
      #expect(gap["reason"] == "epoch")
      #expect(first.contains(#""id":"\#(gap["from"])""#))
      #expect(gap["to"].hasSuffix("-1"))
    }
  }

  @Test func `bad lines are told, whatever is wanted, and the others are judged`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "stream-tail --level error - | jq -r .type",
        input: [
          "junk", #"{"type":"log","level":"error"}"#, #"{"level":"error"}"#, "",
          #"{"type":"log","level":"error"}}"#, #"{"type":"log","level":"error"}"#,
          #"{"type":"error","code":"Timeout","level":"error"}"#,
        ].joined(separator: "\n"))
      try await scratch.shell(
        "stream-tail --type log -", input: #"{"type":"error","code":"Timeout"}"# + "\n")
      try scratch.expectGolden("stream-tail/bad-lines")
    }
  }

  @Test func `wrong options, help and version`() async throws {
    try await Scratch.with { scratch in
      for options in [
        "--help", "--version", "--level loud", "--since yesterday", "--until ''", "--match ''",
        "--last=-1", "--last x", "--json --text", "--type nosuch", "--after yesterday",
        "--after 1-1 -",
      ] {
        try await scratch.shell("stream-tail \(options)")
      }
      try scratch.expectGolden("stream-tail/options")
    }
  }

  @Test func `what nobody is about is told, and waited for where more comes`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("stream-tail --agent nosuch")
      try await scratch.shell("agent-run --agent a1 --swarm s1 -- sh -c 'echo one; echo two'")
      for options in [
        "--agent nosuch", "--agent a1 --level critical", "--swarm nosuch --swarm s1 --match one",
        "--swarm nosuch --skill sk --incident i", "--agent nosuch --agent a1 --match one",
      ] {
        let line = "stream-tail \(options) | jq -c '[.message // .code, .explanation // empty]'"
        try await scratch.shell(line)
      }
      try scratch.expectGolden("stream-tail/unknown")
      let follower = try scratch.starting(
        "stream-tail", "--follow", "--agent", "a2", "--swarm", "s1", "--type", "log", input: nil)
      try await scratch.until("it is told") { follower.errors.hasSuffix("\n") }
      try await scratch.shell("agent-run --agent a2 --swarm s1 -- echo three")
      try await scratch.until("it comes") { follower.output.contains("three") }
      follower.child.signal(SIGTERM)
      let run = await follower.ended()
      #expect(run.errors == "stream-tail: there is no event of agent 'a2' yet: waiting for one\n")
      #expect(run.records.map { $0["message"] } == ["three"])
    }
  }

  @Test func `reading goes on after an event, and a number takes the last`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent a1 -- sh -c 'echo one; echo two; echo three'")
      let all = try await scratch.shell("stream-tail")
      let lines = all.output.split(separator: "\n").map { $0 + "\n" }
      let two = try #require(all.records.first { $0["message"] == "two" })
      let index = try #require(all.records.firstIndex { $0["message"] == "two" })
      let after = try await scratch.shell("stream-tail --after \(two["id"])")
      #expect(after.output == lines[(index + 1)...].joined())
      for option in ["-n 2", "-n2", "--last 2"] {
        #expect(
          try await scratch.shell("stream-tail \(option)").output == lines.suffix(2).joined())
      }
      let other = try await scratch.shell("stream-tail --after 0123456789abcdef-7")
      let gap = try #require(other.records.first)
      #expect(gap.type == "gap" && gap["from"] == "0123456789abcdef-7" && gap["reason"] == "epoch")
      #expect(other.output.split(separator: "\n").dropFirst().map { $0 + "\n" } == lines)
      let recent = try await scratch.shell("stream-tail --since 90")
      #expect(recent.output == all.output && recent.statuses == [0])
    }
  }

  @Test func `text shows each event on a line, in colour on a terminal alone`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/events.ndjson", Self.events)
      try await scratch.shell("stream-tail --text events.ndjson")
      let spans = [
        ("a", "", "start"), ("b", "a", "start"), ("c", "b", "start"), ("c", "b", "end"),
        ("d", "x", "start"), ("b", "a", "end"), ("a", "", "end"), ("b", "a", "progress"),
      ].map {
        #"{"type":"traceEvent","name":"\#($0.0)","spanId":"\#($0.0)","parentSpanId":"\#($0.1)","#
          + #""phase":"\#($0.2)"}"# + "\n"
          + #"{"type":"log","message":"in b","level":"info","spanId":"b"}"#
      }
      try await scratch.shell("stream-tail --text -", input: spans.joined(separator: "\n"))
      for settings in ["TERM=xterm", "TERM=xterm NO_COLOR=1", "TERM=dumb", "TERM=xterm NO_COLOR="] {
        let terminal = try Terminal(
          scratch, "\(settings) stream-tail events.ndjson; echo status $?")
        await terminal.running.ended()
      }
      try scratch.expectGolden("stream-tail/text")
    }
  }

  @Test func `hostile text leaves a terminal sane, and each record one line`() async throws {
    try await Scratch.with { scratch in
      let hostile = [
        "\\u001b[2J\\u001b]52;c;aGVsbG8=\\u0007", "a\\r\\nb\\nc\\u0085d\\u2028e", "\\u0000\\u007f",
        "\u{202E}desrever\u{2066}", "\u{9B}31m", "tab\\tend", "\u{200B}\u{FEFF}x",
        String(repeating: "long ", count: 200_000),
      ]
      let lines = hostile.map {
        #"{"type":"log","level":"\#($0)","agentId":"\#($0)","message":"\#($0)"}"#
      }
      let strange = hostile.map { #"{"type":"\#($0)","x":"\#($0)"}"# }
      let usable = lines + strange
      try scratch.write("work/hostile.ndjson", usable.joined(separator: "\n"))
      let terminal = try Terminal(scratch, "TERM=xterm NO_COLOR=1 stream-tail hostile.ndjson")
      let run = await terminal.running.ended()
      // A terminal puts a carriage return before each line feed; nothing else is a control.
      let shown = run.output.replacing("\r\n", with: "\n")
      let controls = shown.unicodeScalars.filter { scalar in
        scalar != "\n"
          && [.control, .format, .lineSeparator, .paragraphSeparator].contains(
            scalar.properties.generalCategory)
      }
      #expect(controls.isEmpty)
      #expect(run.statuses == [0])
      #expect(
        shown.split(separator: "\n", omittingEmptySubsequences: false).count == usable.count + 1)
      #expect(shown.utf8.count < 300_000)
    }
  }

  @Test func `a flood is cut to a rate, and what was left out is counted`() async throws {
    try await Scratch.with { scratch in
      let levels = ["debug", "info", "warn", "error", "critical", "odd"]
      let lines = (0..<12_000).map { number in
        switch number % 10 {
        case 0...5:
          #"{"type":"log","level":"\#(levels[number % 6])","message":"m\#(number)"}"#
        case 6: #"{"type":"log","agentId":"a","level":"debug","message":"again","ts":\#(number)}"#
        case 7: #"{"type":"metric","name":"n","value":\#(number)}"#
        case 8 where number % 1000 == 8: #"{"type":"approvalGate","gateId":"\#(number)"}"#
        default: #"{"type":"log","level":"info","message":"\#(number)","count":3}"#
        }
      }
      try scratch.write("given/flood.ndjson", lines.joined(separator: "\n"))
      func sum(_ records: [Record]) -> Double {
        records.reduce(0) { $0 + ($1.number("count") ?? 1) }
      }
      for line in [
        "stream-tail --max-rate 50 ../given/flood.ndjson",
        "cat ../given/flood.ndjson | stream-tail --max-rate 50 -",
      ] {
        let run = try await scratch.shell(line)
        #expect(run.statuses.allSatisfy { $0 == 0 })
        #expect(sum(run.records) == sum(Record.all(in: lines.joined(separator: "\n"))))
        let kept = lines.filter { $0.contains(/"(error|critical|approvalGate)"/) }
        let told = run.output.split(separator: "\n").map(String.init)
          .filter { $0.contains(/"(error|critical|approvalGate)"/) }
        #expect(told == kept)
        #expect(run.records("suppressed").allSatisfy { $0["level"] != "error" })
        #expect(run.records("suppressed").contains { $0["level"] == "debug" })
        #expect(run.records("metric").count < 1200)
      }
      try await scratch.shell("stream-tail --max-rate 0")
      try await scratch.shell("stream-tail --max-rate 5 --last 3")
      #expect(scratch.runs.suffix(2).map(\.statuses) == [[64], [64]])
    }
  }

  @Test func `what matters is always written, whatever the rate`() async throws {
    try await Scratch.with { scratch in
      let types = [
        "approvalGate", "control", "controlReceipt", "decisionReceipt", "gap", "suppressed",
        "alert", "incident", "error",
      ]
      let grave = ["error", "critical"].map {
        #"{"agentId":"a","level":"\#($0)","ts":1,"type":"log"}"#
      }
      let lines = types.map { #"{"ts":1,"type":"\#($0)"}"# } + grave
      let filler = (0..<50).map {
        #"{"agentId":"a","level":"info","message":"\#($0)","ts":1,"type":"log"}"#
      }
      let input = lines.flatMap { filler + [$0] }.joined(separator: "\n") + "\n"
      let run = try await scratch.shell("stream-tail --max-rate 1 -", input: input)
      let written = run.output.split(separator: "\n").map(String.init)
      #expect(lines.allSatisfy(written.contains))
      // They take nothing from the rate, which is one a second: few of the others are written.
      let others = written.count { $0.contains(#""level":"info","message""#) }
      #expect(others >= 1 && others < 50)
    }
  }

  @Test func `a condition finds its member, however that is escaped`() async throws {
    try await Scratch.with { scratch in
      let lines = [
        #"{"agentId":"a/b é","type":"log"}"#, #"{"\u0061gentId":"a\/b \u00e9","type":"log"}"#,
        #"{"type":"log","agentI\u0064":"\u0061\u002Fb \u00E9"}"#,
        #"{"agentId":"other","x":{"agentId":"a/b é"},"type":"log"}"#,
      ]
      let run = try await scratch.shell(
        "stream-tail --agent 'a/b é' -", input: lines.joined(separator: "\n") + "\n")
      #expect(run.output == lines.prefix(3).joined(separator: "\n") + "\n")
    }
  }

  @Test func `a count is told though the input waits, and when a signal ends the tool`()
    async throws
  {
    try await Scratch.with { scratch in
      let running = try scratch.starting("stream-tail", "--max-rate", "1", "-", input: nil)
      let lines = (0..<10).map {
        #"{"type":"log","agentId":"a","level":"info","message":"\#($0)","ts":1}"# + "\n"
      }
      running.writer?.write(lines.joined())
      try await scratch.until("the count is told") {
        running.output.contains(#""type":"suppressed""#)
      }
      let records = Record.all(in: running.output)
      #expect(records.map(\.type) == ["log", "suppressed"])
      #expect(records.last?.number("count") == 9)
      let other = try scratch.starting("stream-tail", "--max-rate", "1", "-", input: nil)
      other.writer?.write(lines.joined())
      try await scratch.until("the first is told") { other.output.contains("\n") }
      other.child.signal(SIGINT)
      // Its input stays open until then.
      #expect(await other.child.ended() == .signal(SIGINT))
      #expect(Record.all(in: other.output).map(\.type) == ["log", "suppressed"])
    }
  }

  @Test func `logs that say the same are one line on a terminal, with their number`() async throws {
    try await Scratch.with { scratch in
      let same = (0..<5000).map { #"{"type":"log","level":"info","message":"same","ts":\#($0)}"# }
      let error = #"{"type":"log","level":"error","message":"same"}"#
      let lines = same + [error, error]
      try scratch.write("work/same.ndjson", lines.joined(separator: "\n"))
      let terminal = try Terminal(scratch, "TERM=dumb stream-tail same.ndjson")
      let run = await terminal.running.ended()
      let counts = run.output.matches(of: #/same \(× (\d+)\)/#).compactMap { Int($0.1) }
      #expect(counts.reduce(0, +) == 5000)
      #expect(counts.count < 1000)
      #expect(run.output.ranges(of: "error").count == 2)
      let pipe = try await scratch.shell("stream-tail same.ndjson")
      #expect(pipe.output == lines.joined(separator: "\n") + "\n")
    }
  }

  @Test func `the last events are kept in 25 MB, and what does not fit is counted`() async throws {
    try await Scratch.with { scratch in
      let text = String(repeating: "x", count: 1000)
      let run = try await scratch.shell(
        """
        yes '{"type":"metric","name":"\(text)"}' | head -n 40000 | stream-tail --last 39000 - |
          jq -nc 'reduce inputs as $event ([input.count, 0];
            [.[0], .[1] + 1, $event.type])' | jq -c '[.[0] + .[1], .[1] > 24000, .[2]]'
        """)
      #expect(run.output == "[39000,true,\"metric\"]\n")
      #expect(run.errors == "")
    }
  }
}
