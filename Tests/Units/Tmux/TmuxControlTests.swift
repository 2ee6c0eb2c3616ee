import Core
import Foundation
import TestSupport
import Testing

@testable import Tmux

struct TmuxControlTests {
  /// What a parser tells of some bytes, given in pieces.
  static func events(_ bytes: [UInt8], cuts: [Int] = [], isEnd: Bool = true) -> [TmuxEvent] {
    var parser = TmuxControlParser()
    var events: [TmuxEvent] = []
    var start = 0
    for cut in cuts + [bytes.count] {
      parser.read(Array(bytes[start..<cut]), at: 7) { events.append($0) }
      start = cut
    }
    if isEnd { parser.finish(at: 7) { events.append($0) } }
    return events
  }

  static func events(_ text: String) -> [TmuxEvent] { events(Array((begin + text).utf8)) }

  /// The attaching, which comes first.
  static let begin = "%begin 1772013600 264 0\n%end 1772013600 264 0\n"
  static let reply = TmuxEvent.reply(TmuxReply(number: 264, isError: false, text: ""))

  static func output(_ pane: String, _ text: String, lag: Int? = nil) -> TmuxEvent {
    .output(TmuxOutput(ts: 7, pane: pane, bytes: Array(text.utf8), lagMs: lag))
  }

  static func event(
    _ kind: TerminalEventKind, session: String? = nil, window: String? = nil, pane: String? = nil,
    name: String? = nil, layout: String? = nil, reason: String? = nil, text: String? = nil
  ) -> TmuxEvent {
    .event(
      TerminalEvent(
        ts: 7, event: kind, sessionId: session, windowId: window, paneId: pane, name: name,
        layout: layout, reason: reason, text: text))
  }

  /// Lines, and what each tells.
  static let lines: [(String, TmuxEvent)] = [
    (#"%output %1 a\015\012\134b é"#, output("%1", "a\r\n\\b é")),
    ("%output %12  x : y", output("%12", " x : y")),
    (#"%extended-output %1 20 : a : b\011"#, output("%1", "a : b\t", lag: 20)),
    ("%extended-output %1 0 more of it : x", output("%1", "x", lag: 0)),
    ("%pause %1", event(.pause, pane: "%1")), ("%continue %1", event(.goesOn, pane: "%1")),
    ("%pane-mode-changed %3", event(.paneModeChanged, pane: "%3")),
    ("%window-add @2", event(.windowAdd, window: "@2")),
    ("%window-close @2", event(.windowClose, window: "@2")),
    ("%window-renamed @2 a b", event(.windowRenamed, window: "@2", name: "a b")),
    ("%unlinked-window-add @2", event(.unlinkedWindowAdd, window: "@2")),
    ("%unlinked-window-close @2", event(.unlinkedWindowClose, window: "@2")),
    ("%unlinked-window-renamed @2 é", event(.unlinkedWindowRenamed, window: "@2", name: "é")),
    ("%window-pane-changed @1 %4", event(.windowPaneChanged, window: "@1", pane: "%4")),
    (
      "%layout-change @1 b25f,80x24,0,0,2 b25f,80x24,0,0,2 *",
      event(.layoutChange, window: "@1", layout: "b25f,80x24,0,0,2")
    ),
    ("%session-changed $1 a b", event(.sessionChanged, session: "$1", name: "a b")),
    ("%session-renamed $1 x", event(.sessionRenamed, session: "$1", name: "x")),
    (
      "%session-window-changed $1 @2", event(.sessionWindowChanged, session: "$1", window: "@2")
    ),
    ("%sessions-changed", event(.sessionsChanged)),
    (
      "%client-session-changed /dev/pts/3 $1 x",
      event(.clientSessionChanged, session: "$1", name: "/dev/pts/3")
    ),
    ("%client-detached client-17", event(.clientDetached, name: "client-17")),
    ("%paste-buffer-changed buffer0", event(.notice, text: "%paste-buffer-changed buffer0")),
    ("%config-error /x: bad", event(.notice, text: "%config-error /x: bad")),
    (
      "%subscription-changed n $1 @1 1 %1 : v",
      event(.notice, text: "%subscription-changed n $1 @1 1 %1 : v")
    ),
    ("%made-up 1 2", event(.notice, text: "%made-up 1 2")),
    ("%end 1 1 1", event(.notice, text: "%end 1 1 1")),
    ("%window-add 2", event(.notice, text: "%window-add 2")),
    ("%pause %x", event(.notice, text: "%pause %x")),
    ("%output", event(.notice, text: "%output")),
    ("%output %1", event(.notice, text: "%output %1")),
    ("%output x y", event(.notice, text: "%output x y")),
    ("%extended-output %1 -4 : y", event(.notice, text: "%extended-output %1 -4 : y")),
    ("text", event(.notice, text: "text")),
  ]

  @Test func `every line tells what it says`() {
    for (line, expected) in Self.lines {
      #expect(Self.events(line + "\n") == [Self.reply, expected], "\(line)")
    }
    #expect(Self.events("%exit\n%output %1 x\n") == [Self.reply, Self.event(.exit)])
    #expect(
      Self.events("%exit too far behind\nbye") == [
        Self.reply, Self.event(.exit, reason: "too far behind"),
      ])
  }

  @Test func `however the bytes are cut, the same is told`() {
    let text = Self.begin + Self.lines.map { $0.0 + "\n" }.joined() + "%exit\n"
    let bytes = Array("login: hello\n\u{1B}[31m%output %1 x\nmotd".utf8) + Array(text.utf8)
    let expected = [Self.reply] + Self.lines.map(\.1) + [Self.event(.exit)]
    #expect(Self.events(bytes) == expected)
    #expect(Self.events(bytes, cuts: Array(1..<bytes.count)) == expected)
    for cut in 0..<bytes.count { #expect(Self.events(bytes, cuts: [cut]) == expected) }
  }

  @Test func `a failed attaching tells why`() {
    let text = "%begin 1 2 0\ncan't find session: x\n%error 1 2 0\n%exit\n"
    let reply = TmuxReply(number: 2, isError: true, text: "can't find session: x\n")
    #expect(Self.events(Array(text.utf8)) == [.reply(reply), Self.event(.exit)])
  }

  @Test func `only the exact words end a reply`() {
    let text =
      "%begin 5 6 0\n%end 1 1 1\n%end 5 6 1\n%end 5 6 0 \n %end 5 6 0\n%exit\n%output %1 x\n"
      + "%begin 5 7 0\n%end 5 6 0\n%output %1 y\n"
    let said = text.split(separator: "\n").dropFirst().prefix(7).joined(separator: "\n") + "\n"
    #expect(
      Self.events(Array(text.utf8)) == [
        .reply(TmuxReply(number: 6, isError: false, text: said)), Self.output("%1", "y"),
      ])
  }

  @Test func `what is no escape of tmux stays as it is`() {
    #expect(
      Self.events("%output %1 \\q\\0\\18\\777\\\\101\\\n").last
        == Self.output("%1", "\\q\\0\\18\\777\\A\\"))
  }

