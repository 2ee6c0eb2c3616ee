import Foundation
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
      try await scratch.shell("stream-tail <b")
      try await scratch.shell("cat b b | stream-tail - | cat")
      try await scratch.shell("stream-tail cut empty")
      try await scratch.shell("stream-tail missing a.ndjson . b")
      try scratch.expectGolden("stream-tail/inputs")
    }
  }

  @Test func `bad lines are told, whatever is wanted, and the others are judged`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "stream-tail --level error | jq -r .type",
        input: [
          "junk", #"{"type":"log","level":"error"}"#, #"{"level":"error"}"#, "",
          #"{"type":"log","level":"error"}}"#, #"{"type":"log","level":"error"}"#,
          #"{"type":"error","code":"Timeout","level":"error"}"#,
        ].joined(separator: "\n"))
      try await scratch.shell(
        "stream-tail --type log", input: #"{"type":"error","code":"Timeout"}"# + "\n")
      try scratch.expectGolden("stream-tail/bad-lines")
    }
  }

  @Test func `wrong options, help and version`() async throws {
    try await Scratch.with { scratch in
      for options in [
        "--help", "--version", "--level loud", "--since yesterday", "--since 90", "--until ''",
        "--match ''", "--last 0", "--last x", "--json --text",
      ] {
        try await scratch.shell("stream-tail \(options)")
      }
      try scratch.expectGolden("stream-tail/options")
    }
  }

  @Test func `text shows each event on a line, in colour on a terminal alone`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/events.ndjson", Self.events)
      try await scratch.shell("stream-tail --text events.ndjson")
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
}
