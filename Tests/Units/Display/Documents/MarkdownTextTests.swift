import TestSupport
import Testing

@testable import Display

/// Markdown as a terminal shows it.
@Suite struct MarkdownTextTests {
  private func text(_ markdown: String, _ width: Int = 40, colored: Bool = false) -> String {
    MarkdownText(width: width, palette: Palette(isColored: colored, hasLinks: colored))
      .text(markdown)
  }

  @Test func `a document is wrapped, each block in its form`() {
    let document = """
      # A title with *words*

      A paragraph that is longer than the terminal is wide, with `code` and [a link](https://a.example).

      - one
      - two that goes on over the end of its line
        1. first
        2. second

      > A quote
      > of two lines.

      ```sh
      make  all
      ```

      | name | count |
      | --- | ---: |
      | a | 1 |
      | 漢字 | 20 |

      ---
      """
    #expect(
      text(document) == """
        A title with words

        A paragraph that is longer than the
        terminal is wide, with code and a link.

        • one
        • two that goes on over the end of its
          line
          1. first
          2. second

        │ A quote of two lines.

          make  all

        name  count
        a     1
        漢字  20

        ────────────────────────────────────────

        """)
  }

  @Test func `a heading may be underlined`() {
    #expect(
      text("A title\nof two *lines*\n===\nText\n\nSecond\n--\n\n---\n===", 20) == """
        A title of two lines

        Text

        Second

        ────────────────────

        ===

        """)
    #expect(text("Title\n---", colored: true) == "\u{1B}[1;4mTitle\u{1B}[0m\n")
  }

  @Test func `cells that have no room are wrapped, and nothing of them is cut`() {
    let table = """
      | id | what it is | why |
      | --- | --- | --- |
      | 1 | a longer text than fits in its column | because **it** is |
      | 2 | short | |
      """
    #expect(
      text(table, 36) == """
        id  what it is         why
        1   a longer text      because it is
            than fits in its
            column

        2   short

        """)
    #expect(
      text(table, 14) == """
        id    1
        what  a longer
        it    text
        is    than
              fits in
              its
              column
        why   because
              it is

        id    2
        what  short
        it
        is
        why

        """)
  }

  @Test func `references to characters are what they stand for, and nothing is obeyed`() {
    #expect(
      text("a &amp; b &lt;i&gt; &hellip;&nbsp;&eacute; &#8364; &#x1F600;")
        == "a & b <i> …\u{A0}é € 😀\n")
    #expect(
      text("&#27;[2J &#x202E;x &#0; &#xD800; &#10;&#9;y", 60)
        == "<U+001B>[2J <U+202E>x \u{FFFD} \u{FFFD} y\n")
    // What they stand for marks nothing, and in code they are themselves.
    #expect(text("&#42;no&#42; `&amp;` &no; &amp &;") == "*no* &amp; &no; &amp &;\n")
    #expect(
      text("[l](https://a.example?x=1&amp;y=2)", colored: true).contains("?x=1&y=2\u{1B}"))
  }

  @Test func `a line of code that has no room goes on behind a mark`() {
    #expect(
      text("```\nlet sum = first + second\n\nx\n```", 16) == """
          let sum = firs
          ↳ t + second

          x

        """)
  }

  @Test func `emphasis, code and links stand out`() {
    #expect(
      text("**b** *i* `c` [l](https://a.example) ~~s~~", colored: true) == """
        \u{1B}[1mb\u{1B}[0m \u{1B}[3mi\u{1B}[0m \u{1B}[36mc\u{1B}[0m \
        \u{1B}]8;;https://a.example\u{1B}\\\u{1B}[36ml\u{1B}[0m\u{1B}]8;;\u{1B}\\ \
        \u{1B}[2ms\u{1B}[0m

        """)
  }

  @Test(arguments: [
    "snake_case_name and 2 * 3 * 4", "a ** b", "[not a link] (x)", "`open", "1 < 2 > 1",
    "*open", "#hashtag", "a_b_ c",
  ])
  func `what is no markup stays as it is`(_ line: String) {
    #expect(text(line) == line + "\n")
  }

  @Test func `what would steer a terminal is shown as text`() {
    let shown = text("# \u{1B}]0;owned\u{7}\n\n`\u{1B}[2J` [x](https://a\u{1B}[2J.example)", 60)
    #expect(!shown.contains("\u{1B}"))
    #expect(shown.contains("<U+001B>]0;owned<U+0007>"))
  }

  @Test func `whatever the document, no line is wider, and it ends`() {
    var random = SeededRandom(seed: 11)
    let parts = [
      "#", " ", "*", "_", "`", "```\n", "\n", "> ", "- ", "1. ", "| a | b |\n", "|---|\n", "[",
      "](",
      ")", "<https://a>", "word", "漢字", "👩‍👩‍👧‍👦", "\\", "    ", "~~", "![", "\t", "!",
    ]
    for _ in 0..<3000 {
      let document = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &random)]
      }.joined()
      let width = Int.random(in: 4..<50, using: &random)
      for line in text(document, width).split(separator: "\n") {
        #expect(Cells.width(line) <= width, "\(document.debugDescription) in \(width)")
      }
    }
  }

  @Test func `depth without end does no harm`() {
    let deep = String(repeating: "> ", count: 20_000) + "x"
    #expect(text(deep, 40).contains("x"))
    #expect(text(String(repeating: "- ", count: 20_000) + "x", 40).contains("x"))
    #expect(!text(String(repeating: "[", count: 20_000), 40).isEmpty)
    #expect(!text(String(repeating: "*a ", count: 20_000), 40).isEmpty)
    #expect(!text(String(repeating: "<", count: 100_000), 40).isEmpty)
    #expect(
      !text((1...500).map { String(repeating: "`", count: $0) }.joined(separator: " "), 40).isEmpty)
    #expect(text(String(repeating: "x", count: 200_000), 40).split(separator: "\n").count == 5000)
    let columns = String(repeating: "|b", count: 1500) + "|"
    let rule = String(repeating: "|-", count: 1500) + "|"
    let table = ([columns, rule] + Array(repeating: columns, count: 500)).joined(separator: "\n")
    #expect(!text(table, 40).isEmpty)
  }
}
