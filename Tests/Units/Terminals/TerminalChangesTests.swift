import Terminals
import TestSupport
import Testing

@Suite("what a terminal was changed to")
struct TerminalChangesTests {
  private func restoring(_ text: String) -> String {
    var changes = TerminalChanges()
    changes.read(Array(text.utf8))
    return String(decoding: changes.restoring, as: UTF8.self)
  }

  @Test(arguments: [
    ("\u{1B}[?25l", "\u{1B}[?25h"), ("\u{1B}[?7l", "\u{1B}[?7h"), ("\u{1B}[?5h", "\u{1B}[?5l"),
    ("\u{1B}[?9h", "\u{1B}[?9l"), ("\u{1B}[?2031h", "\u{1B}[?2031l"),
    ("\u{1B}[?2048h", "\u{1B}[?2048l"), ("\u{1B}[2h", "\u{1B}[2l"), ("\u{1B}[4h", "\u{1B}[4l"),
    ("\u{1B}[12l", "\u{1B}[12h"), ("\u{1B}[>4;2m", "\u{1B}[>4m"), ("\u{1B}[>4n", "\u{1B}[>4m"),
    ("\u{1B}[>1u", "\u{1B}[<1u"), ("\u{1B}[>1u\u{1B}[>3u\u{1B}[<u\u{1B}[>5u", "\u{1B}[<2u"),
    ("\u{1B}[=5u", "\u{1B}[=0u"), ("\u{1B}[5 q", "\u{1B}[0 q"), ("\u{E}", "\u{F}"),
    ("\u{1B}(0", "\u{1B}(B"), ("\u{1B}=", "\u{1B}>"), ("\u{1B}[1;31m", "\u{1B}[m"),
    ("\u{1B}[38;5;0m", "\u{1B}[m"), ("\u{1B}[38;2;0;0;0m", "\u{1B}[m"), ("\u{1B}[4:3m", "\u{1B}[m"),
    ("\u{1B}[3;9r", "\u{1B}7\u{1B}[r\u{1B}8"), ("\u{1B}%@", "\u{1B}%G"),
    ("\u{1B}[1\"q", "\u{1B}[0\"q"), ("\u{1B}]11;#000\u{7}", "\u{1B}]111\u{1B}\\"),
    ("\u{1B}]8;;http://x/\u{1B}\\", "\u{1B}]8;;\u{1B}\\"),
    ("\u{1B}]22;wait\u{7}", "\u{1B}]22;\u{1B}\\"),
    ("\u{1B}[?6h\u{1B}[3;9r", "\u{1B}[?6l\u{1B}[r\u{1B}[9999;1H"),
    ("\u{1B}[?1049h\u{1B}[>1u\u{1B}[3;9r\u{1B}[?25l", "\u{1B}[<1u\u{1B}[r\u{1B}[?1049l\u{1B}[?25h"),
    ("\u{1B}[>1u\u{1B}[?1049h", "\u{1B}[?1049l\u{1B}[<1u"), ("\u{1B}[?47h", "\u{1B}[?47l"),
    // Cut off in the middle.
    ("\u{1B}[3", "\u{18}"), ("\u{1B}", "\u{18}"), ("\u{1B}]0;title", "\u{18}\u{1B}\\"),
    ("\u{1B}[1\u{D}m", "\u{1B}[m"),
  ])
  func `what was changed is taken back`(text: String, expected: String) {
    #expect(restoring(text) == expected)
  }

  @Test(arguments: [
    "", "text\r\n", "\u{1B}[1;31mred\u{1B}[0m", "\u{1B}[1m\u{1B}[31mred\u{1B}[39m\u{1B}[22m",
    "\u{1B}[31mred\u{1B}[m\u{1B}[K", "\u{1B}[38;5;1;48;2;1;2;3mx\u{1B}[39;49m",
    "\u{1B}[4:3m\u{1B}[4:0m",
    "\u{1B}[?25l\u{1B}[?25h", "\u{1B}[?1049h\u{1B}[22;0;0t\u{1B}[?1049l", "\u{1B}[3;9r\u{1B}[r",
    "\u{1B}]0;title\u{7}", "\u{1B}]11;?\u{7}", "\u{1B}]11;#000\u{7}\u{1B}]111\u{7}", "\u{E}x\u{F}",
    "\u{1B}[>1u\u{1B}[<u", "\u{1B}[<u", "\u{1B}[>4;2m\u{1B}[>4m", "\u{1B}[>4;2m\u{1B}[>4;0m",
    "\u{1B}[5 q\u{1B}[ q", "\u{1B}[?5h\u{1B}[31m\u{1B}c", "\u{1B}[?12l", "\u{1B}[6n\u{1B}[c",
    "\u{1B}P+q544e\u{1B}\\", "\u{1B}]8;;http://x/\u{7}x\u{1B}]8;;\u{7}",
    "\u{1B}[?5h\u{18}\u{1B}[?5l",
  ])
  func `what is as it was is left alone`(text: String) {
    #expect(restoring(text) == "")
  }

  @Test func `what was taken back meanwhile is taken back where it is not known what got through`()
  {
    var changes = TerminalChanges()
    changes.read(Array("\u{1B}[?1049h\u{1B}[?1000h\u{1B}[?1000l".utf8))
    #expect(changes.restoring == Array("\u{1B}[?1049l".utf8))
    #expect(changes.restoringAll == Array("\u{18}\u{1B}[?1000l\u{1B}[?1049l".utf8))
  }

  @Test func `a terminal is as it was after what restores it, however the bytes are cut`() {
    var random = SeededRandom(seed: 9)
    let pieces = [
      "\u{1B}[", "?", "25", "1049", "l", "h", "m", "\u{1B}]", "8;;x", "\u{7}", "\u{1B}\\", "\u{E}",
      "\u{F}", ">", "<", "u", "1", "4;2", " q", "\u{1B}(0", "text\n", "r", "\u{18}", "\u{1B}c",
    ]
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        text += pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      var whole = TerminalChanges()
      var cut = TerminalChanges()
      whole.read(Array(text.utf8))
      for byte in text.utf8 { cut.read([byte]) }
      #expect(cut.restoring == whole.restoring)
      for restoring in [whole.restoring, whole.restoringAll] {
        var changes = whole
        changes.read(restoring)
        #expect(changes.isEmpty, "\(text.debugDescription)")
      }
    }
  }
}
