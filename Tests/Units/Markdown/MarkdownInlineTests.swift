import TestSupport
import Testing

@testable import Markdown

/// The pieces of a line as a text that shows where each begins and ends.
private func read(_ line: String, _ options: MarkdownInline.Options = [.pairs]) -> String {
  MarkdownInline(Array(line.utf8)[...], options).pieces.map { piece in
    switch piece {
    case .text(let text): String(decoding: text, as: UTF8.self)
    case .reference(let text, _): "&" + String(decoding: text, as: UTF8.self) + ";"
    case .code(let text, _): "`" + String(decoding: text, as: UTF8.self) + "`"
    case .emphasis(let kind): kind == .strong ? "<b " : kind == .slanted ? "<i " : "<s "
    case .endOfEmphasis, .endOfLink: ">"
    case .link(let address): "<a=" + String(decoding: address, as: UTF8.self) + " "
    }
  }.joined()
}

struct MarkdownInlineTests {
  @Test(
    arguments: [
      ("*a* __b__ ~~c~~ ***d***", "<i a> <b b> <s c> <i <b d>>"),
      ("**a *b* c** *a **b***", "<b a <i b> c> <i a <b b>>"),
      ("a*b*c a_b_c _a_b_ 2 * 3 *", "a<i b>c a_b_c <i a_b> 2 * 3 *"),
      ("*a **b* c** ~d~ *open", "<i a <i <i b> c>> ~d~ *open"),
      ("**中文。**中文 *“a”*b", "<b 中文。>中文 <i “a”>b"), ("*foo**bar*", "<i foo**bar>"),
      ("*[a*](b) [*c](d)*", "<i <a=b a*> <a=d *c>>"), (#"\*a* \d"#, #"*a* \d"#),
      ("`a*b` ``c`d`` ` e `` ` ``", "`a*b` `c`d` `e ``` ``"),
      ("`[a`](b) [`]`](c)", "`[a`](b) <a=c `]`>"),
      ("&amp; &#65; &copy &no; &", "&&; &A; &copy &no; &"),
      ("<https://a> <b@c.d> <b> 1<2", "<a=https://a https://a> <a=mailto:b@c.d b@c.d> <b> 1<2"),
    ])
  func `emphasis, code and references are read as CommonMark says`(line: String, pieces: String) {
    #expect(read(line) == pieces)
  }

  @Test(
    arguments: [
      ("[a](b \"t\") [c](<d e>) [f](g_(h))", "<a=b a> <a=d e c> <a=g_(h) f>"),
      (#"[a\]](b\)c) [d](e?f&amp;g) [h]"#, "<a=b)c a]> <a=e?f&g d> [h]"),
      ("[![a](b)](c) ![d](e", "<a=c <a=b a>> ![d](e"), ("[a][b] [c](d [e] [", "<a= a> [c](d [e] ["),
      ("[a](b) [](c)[", "<a=b a> <a=c >["),
    ])
  func `links have an address in brackets`(line: String, pieces: String) {
    #expect(read(line, [.pairs, .images, .references]) == pieces)
  }

  @Test func `options leave out what a reader does not want`() {
    #expect(read("a ![b](c) ![d][e] <i>f</i> 1 < 2", [.references, .tags]) == "a   f 1 < 2")
    #expect(read("2*3 * 4 **a _b_c_ ****", []) == "23 * 4 a b_c ****")
    #expect(read("[a] [b][c] d[1] e[^f] x[y] ![g](h)", [.shortcuts]) == "<a= a> <a= b> d e x[y] ")
  }

  @Test func `whatever the line, no text of it is lost or invented`() {
    var random = SeededRandom(seed: 3)
    let parts = Array("[]()`*_~<>&;|\\!#ab1 é漢\u{301}\t").map(String.init)
    for _ in 0..<1000 {
      let line = (0..<30).map { _ in random.one(of: parts, else: "a") }.joined()
      let options = MarkdownInline.Options(rawValue: Int.random(in: 0..<32, using: &random))
      var depth = 0
      for piece in MarkdownInline(Array(line.utf8)[...], options).pieces {
        switch piece {
        case .emphasis, .link: depth += 1
        case .endOfEmphasis, .endOfLink: depth -= 1
        case .text(let text), .code(let text, _):
          #expect(String(validating: text, as: UTF8.self).map(line.utf8Contains) ?? false)
        case .reference: break
        }
        #expect(depth >= 0, "\(line.debugDescription)")
      }
      #expect(depth == 0, "\(line.debugDescription)")
    }
  }

  // A step for each pair of bytes would take hours.
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "[", "]", "[a](", "![", "[a][", "`", "``` `", "<", "<a", "<a ", "<a@", "*", "*a", "**a*",
      "_a ", "~~", "*a_b", "&", "&amp", "&#1", "\\", "[a](b)", "![a](b)", "[*a](b)*", "()",
      "[[a](b)](c)",
    ])
  func `hostile lines are read in linear time`(piece: String) {
    let line = Array(String(repeating: piece, count: 100_000).utf8)
    for options in [[.pairs, .images, .tags], [.references, .shortcuts]] as [MarkdownInline.Options]
    {
      #expect(MarkdownInline(line[...], options).steps <= 40 * line.count)
    }
  }

  @Test func `many different marks of code are read in linear time`() {
    let marks = (1...1000).map { String(repeating: "`", count: $0) }.joined(separator: " ")
    let line = Array(marks.utf8)
    #expect(MarkdownInline(line[...], .pairs).steps <= 40 * line.count)
  }

  @Test func `random bytes are read`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2000 {
      let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(MarkdownInline(bytes[...], [.pairs, .images]).pieces.count <= 3 * bytes.count)
      _ = MarkdownBlock.blocks(bytes.split(separator: 0x0A))
    }
  }
}

extension String {
  fileprivate func utf8Contains(_ text: String) -> Bool {
    text.isEmpty || Array(utf8).contains(Array(text.utf8))
  }
}