  @Test func `a line of any length takes little memory`() {
    let data = String(repeating: "0123456789abcde\\012", count: 1 << 18)
    let bytes = Array((Self.begin + "%output %1 \(data)\n%sessions-changed\n").utf8)
    let cuts = Array(stride(from: 1, to: bytes.count, by: 4099))
    let events = Self.events(bytes, cuts: cuts)
    let pieces = events.compactMap {
      if case .output(let output) = $0 { output.bytes } else { nil }
    }
    #expect(pieces.allSatisfy { $0.count <= TmuxControlParser.longest })
    #expect(pieces.reduce(0) { $0 + $1.count } == 16 << 18)
    #expect(Array(pieces.joined().prefix(32)) == Array("0123456789abcde\n0123456789abcde\n".utf8))
    #expect(events == Self.events(bytes))
    #expect(events.last == Self.event(.sessionsChanged))
    // The same of a line that is no output, of a reply, and of what comes before anything.
    let long = String(repeating: "x", count: 3 << 20)
    for text in [
      Self.begin + "%window-renamed @1 \(long)\n%sessions-changed\n",
      "%begin 1 2 0\n\(long)\n\(long)\n%end 1 2 0\n%sessions-changed\n",
      "\(long)\n" + Self.begin + "%sessions-changed\n",
    ] {
      let events = Self.events(Array(text.utf8))
      #expect(events.last == Self.event(.sessionsChanged))
      #expect("\(events)".utf8.count < 3 * TmuxControlParser.longest)
    }
  }

  @Test func `bytes of any kind are told exactly, and any cut is the same`() {
    var random = SeededRandom(seed: 77)
    for _ in 0..<60 {
      var text = Array(Self.begin.utf8)
      var expected: [TmuxEvent] = [Self.reply]
      for _ in 0..<Int.random(in: 1..<8, using: &random) {
        if random.chance(4) {
          let (line, event) = random.one(of: Self.lines, else: Self.lines[0])
          text += Array(line.utf8) + [0x0A]
          expected.append(event)
        } else {
          let bytes = (0..<Int.random(in: 1..<60, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          text += Array("%output %3 ".utf8) + Self.escaped(bytes) + [0x0A]
          expected.append(.output(TmuxOutput(ts: 7, pane: "%3", bytes: bytes, lagMs: nil)))
        }
      }
      #expect(Self.events(text) == expected)
      let cuts = (0..<5).map { _ in Int.random(in: 0...text.count, using: &random) }.sorted()
      #expect(Self.events(text, cuts: cuts) == expected)
    }
  }

  /// As tmux writes bytes (control_append_data).
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      guard byte < 0x20 || byte == 0x5C else { return [byte] }
      let digits = String(byte, radix: 8)
      return Array(("\\" + String(repeating: "0", count: 3 - digits.count) + digits).utf8)
    }
  }

  @Test func `no bytes do harm`() {
    var random = SeededRandom(seed: 99)
    let whole = Array((Self.begin + Self.lines.map { $0.0 + "\n" }.joined()).utf8)
    for round in 0..<400 {
      var bytes = round % 4 == 0 ? [] : whole
      for _ in 0..<Int.random(in: 1..<40, using: &random) {
        bytes.insert(
          UInt8.random(in: 0...255, using: &random),
          at: Int.random(in: 0...bytes.count, using: &random))
      }
      let cuts = (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      #expect(Self.events(bytes, cuts: cuts) == Self.events(bytes))
    }
  }
}
