import Core
import Testing

@testable import Reading

struct MarkdownDocumentTests {
  private func read(_ markdown: String, limit: Int = 0) throws -> ReadPage {
    try Reader.read(
      markdown: Array(markdown.utf8),
      options: ReadOptions(maximumCharacters: limit, baseURL: "https://a.example/doc/"))
  }

  @Test(
    "the text is the Markdown without its marks",
    arguments: [
      (
        "# T\n\nA **bold**, *slanted*, ~~struck~~ `code` word.\n",
        "T\n\nA bold, slanted, struck code word."
      ),
      ("T\n===\ntext", "T\n\ntext"), ("a_b_c _d_ 2*3 * 4 **e**", "a_b_c d 23 * 4 e"),
      (
        "[a **b**](x) ![alt](y.png) <https://c.example> [d][e]\n\n[e]: /f",
        "a b  https://c.example d"
      ),
      ("- a\n- [x] b\n  1. c\n> q\n> > r", "a\nb\nc\nq\nr"),
      ("| a | b |\n|---|:-:|\n| 1 | `x\\|y` |", "a\tb\n1\tx\\|y"),
      ("a\n```swift\nlet *x* = 1\n\n  # y\n```\nb", "a\n\nlet *x* = 1\n\n  # y\nb"),
      ("\\*a\\* &amp; &rarr; \\d", "*a* & → \\d"), ("a <b>c</b> 1 < 2", "a c 1 < 2"),
      ("---\ntitle: \"Front\"\n---\n\nbody", "body"), ("a\n\n***\n\nb", "a\n\nb"),
      ("[a](b [c] [", "[a](b [c] ["), ("``a`b`` `", "a`b `"), ("", ""),
    ])
  func text(_ markdown: String, _ expected: String) throws {
    #expect(try read(markdown).text == expected)
  }

  @Test func `the Markdown is the document, its links and its title are found`() throws {
    let source = "# The *title* #\n\nSee [this](../x \"t\") and <https://b.example/>.\n"
    let page = try read(source)
    #expect(page.markdown == source)
    #expect(page.title == "The title")
    #expect(page.links.map(\.url) == ["https://a.example/x", "https://b.example/"])
    #expect(page.links.first?.text == "this")
    #expect(try read("---\ntitle: 'Front'\n---\n# Body").title == "Front")
  }

  @Test func `comments reach neither text nor Markdown, and code keeps them`() throws {
    let page = try read("a <!-- x -->b\n<!-- y\n\ny\n-->\nc\n```\n<!-- z -->\n```")
    #expect(page.text == "a b\n\nc\n\n<!-- z -->")
    #expect(!page.markdown.contains("x") && !page.markdown.contains("y"))
    #expect(page.hidden == 2)
  }

  @Test func `a cut is made where a block ends in both`() throws {
    let source = (1...20).map { "Paragraph **\($0)** of the text." }.joined(separator: "\n\n")
    let page = try read(source, limit: 100)
    #expect(page.text.hasSuffix("of the text."))
    #expect(page.markdown.hasSuffix("of the text."))
    #expect(page.truncated)
  }

  @Test(
    "hostile lines are read in linear time",
    arguments: [
      "[a](", "[", "![", "`", "``` `", "<", "<a", "*", "| ", "<!--", "\\", "[a][", "&amp",
    ])
  func bombs(_ piece: String) throws {
    let document = Array(("x" + String(repeating: piece, count: 100_000)).utf8)
    let deadline = Deadline(seconds: 60)
    let page = try Reader.read(
      document, as: .markdown, options: ReadOptions(maximumCharacters: 0), within: deadline)
    #expect(page.text?.hasPrefix("x") == true)
    #expect(deadline.steps < 64 * document.count)
  }
}
