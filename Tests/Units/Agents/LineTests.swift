import Core
import TestSupport
import Testing

@testable import Agents

@Suite("lines of a command")
struct LineTests {
  /// The lines of bytes that come in pieces of a size.
  private func lines(_ bytes: [UInt8], pieces size: Int) -> [LineCutter.Line] {
    var cutter = LineCutter()
    var lines: [LineCutter.Line] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
        cutter.cut(piece) { lines.append($0) }
      }
    }
    cutter.end { lines.append($0) }
    return lines
  }

  private func texts(_ text: String) -> [String] {
    lines(Array(text.utf8), pieces: 3).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `lines end at line feeds, and a last one at the end`() {
    #expect(texts("") == [])
    #expect(texts("a\nb\r\n\nc") == ["a", "b", "", "c"])
    #expect(texts("a\r\rb\r\n") == ["a\r\rb"])
    #expect(texts("\u{0}\u{1B}[31mred\n") == ["\u{0}\u{1B}[31mred"])
  }

  @Test(arguments: [65_535, 65_536, 65_537, 1 << 20])
  func `a long line is cut and tells its length`(length: Int) {
    let text = [UInt8](repeating: 0x61, count: length)
    let found = lines(text + Array("\r\nnext".utf8), pieces: 4096)
    #expect(found.map(\.length) == [length == 65_536 || length <= 65_536 ? length : length + 1, 4])
    #expect(found.first?.bytes.count == min(length, 65_536))
    #expect(found.first?.isCut == (length > 65_536))
  }

  @Test func `what begins as JSON is kept longer`() {
    let line = Array("{".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("}".utf8)
    #expect(lines(line, pieces: 70_000).map(\.bytes) == [line])
  }

  @Test func `pieces make no difference`() {
    var random = SeededRandom(seed: 4)
    let alphabet = Array("{}\r\n\n\"a:,\u{E9}".utf8) + [0, 0x1B, 0xFF]
    for _ in 0..<200 {
      let count = Int.random(in: 0...300, using: &random)
      let bytes = (0..<count).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let whole = lines(bytes, pieces: 1000)
      #expect(lines(bytes, pieces: 1) == whole)
      #expect(lines(bytes, pieces: 7) == whole)
    }
  }

  @Test(arguments: [
    ("", Log.Level.info), ("plain", .info), ("ERROR no disk", .error), ("error: no disk", .error),
    ("Error: no disk", .error), ("error handling is tested", .info), ("errors: 0", .info),
    ("error-free", .info), ("error[E0425]: cannot find", .error), ("[error] no disk", .error),
    ("[WARN] slow", .warn), ("warning: unused", .warn), ("WARNING:root:slow", .warn),
    ("2026-02-25T10:00:00.123Z ERROR no disk", .error),
    ("2026-02-25 10:00:00,123 - [debug] x", .debug), ("10:00:00 INFO begins", .info),
    ("\u{1B}[31mFATAL\u{1B}[0m no disk", .critical), ("panic: runtime error", .critical),
    ("<critical> x", .critical), ("TRACE x", .debug), ("Debugging is fun", .info),
    ("ERROR=1", .info), ("INFO error: not this one", .info), ("main: error: no disk", .info),
    ("\u{1B}", .info), ("\u{1B}[", .info), ("[", .info), ("12:34", .info), ("error", .error),
    ("fatal: not a git repository", .error), ("\u{1B}[2K\rfatal: no tree", .error),
    ("Fatal error: no index", .error),
    ("fatal error: no map", .error), ("FATAL: no disk", .critical), ("[fatal] no disk", .critical),
    ("ValueError: x", .error), ("java.lang.RuntimeException: x", .error),
    ("Uncaught TypeError: x", .error), ("Unhandled exception. System.Exception: x", .error),
    ("Error", .error), ("NoErrors: x", .info), ("TypeError::new", .info),
    ("Exception handling", .info),
  ])
  func `the beginning of a line tells its level`(line: String, level: Log.Level) {
    #expect(LineLevel.of(Array(line.utf8)) == level)
  }

  @Test(arguments: [
    (#"{"level":"error","msg":"no disk"}"#, Log.Level.error),
    (#"{"msg":"x","level": "WARN"}"#, .warn),
    (#"{"ts":1,"severity":"CRITICAL"}"#, .critical), (#"{"time":1,"level":50,"msg":"x"}"#, .error),
    (#"{"level":30}"#, .info), (#"{"level":60}"#, .critical), (#"{"level":2}"#, .info),
    (#"{"@t":"x","@l":"Error"}"#, .error), (#"{"a":{"level":"error"},"msg":"x"}"#, .info),
    (#"{"msg":"level","x":"error"}"#, .info), (#"{"msg":"\"level\":\"error\""}"#, .info),
    (#"{"message":"the \"level\"","level":"fatal"}"#, .critical), (#"{"level":"none"}"#, .info),
    (#"{"level""#, .info), ("{", .info), ("{error} x", .error),
    ("level=error msg=\"no disk\"", .error), ("time=\"2026-01-01 level=x\" level=warn x=1", .warn),
    ("ts=1 lvl=eror msg=x", .error), ("severity=\"ERROR\"", .error), ("a=1 b=2", .info),
    ("level=", .info), ("level", .info), ("x=\"", .info), ("levels=error", .info),
    ("foo.c:12:3: error: 'x' undeclared", .error), ("src/main.swift:7:1: warning: unused", .warn),
    ("/usr/x.h:3: error: no", .error), ("foo.c:1:10: fatal error: x.h: No such file", .error),
    ("foo.c:12:3: note: declared here", .info), ("src/a.ts(12,3): error TS2304: no name", .error),
    ("src/a.ts:12:3 - error TS2304: no name", .error), ("localhost:8080 error rate is 0", .info),
    ("foo.c: In function 'main':", .info), ("foo.c:12", .info), ("foo.c:12:3: errors", .info),
    ("Traceback (most recent call last):", .error), ("Traceback of a call", .info),
    ("npm ERR! code E404", .error), ("npm error code E404", .error), ("npm warn deprecated", .warn),
    ("npm install", .info), ("npm", .info),
    ("E1122 10:00:00.123456    1 file.go:12] no disk", .error),
    ("W1122 10:00:00.123456    1 file.go:12] slow", .warn), ("I1122 10:00:00 x", .info),
    ("F1122 10:00:00 x", .critical), ("E1122", .info), ("E2E tests pass", .info),
    ("E11224 10:00", .info), ("E404 not found", .info),
  ])
  func `a level in a form of its own is read`(line: String, level: Log.Level) {
    #expect(LineLevel.of(Array(line.utf8)) == level)
  }

  @Test func `no beginning of a line is too short or too strange for its level`() {
    let lines = [
      #"{"a":[1,{"b":"\\"}],"level":"error"}"#, "time=\"a\\\"b\" level=\"error\"",
      "foo.c:12:3: fatal error: x", "src/a.ts(12,3): error TS1: x", "E1122 10:00:00 x",
      "npm ERR! x",
    ]
    for line in lines {
      for count in 0...line.utf8.count { _ = LineLevel.of(Array(line.utf8.prefix(count))) }
    }
    #expect(lines.map { LineLevel.of(Array($0.utf8)) } == lines.map { _ in .error })
  }

  @Test func `no bytes are too strange for a level or an event`() {
    var random = SeededRandom(seed: 5)
    let agent = AgentIdentity(agentId: "a", swarmId: nil, task: "t")
    var lines = OutputLines(agent)
    let pieces = [
      "{\"type\":\"", "assistant", "user", "result", "log", "traceEvent", "approvalGate",
      "turn.completed", "thread.started", "item.completed", "\",\"", "message\":", "content\":",
      "usage\":", "item\":", "{", "}", "[", "]", ",", "1e999", "-5", "null", "true", "\"x\"",
      "\"subtype\":\"init\",\"session_id\":\"s\"", "\u{FFFF}", "\\ud800",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }.joined()
      var bytes = Array(text.utf8)
      if Bool.random(using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let events = lines.events(
        of: LineCutter.Line(bytes: bytes, length: bytes.count), from: .output, at: .now)
      for event in events { #expect(throws: Never.self) { try event.json() } }
    }
    #expect(throws: Never.self) { try lines.end(at: .now).map { try $0.json() } }
  }
}
