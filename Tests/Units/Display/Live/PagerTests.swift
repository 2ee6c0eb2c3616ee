import Core
import Testing

@testable import Display

/// A list that is longer than the screen.
@Suite struct PagerTests {
  private let text = RecordText(width: 40)

  @Test func `what has no room is a key away, below headings that stay`() {
    var pager = Pager()
    pager.update(["HEAD"] + (1...9).map { "row \($0)" }, headings: 1)
    #expect(
      pager.shown(5, text) == [
        "HEAD", "row 1", "row 2", "row 3", "1-3 of 9  j and k move, q ends",
      ])
    let moves = ["j", "x"].map { pager.press(.character($0)) }
    #expect(moves == [true, false])
    #expect(pager.shown(5, text).dropLast() == ["HEAD", "row 2", "row 3", "row 4"])
    _ = pager.press(.character("G"))
    #expect(
      pager.shown(5, text) == [
        "HEAD", "row 7", "row 8", "row 9", "7-9 of 9  j and k move, q ends",
      ])
    // Fewer rows, and a higher screen.
    pager.update(["HEAD", "row 1", "row 2"], headings: 1)
    #expect(pager.shown(5, text) == ["HEAD", "row 1", "row 2"])
  }

  @Test(arguments: 1...6) func `however small the screen is, no more is drawn`(_ rows: Int) {
    var pager = Pager((1...9).map { "row \($0)" })
    for key in [Key.end, .pageUp, .home, .pageDown, .up] {
      _ = pager.press(key)
      #expect(pager.shown(rows, text).count == rows)
    }
  }
}
