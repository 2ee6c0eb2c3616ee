import Testing

@testable import Display

/// How tables share the width of a terminal.
@Suite struct TableTests {
  private let table = Table(
    [
      TableColumn("name", importance: 9, leastWidth: 4),
      TableColumn("count", .number, importance: 5),
      TableColumn("note", importance: 1, leastWidth: 6),
    ],
    [
      [TableCell("alpha"), TableCell("7"), TableCell("the first of two")],
      [TableCell("漢字"), TableCell("1200"), TableCell("")],
    ])

  private func lines(_ width: Int?, _ table: Table? = nil) -> [String] {
    (table ?? self.table).lines(width: width, palette: .none, hasHeadings: true)
  }

  @Test func `columns stand below each other, numbers at the right`() {
    #expect(
      lines(nil) == [
        "NAME   COUNT  NOTE", "alpha      7  the first of two", "漢字    1200",
      ])
  }

  @Test func `what matters least is cut first`() {
    #expect(
      lines(24) == ["NAME   COUNT  NOTE", "alpha      7  the first…", "漢字    1200"])
  }

  @Test func `where it has no room any more it goes as a whole`() {
    #expect(lines(16) == ["NAME   COUNT", "alpha      7", "漢字    1200"])
    #expect(lines(6) == ["NAME", "alpha", "漢字"])
    #expect(lines(4) == ["NAME", "alp…", "漢字"])
    #expect(lines(1) == ["…", "…", "…"])
  }

  @Test func `a number is never cut`() {
    let table = Table(
      [TableColumn("n", .number, importance: 1), TableColumn("word", importance: 9)],
      [[TableCell("1234567"), TableCell("words")]])
    #expect(lines(12, table) == ["WORD", "words"])
    #expect(lines(14, table) == ["      N  WORD", "1234567  words"])
  }

  @Test func `a column in which nothing stands is left out`() {
    let table = Table(
      [TableColumn("a", importance: 1), TableColumn("b", importance: 1)],
      [[.empty, TableCell("x")], [.empty, TableCell("y")]])
    #expect(lines(nil, table) == ["B", "x", "y"])
  }

  @Test func `no row wraps, whatever the width`() {
    for width in 1...60 {
      for line in lines(width) { #expect(Cells.width(line) <= width) }
    }
  }

  @Test func `what would steer a terminal is shown as text`() {
    let table = Table(
      [TableColumn("a", importance: 1)], [[TableCell("x\u{1B}[2J\n\u{202E}y")]])
    #expect(
      table.lines(width: nil, palette: .none, hasHeadings: false) == ["x<U+001B>[2J <U+202E>y"])
  }

  @Test func `looks take no room`() {
    let table = Table(
      [TableColumn("a", importance: 1), TableColumn("b", importance: 1)],
      [[TableCell("x", .bad), TableCell("y", .faint)]])
    #expect(
      table.lines(width: nil, palette: Palette(isColored: true), hasHeadings: false) == [
        "\u{1B}[31mx\u{1B}[0m  \u{1B}[2my\u{1B}[0m"
      ])
  }
}
