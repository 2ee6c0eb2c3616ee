import Core
import Reading
import TestSupport
import Testing

struct PieceTests {
  private static let pieces = [
    "<p>A paragraph of some words, with <b>bold</b> and <a href=https://a.example/long/way>links</a>.",
    "<h2>A heading</h2>", "<ul><li>one<li>two <i>more</i><ul><li>deep</ul></ul>",
    "<pre>code\n  line two\n\n\nline five</pre>", "<blockquote><p>quoted<p>twice</blockquote>",
    "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>e\u{301}</table>",
    "<p>e\u{301}e\u{301}🇩🇪👩\u{200D}👧",
    "<ol><li>one<li><p>two<p>still two</ol>", "<p>a<br>b", "<p></p>", "<hr>",
    "<p>" + String(repeating: "long ", count: 60),
  ]

  /// All of a page, since what is its content is another question.
  private static func options(_ limit: Int) -> ReadOptions {
    var options = ReadOptions(maximumCharacters: limit)
    options.isWhole = true
    return options
  }

  private func page(_ random: inout SeededRandom) -> [UInt8] {
    let count = Int.random(in: 1...12, using: &random)
    return Array(
      (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined().utf8)
  }

  /// All parts of a page, each asked for where the one before ended.
  private func parts(
    _ html: [UInt8], _ limit: Int, _ format: ReadOptions.Format?
  ) throws -> [ReadPage] {
    var parts: [ReadPage] = []
    var options = Self.options(limit)
    options.format = format
    while true {
      let part = try Reader.read(html: html, options: options)
      parts.append(part)
      options.offset += part.characters
      #expect(part.characters <= limit)
      #expect(part.truncated || options.offset == part.totalCharacters)
      guard part.characters > 0, options.offset < part.totalCharacters else { return parts }
    }
  }

  @Test func `a page read in parts is the whole page`() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<200 {
      let html = page(&random)
      let limit = Int.random(in: 1...200, using: &random)
      let whole = try Reader.read(html: html, options: Self.options(0))
      let texts = try parts(html, limit, nil)
      #expect(texts.map(\.text).joined() == whole.text)
      #expect(try parts(html, limit, .text).map(\.text).joined() == whole.text)
      #expect(try parts(html, limit, .markdown).map(\.markdown).joined() == whole.markdown)
      #expect(texts.allSatisfy { $0.markdown.unicodeScalars.count <= limit })
    }
  }

  @Test func `where blocks fit the parts of the Markdown are the whole Markdown too`() throws {
    var random = SeededRandom(seed: 8)
    for _ in 0..<200 {
      let html = page(&random)
      let whole = try Reader.read(html: html, options: Self.options(0))
      let parts = try parts(html, 400, nil)
      #expect(parts.map(\.markdown).joined() == whole.markdown)
    }
  }

  @Test func `Markdown is cut in no link, no row and no fence`() throws {
    let link =
      "<a href=https://a.example/\(String(repeating: "x", count: 40))>the words of a link</a>"
    let table =
      "<table><tr><th>a<th>b"
      + String(repeating: "<tr><td>some words<td>more words", count: 20)
      + "</table>"
    for html in ["<p>start " + String(repeating: "\(link) and ", count: 9), table] {
      for limit in 100...200 {
        var options = Self.options(limit)
        options.format = .markdown
        let cut = try Reader.read(html: Array(html.utf8), options: options).markdown
        #expect(cut.filter { $0 == "[" }.count == cut.filter { $0 == ")" }.count)
        #expect(!html.hasPrefix("<table") || cut.hasSuffix("|"))
        #expect(cut.count > 50)
      }
    }
  }

  @Test func `the field that was not asked for is empty, and its length does not count`() throws {
    var options = Self.options(0)
    options.format = .markdown
    let page = try Reader.read(html: Array("<p><b>bold</b>".utf8), options: options)
    #expect(page.text.isEmpty)
    #expect(page.characters == 8)
    options.offset = 100
    #expect(try Reader.read(html: Array("<p>x".utf8), options: options).markdown.isEmpty)
  }
}
