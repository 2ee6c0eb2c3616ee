import Core
import Reading
import Testing

/// What a page may not make of our Markdown: row 26 of the hostile cases.
struct MarkdownInjectionTests {
  @Test(
    "text stays text",
    arguments: [
      ("<p>[x](javascript:alert(1))", "\\[x]\\(javascript:alert(1))"),
      ("<p>a ![x](http://e.example/p.gif)", "a ![x]\\(http://e.example/p.gif)"),
      ("<p>&lt;img src=x onerror=alert(1)&gt;", "\\<img src=x onerror=alert(1)>"),
      ("<p>&lt;!-- a --&gt;", "\\<!-- a -->"),
      ("<p>[x]: http://e.example/", "\\[x]\\: http://e.example/"),
      ("<p>---<br>title: x<br>---", "\\---\\\ntitle: x\\\n\\---"),
      ("<p>a<br>===", "a\\\n\\==="),
      ("<p>a<br>| b |<br>|---|", "a\\\n| b |\\\n\\|---|"),
      ("<p>```<br>x", "\\`\\`\\`\\\nx"), ("<p>~~~<br>x", "\\~\\~\\~\\\nx"),
      ("<p>&amp;lt;script&amp;gt;", "\\&lt;script\\&gt;"),
      ("<h1>a #</h1>", "# a \\#"),
    ])
  func text(_ html: String, _ expected: String) throws {
    #expect(try markdown(html) == expected)
  }

  @Test(
    "links lead only to http, https and mailto",
    arguments: [
      "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)",
      "\u{1}javascript:alert(1)", "vbscript:x", "data:text/html,x", "file:///etc/passwd",
      "blob:https://a.example/x", "about:blank", "ftp://a.example/", "x-custom:y",
    ])
  func scheme(_ address: String) throws {
    #expect(try markdown("<p>a <a href=\"\(address)\">b</a>") == "a b")
    #expect(try markdown("<p>a <a href=\"\(address)\">b</a>", base: "") == "a b")
  }

  @Test func `an address cannot end the link it is in`() throws {
    #expect(
      try markdown("<p><a href='/a) [x](http://e.example'>t</a>")
        == "[t](https://a.example/a%29%20%5Bx%5D%28http://e.example)")
    #expect(try markdown("<p><a href=\"/a&quot; onclick=&quot;x\">t</a>").contains("%22"))
    #expect(try markdown("<p><a href='/a\n\nb'>t</a>") == "[t](https://a.example/ab)")
  }

  @Test func `a link's text cannot end it`() throws {
    #expect(
      try markdown("<p><a href=/a>x](http://e.example)</a>")
        == "[x\\]\\(http://e.example)](https://a.example/a)")
  }

  @Test func `a fence is longer than any within`() throws {
    let inner = "````\n# no heading\n````"
    #expect(try markdown("<pre>\(inner)</pre>") == "`````\n\(inner)\n`````")
  }

  @Test func `a title is one line`() throws {
    let page = try Reader.read(
      html: Array("<title>a\n---\n b\u{85}\u{202E}c</title>x".utf8), options: ReadOptions())
    #expect(page.title == "a --- bc")
  }
}
