import Core
import Foundation
import TestSupport
import Testing

@testable import Tmux

struct TmuxScreenTests {
  static let head = "agentpipes-screen/1 %1 10 3 2 1 1 0 5 10 3 3.3a \n"

  static func screen(_ text: String, history: Int = 0, status: Int32? = 0) throws -> TmuxScreen {
    let answer = TmuxAnswer(status: status, output: Array(text.utf8), errors: [])
    return try TmuxScreen(answer, of: TmuxTarget("a"), on: "box", history: history)
  }

  @Test func `all that was asked is read`() throws {
    let screen = try Self.screen("motd\n" + Self.head + "a\n\n\u{1B}[31mc\n")
    #expect(screen.pane == "%1")
    #expect(
      numbers(screen.width, screen.height, screen.cursorX, screen.cursorY) == numbers(10, 3, 2, 1))
    #expect(
      numbers(screen.windowWidth, screen.windowHeight, screen.historyLines) == numbers(10, 3, 0))
    #expect(screen.isCursorVisible && !screen.isAlternate && !screen.joinsEmoji)
    #expect(screen.lines.map { String(decoding: $0, as: UTF8.self) } == ["a", "", "\u{1B}[31mc"])
    let record = screen.record(ts: 5, escapes: true)
    #expect(
      record
        == TerminalSnapshot(
          ts: 5, paneId: "%1", width: 10, height: 3, cursorX: 2, cursorY: 1, cursorVisible: true,
          alternateOn: false, escapes: true, text: "a\n\n\u{1B}[31mc\n"))
  }

  @Test(arguments: [
    ("3.2", false), ("3.3a", false), ("3.4", true), ("3.5a", true), ("next-3.6", true),
    ("openbsd-7.4", true), ("next-3.3", false), ("", true),
  ])
  func `the version tells how emoji are joined`(version: String, joins: Bool) throws {
    let text = Self.head.replacing("3.3a", with: version) + "\n\n\n"
    #expect(try Self.screen(text).joinsEmoji == joins)
  }

  @Test func `as much history is expected as there is`() throws {
    let screen = try Self.screen(Self.head + "h4\nh5\na\nb\nc\n", history: 2)
    #expect(screen.historyLines == 2)
    #expect(screen.lines.count == 5)
    let all = (1...8).map { "\($0)\n" }.joined()
    #expect(try Self.screen(Self.head + all, history: 100).historyLines == 5)
  }

  @Test func `what is cut or cannot be is refused`() {
    let whole = Self.head + "a\nb\nc\n"
    for count in 0..<whole.utf8.count {
      #expect(throws: Failure.self) { try Self.screen(String(whole.prefix(count))) }
    }
    for (part, wrong) in [
      ("%1", "1"), (" 10 3 2", " 0 3 2"), (" 10 3 2", " 10 99999999 2"), (" 2 1 1", " -2 1 1"),
      ("3.3a ", "3.3a"), (" 10 3 2", " 10 x 2"),
    ] {
      #expect(throws: Failure.self) { try Self.screen(whole.replacing(part, with: wrong)) }
    }
    #expect(throws: Failure.self) { try Self.screen(whole, status: nil) }
    let gone = #expect(throws: Failure.self) {
      try Self.screen("agentpipes-screen/1            3.3a \n")
    }
    #expect(gone?.code == .tmuxSessionNotFound)
  }

  @Test func `tmux itself is read`() throws {
    let server = try TmuxServer()
    let lines = (1...40).map { "line \($0)\r\n" }.joined()
    try server.show(
      Array((lines + "\u{1B}[?25l\u{1B}[3;7H\u{1B}[31mé").utf8), as: "a", columns: 30, lines: 10)
    let screen = try server.screen("a", history: 5)
    #expect(
      numbers(screen.width, screen.height, screen.cursorX, screen.cursorY) == numbers(30, 10, 7, 2))
    #expect(!screen.isCursorVisible && screen.historyLines == 5)
    #expect(String(decoding: screen.lines[0], as: UTF8.self) == "line 27")
    #expect(String(decoding: screen.lines[7], as: UTF8.self) == "line 3\u{1B}[31mé")
    let plain = try TmuxScreen(
      server.run(.capture(TmuxTarget(pane: screen.pane), escapes: false)),
      of: TmuxTarget("a"), on: "box")
    #expect(plain.lines.map { String(decoding: $0, as: UTF8.self) }[2] == "line 3é")
    let all = try server.screen("a", history: 1000)
    #expect(all.lines.count == 41 && all.historyLines == 31)
  }
}
