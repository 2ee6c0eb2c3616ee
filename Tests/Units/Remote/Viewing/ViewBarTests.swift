import Testing

@testable import Remote

/// The line of a view that names the keys that leave it.
struct ViewBarTests {
  private let size = SSHChannel.TerminalSize(columns: 80, lines: 24)

  @Test(arguments: [
    ("q", true), ("\u{1D}", true), ("xq", true), ("", false), ("Q", false), ("\u{1B}[A", false),
    ("\u{1B}q", false), ("\u{3}", false), ("\u{1B}[Aq", true), ("\u{1B}OA\u{1B}[1;5Bq", true),
    ("\u{1B}[1;2", false), ("\u{1B}", false),
  ])
  func `only keys leave, not sequences`(typed: String, leaves: Bool) {
    #expect(ViewBar.isLeft(by: Array(typed.utf8)) == leaves)
  }

  @Test func `it is drawn again after what may erase it`() {
    let bar = ViewBar(takesInput: false)
    let drawn = bar.drawn(on: size, isOver: false)
    #expect(
      String(decoding: drawn, as: UTF8.self)
        == "\u{1B}7\u{1B}[24;1H\u{1B}[0;7m read-only, Ctrl-] or q leaves \u{1B}[0m\u{1B}[K\u{1B}8")
    for (output, isErased) in [("text", false), ("\u{1B}[2J", true), ("\u{1B}[24;1Hx", false)] {
      let bytes = Array(output.utf8)
      #expect(bar.kept(after: bytes, on: size) == bytes + (isErased ? drawn : []))
    }
    let over = bar.drawn(on: size, isOver: true)
    #expect(String(decoding: over, as: UTF8.self).contains("\u{1B}[24;50H"))
    for output in ["\u{1B}[24;1Hx", "\u{1B}[24dx", "\u{1B}[J"] {
      let bytes = Array(output.utf8)
      #expect(bar.kept(after: bytes, on: size, isOver: true) == bytes + over)
    }
    #expect(ViewBar(takesInput: true).drawn(on: size, isOver: false) != drawn)
  }

  @Test func `a terminal of two lines has no room for it`() {
    let small = SSHChannel.TerminalSize(columns: 80, lines: 2)
    #expect(ViewBar(takesInput: false).drawn(on: small, isOver: false).isEmpty)
    #expect([1, 2, 3, 24].map { ViewBar.room(in: $0) } == [1, 2, 2, 23])
  }
}
