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

  private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  private func keys(_ bytes: [UInt8]) -> [Key] {
    var bytes = bytes
    return Key.keys(&bytes, isAll: true)
  }

  @Test func `keys are told apart`() {
    #expect(
      keys("a\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~\r\u{7F}\u{1A}é")
        == [
          .character("a"), .up, .down, .pageUp, .pageDown, .home, .end, .enter, .backspace,
          .control("z"), .character("é"),
        ])
    #expect(keys([0x1B]) == [.escape])
    #expect(keys("\u{1B}[200;3;4x") == [])
  }

  @Test func `a key that comes in two parts is one key`() {
    let all = Array("k\u{1B}[A漢\u{1B}[5~\u{1B}OB\u{1B}[1;2H".utf8)
    for cut in 0...all.count {
      var bytes = Array(all[..<cut])
      let first = Key.keys(&bytes)
      bytes += all[cut...]
      #expect(first + Key.keys(&bytes) == keys(all), "cut at \(cut)")
      #expect(bytes.isEmpty)
    }
    // Of what never goes on, escape is the key that it began with.
    var bytes: [UInt8] = [0x1B]
    #expect(Key.keys(&bytes) == [] && Key.keys(&bytes, isAll: true) == [.escape])
    // What has no end is not waited for without end.
    bytes = [0x1B, 0x5B] + Array(repeating: 0x31, count: 100)
    _ = Key.keys(&bytes)
    #expect(bytes.isEmpty)
  }

  @Test func `no bytes are a trap for keys`() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max { _ = keys([0x1B, first, second, 0xFF]) }
    }
  }
}
