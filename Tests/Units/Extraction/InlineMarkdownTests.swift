import TestSupport
import Testing

@testable import Extraction

struct InlineMarkdownTests {
  @Test(
    arguments: [
      ("**Bold** and *it* and __more__ of snake_case", "Bold and it and more of snake_case"),
      ("A [link](https://e.x/a_(b)) and ![image](x.png) here", "A link and here"),
      (
        "See [text][ref] and [other] or a[0] and [12] there", "See text and other or a and there"
      ),
      ("`a*b*` and \\*c\\*", "`a*b*` and *c*"), ("un`closed [a](b", "un`closed a(b"),
    ])
  func `marks are taken off and code is kept`(text: String, plain: String) {
    #expect(InlineMarkdown.plain(text) == plain)
  }

  @Test func `what is escaped reads back as it was`() {
    var generator = SeededRandom(seed: 5)
    let marks = Array("[]()`*_<>&|~\\!#ab1 ”")
    for _ in 0..<2000 {
      let text = String((0..<20).map { _ in marks.randomElement(using: &generator) ?? "a" })
        .split(separator: " ").joined(separator: " ")
      #expect(InlineMarkdown.plain(InlineMarkdown.escaped(text)) == text)
    }
  }
}
