import TestSupport
import Testing

@testable import Markdown

private func lines(_ text: String) -> [ArraySlice<UInt8>] {
  Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
}

private func words(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

struct MarkdownBlockTests {
  @Test(
    arguments: [
      (
        "# A #\n## B#\n####### C",
        [
          .heading(level: 1, words("A")), .heading(level: 2, words("B#")),
          .paragraph(words("####### C")),
        ]
      ),
      ("A\nB\n==\nC\n--", [.heading(level: 1, words("A B")), .heading(level: 2, words("C"))]),
      ("a\\\nb  \nc\n* * *", [.paragraph(words("a\n b\n c")), .rule]),
      (
        "~~~x\n```\n  a\n~~~~\n``` a`b",
        [
          .code([words("```"), words("  a")]), .paragraph(words("``` a`b")),
        ]
      ),
      ("> a\n> > b", [.quote([.paragraph(words("a")), .quote([.paragraph(words("b"))])])]),
      (
        "| a | b\\|c |\n|-|-|\nd | |",
        [
          .table([[words("a"), words("b\\|c")], [words("d"), words("")]])
        ]
      ),
      (
        "- a\n\n  ```\n  b\n  ```\n\t1) c\n- d",
        [
          .list([
            MarkdownBlock.Item(
              mark: "•",
              blocks: [
                .paragraph(words("a")), .code([words("b")]),
                .list([MarkdownBlock.Item(mark: "1)", blocks: [.paragraph(words("c"))])]),
              ]), MarkdownBlock.Item(mark: "•", blocks: [.paragraph(words("d"))]),
          ])
        ]
      ),
    ] as [(String, [MarkdownBlock])])
  func `a document is read as blocks`(text: String, blocks: [MarkdownBlock]) {
    #expect(MarkdownBlock.blocks(lines(text)) == blocks)
  }

  @Test func `a flat line stands in no quote, and has its item`() {
    let line = MarkdownLine(words("> >  12. [x] a "), isFlat: true)
    #expect(line.item?.mark == words("12."))
    #expect(line.item?.text == words("[x] a "))
    #expect(MarkdownLine(words("---")).isDivider && MarkdownLine(words("===")).isDivider)
    #expect(!MarkdownLine(words("==")).isDivider && !MarkdownLine(words("- -")).isDivider)
    #expect(MarkdownLine(words("> ```sh"), isFlat: true).fence != nil)
    #expect(MarkdownLine(words("1234567890. a")).item == nil)
  }

  @Test func `what is settled stays, whatever is added`() {
    var random = SeededRandom(seed: 13)
    let parts = [
      "a\n", "\n", "- b\n", "  c\n", "```\n", "> d\n", "# e\n", "|f|\n", "|-|\n", "---\n", "===\n",
      "1. g\n",
    ]
    for _ in 0..<2000 {
      let text = (0..<12).map { _ in random.one(of: parts, else: "a\n") }.joined()
      let all = lines(text)
      let settled = MarkdownBlock.settledLines(all)
      let apart =
        MarkdownBlock.blocks(Array(all[..<settled])) + MarkdownBlock.blocks(Array(all[settled...]))
      #expect(apart == MarkdownBlock.blocks(all), "\(text.debugDescription)")
    }
  }

  @Test(arguments: ["> ", "- ", "-\n", "a|b\n", "|-|\n", "#", "```\n", "1. ", "=\n", "- a\n\n"])
  func `hostile documents are read`(piece: String) {
    #expect(!MarkdownBlock.blocks(lines(String(repeating: piece, count: 20_000))).isEmpty)
  }
}
