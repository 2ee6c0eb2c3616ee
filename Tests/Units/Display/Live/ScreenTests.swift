import Core
import Testing

@testable import Display

/// A whole terminal, and the keys of who sits at it.
@Suite struct ScreenTests {
  private let size = TerminalSize(columns: 20, rows: 3)

  @Test func `only what changed is written`() {
    var screen = Screen()
    _ = screen.drawn(["one", "two"], size)
    #expect(screen.drawn(["one", "two"], size) == "")
    #expect(
      screen.drawn(["one", "three"], size)
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[Kthree\u{1B}[0m\u{1B}[?2026l")
  }

  @Test func `what has no room is left out, and another size draws all again`() {
    var screen = Screen()
    let first = screen.drawn(["1", "2", "3", "4"], size)
    #expect(first.contains("\u{1B}[3;1H\u{1B}[K3") && !first.contains("4\u{1B}[0m"))
    let again = screen.drawn(["1", "2", "3", "4"], TerminalSize(columns: 20, rows: 4))
    #expect(again.hasPrefix("\u{1B}[?2026h\u{1B}[0m\u{1B}[2J") && again.contains("4\u{1B}[0m"))
  }

  @Test func `keys are told apart`() {
    #expect(
      Key.keys(Array("a\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~\r\u{7F}\u{1A}é".utf8))
        == [
          .character("a"), .up, .down, .pageUp, .pageDown, .home, .end, .enter, .backspace,
          .control("z"), .character("é"),
        ])
    #expect(Key.keys([0x1B]) == [.escape])
    #expect(Key.keys(Array("\u{1B}[200;3;4x".utf8)) == [])
  }

  @Test func `no bytes are a trap for keys`() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max { _ = Key.keys([0x1B, first, second, 0xFF]) }
    }
  }
}
