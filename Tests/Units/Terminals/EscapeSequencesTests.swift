import TestSupport
import Testing

@testable import Terminals

@Suite("escape sequences in text")
struct EscapeSequencesTests {
  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[0m", "red"), ("\u{1B}[38;5;196;1mred\u{1B}[K", "red"),
    ("\u{1B}]0;title\u{7}x", "x"), ("\u{1B}]8;;http://a\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
    ("\u{1B}P1$r0m\u{1B}\\x", "x"), ("\u{1B}_a\u{9C}x", "x"), ("\u{9B}1mx\u{9B}m", "x"),
    ("\u{1B}(B\u{F}x", "x"), ("a\u{1B}7b\u{1B}8", "ab"), ("\u{1B}[?25lx", "x"),
    ("\u{1B}]no end", "no end"), ("\u{1B}]a\u{1B}[1mb", "ab"), ("\u{1B}", ""), ("\u{1B}[1", ""),
    ("\u{1B}[1\u{7}x", "\u{7}x"), ("\u{A0}é [31m\t", "\u{A0}é [31m\t"), ("", ""),
  ])
  func `text stays, and what a terminal obeys goes`(text: String, plain: String) {
    #expect(EscapeSequences.removed(from: text) == plain)
  }

  @Test func `no bytes are too strange, and no escape stays`() {
    var random = SeededRandom(seed: 6)
    let pieces: [UInt8] = [0x1B, 0x1B, 0x5B, 0x5D, 0x50, 0x5C, 0x07, 0xC2, 0x9B, 0x9C, 0x31, 0x6D]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      #expect(!EscapeSequences.removed(from: bytes).contains(0x1B))
    }
  }
}
