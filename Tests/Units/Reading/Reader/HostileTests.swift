import Core
import Reading
import TestSupport
import Testing

struct HostileTests {
  private func read(_ html: String, limit: Int = 0) throws -> ReadPage {
    try Reader.read(
      html: Array(html.utf8), options: ReadOptions(maximumCharacters: limit, deadlineSeconds: 600))
  }

  @Test func `the text behind 100,000 nested elements is kept`() throws {
    let page = try read(String(repeating: "<div>", count: 100_000) + "deep")
    #expect(page.text == "deep")
  }

  @Test func `deep elements and as many stray end tags are read`() throws {
    let bomb = String(repeating: "<b>", count: 50_000) + String(repeating: "</i>", count: 50_000)
    #expect(try read(bomb + "text").text == "text")
  }

  @Test(
    "the bombs of other parsers are read with their text",
    arguments: [
      "<b id=i><p>", "<ul><li>", "<a><table><td>", "<p><li><td>", "<i></b>", "&", "<!-->",
    ])
  func repeated(_ piece: String) throws {
    let page = try read(String(repeating: piece, count: 20_000) + "text")
    #expect(page.text.hasSuffix("text"))
  }

  @Test func `a tag of 20,000 attributes is read`() throws {
    let attributes = (0..<20_000).map { " a\($0)=\"\($0)\"" }.joined()
    #expect(try read("<p\(attributes) hidden>a</p><p>b</p>").text == "a\n\nb")
  }

  @Test func `an attribute of a megabyte is dropped and its element kept`() throws {
    let value = String(repeating: "x", count: 1_000_000)
    #expect(try markdown("<p><a href='/\(value)'>a</a></p>") == "a")
  }

  @Test(
    "much of one thing is read in the time that a page has, with the text before it",
    arguments: [
      ("<div>", 50_000), ("<b id=i><p>", 20_000), ("<ul><li>", 20_000), ("<li>x", 20_000),
      ("<a href=/x>x</a> ", 20_000), ("<tr><td>1<td>2", 20_000), ("&lt", 50_000),
      ("<!--", 50_000), ("<script>", 50_000), ("</p>", 50_000), ("<p hidden>", 20_000),
      ("<span style='font-size:0'>", 10_000), ("<table><tr><td>", 20_000), ("<a>", 50_000),
      ("<h1>x", 20_000), ("<pre>\n", 20_000), ("<blockquote>", 20_000), ("<br>", 50_000),
      ("<title>", 50_000), ("<style>a{", 20_000), ("<font color=red>", 10_000),
      ("<details>", 20_000), ("<p style='display:none;", 10_000), ("<td rowspan=9999>x", 10_000),
    ])
  func bombs(_ piece: String, _ count: Int) throws {
    #expect(
      try readWhole("<p>first</p>" + String(repeating: piece, count: count))
        .text.hasPrefix("first"))
  }

  @Test func `a page of one line and a table of many cells are read`() throws {
    let line = String(repeating: "word ", count: 100_000)
    #expect(try readWhole("<p>\(line)").characters == 499_999)
    let rows = String(repeating: "<tr>" + String(repeating: "<td>1", count: 100), count: 300)
    #expect(try readWhole("<table>\(rows)</table>").text.hasSuffix("1\t1"))
  }

  /// Reads all of a page, since what is its content is another question.
  private func readWhole(_ html: String) throws -> ReadPage {
    var options = ReadOptions(maximumCharacters: 0, deadlineSeconds: 600)
    options.isWhole = true
    return try Reader.read(html: Array(html.utf8), options: options)
  }

  @Test func `a million open brackets are text`() throws {
    #expect(try read(String(repeating: "<", count: 1_000_000)).characters == 1_000_000)
  }

  @Test func `a million nodes are a limit that is said`() throws {
    let page = try read(String(repeating: "<i>a</i>", count: 600_000), limit: 10)
    #expect(page.truncated)
    #expect(page.totalCharacters < 600_000)
  }

  @Test func `a passed deadline is a failure`() throws {
    let bytes = Array(String(repeating: "<p>a", count: 10_000).utf8)
    #expect {
      try Reader.read(html: bytes, options: ReadOptions(deadlineSeconds: 0))
    } throws: {
      ($0 as? Failure)?.kind == "tooSlow"
    }
  }

  @Test func `random bytes and random markup never crash`() throws {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "<", ">", "/", "=", "\"", "'", "&", "#", ";", "!", "--", " ", "\n", "a", "p", "<div>", "é",
      "<table>", "<td>", "<a href=", "<pre>", "<li>", "<ul>", "<script>", "<title>", "<b>", "|",
      "<html>", "<body>", "<frameset>", "<meta charset=", "&#x80;", "\u{0}", "`", "<br>", "</b>",
      "<select>", "<svg>", "<blockquote>", "<h1>", "<!DOCTYPE", "<![CDATA[", "</", "</div>",
      " style=display:none ",
    ]
    for _ in 0..<2000 {
      let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try Reader.read(html: bytes, options: ReadOptions(maximumCharacters: 5))
      _ = try Reader.read(text: bytes, options: ReadOptions(maximumCharacters: 5))
      let markup = (0..<40).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = try Reader.read(
        html: Array(markup.utf8), options: ReadOptions(maximumCharacters: 7, baseURL: markup))
    }
  }
}
