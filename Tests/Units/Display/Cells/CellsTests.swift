import TestSupport
import Testing

@testable import Display

/// How wide text is, and what is left of it where there is little room.
@Suite struct CellsTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("café", 4), ("cafe\u{301}", 4), ("漢字", 4), ("ｱｲ", 2), ("ＡＢ", 4),
    ("👍", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("한국어", 6),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("▁▂█░", 4), ("…", 1), ("नमस्ते", 4), ("עברית", 5),
  ])
  func `characters take the cells that terminals give them`(_ text: String, _ width: Int) {
    #expect(Cells.width(text) == width)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
    ("漢字漢字", 5, "漢字…"), ("漢字漢字", 4, "漢…"), ("one two", 5, "one…"),
  ])
  func `what is too long is cut, and says so`(_ text: String, _ width: Int, _ cut: String) {
    #expect(Cells.cut(text, to: width) == cut)
  }

  @Test func `of a path its end is kept`() {
    #expect(Cells.cut("/home/ann/notes.md", to: 10, keepingEnd: true) == "…/notes.md")
    #expect(Cells.cut("/家/記.md", to: 6, keepingEnd: true) == "…記.md")
  }

  @Test func `text is wrapped at spaces, and a word that is too long is broken`() {
    #expect(Cells.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(Cells.wrapped("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
    #expect(Cells.wrapped("漢字漢字", to: 3) == ["漢", "字", "漢", "字"])
    #expect(Cells.wrapped("漢", to: 1) == ["漢"])
    #expect(Cells.wrapped("", to: 3) == [""])
  }

  @Test func `whatever the text, it is as wide as was asked at most`() {
    var random = SeededRandom(seed: 7)
    let alphabet = Array("aé漢👍🇩🇪\u{301}\u{200D}👩 ▁ｱן한…")
    for _ in 0..<2000 {
      let text = String(
        (0..<Int.random(in: 0..<12, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        })
      let width = Int.random(in: 0..<10, using: &random)
      for cut in [Cells.cut(text, to: width), Cells.cut(text, to: width, keepingEnd: true)] {
        #expect(Cells.width(cut) <= width, "\(text.debugDescription) to \(width)")
      }
      if width >= 2 {
        for line in Cells.wrapped(text, to: width) {
          #expect(Cells.width(line) <= width, "\(text.debugDescription) in \(width)")
        }
      }
    }
  }
}
