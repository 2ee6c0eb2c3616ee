import Core
import Reading
import Testing

/// The Markdown of a body, whatever of it would be chosen as content.
func markdown(_ html: String, base: String = "https://a.example/x/y?z") throws -> String {
  var options = ReadOptions(baseURL: base)
  options.isWhole = true
  return try Reader.read(html: Array(html.utf8), options: options).markdown
}

/// The text of a body.
func text(_ html: String) throws -> String {
  try Reader.read(html: Array(html.utf8), options: ReadOptions()).text
}

struct MarkdownTests {
  @Test(
    "elements become their marks",
    arguments: [
      ("<h1>One</h1><h3>Two  three</h3><p>x</p>", "# One\n\n### Two three\n\nx"),
      ("<p>a<b>b</b> <i> c </i>d", "a**b** *c* d"),
      ("<p>a <strong></strong>b", "a b"),
      ("<p>a<br>b<br><br>c", "a\\\nb\n\nc"),
      ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
      ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
      ("<ol start=9><li>a</li><li><p>b</p><p>c</p></li></ol>", "9. a\n10. b\n\n    c"),
      ("<blockquote><p>a</p><p>b</p></blockquote><p>c", "> a\n>\n> b\n\nc"),
      ("<blockquote><ul><li>a</li><li>b</li></ul></blockquote>", "> - a\n> - b"),
      ("<pre>\n a\n  b\n\n</pre>", "```\n a\n  b\n```"),
      ("<pre><code class='hl language-swift'>let a</code></pre>", "```swift\nlet a\n```"),
      ("<pre>```\nx</pre>", "````\n```\nx\n````"),
      ("<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```"),
      ("<p>a <code>b`c</code>", "a ``b`c``"),
      (
        "<table><tr><th>a<th>b<tr><td>c|d<td><p>e</p><p>f</p></table>",
        "| a | b |\n| --- | --- |\n| c\\|d | e, f |"
      ),
      ("<table><tr><td><h2>a</h2></td><td>b</td></tr></table>", "## a\n\nb"),
    ])
  func element(_ html: String, _ expected: String) throws {
    #expect(try markdown(html) == expected)
  }

  @Test(
    "links are absolute and lead only to the web",
    arguments: [
      ("<a href='b'>t</a>", "[t](https://a.example/x/b)"),
      ("<a href='/b'>t</a>", "[t](https://a.example/b)"),
      ("<a href='../../b/./c/..'>t</a>", "[t](https://a.example/b/)"),
      ("<a href='?q'>t</a>", "[t](https://a.example/x/y?q)"),
      ("<a href='#f'>t</a>", "[t](https://a.example/x/y?z#f)"),
      ("<a href='//c.example/d'>t</a>", "[t](https://c.example/d)"),
      ("<a href='//c.example'>t</a>", "[t](https://c.example/)"),
      ("<a href='http://c.example?d'>t</a>", "[t](http://c.example/?d)"),
      ("<a href='HTTP://c.example/(d) e'>t</a>", "[t](http://c.example/(d)%20e)"),
      ("<a href='mailto:a@b.example'>t</a>", "[t](mailto:a@b.example)"),
      ("<a href='javascript:alert(1)'>t</a>", "t"),
      ("<a href='java\nscript:alert(1)'>t</a>", "t"),
      ("<a href='data:text/html,x'>t</a>", "t"),
      ("<a href='file:///etc/passwd'>t</a>", "t"),
      ("<a>t</a>", "t"),
      ("wow!<a href='/b'>t</a>", "wow\\![t](https://a.example/b)"),
    ])
  func link(_ html: String, _ expected: String) throws {
    #expect(try markdown("<p>" + html) == expected)
  }

  @Test func `a base element moves the links`() throws {
    let html = "<base href='https://b.example/c/'><p><a href='d'>t</a>"
    #expect(try markdown(html) == "[t](https://b.example/c/d)")
  }

  @Test(
    "a relative base of a file moves the relative links",
    arguments: [
      ("d", "b/c/d"), ("./d/../e?f=../g", "b/c/e?f=../g"), ("../../../d", "../d"), ("..", "b/"),
      ("/d", "/d"),
      ("<d:e", "b/c/%3Cd:e"), ("#d", "b/c/x?y#d"), ("?d", "b/c/x?d"),
      ("https://e.example/d", "https://e.example/d"),
    ])
  func relativeBase(_ link: String, _ expected: String) throws {
    var options = ReadOptions(baseURL: "")
    options.isWhole = true
    let html = "<base href='b/c/x?y#z'><p><a href='\(link)'>t</a>"
    let page = try Reader.read(html: Array(html.utf8), options: options)
    #expect(page.markdown == "[t](\(expected))")
  }

  @Test(
    "characters that mean something are escaped",
    arguments: [
      ("*a* _b_ c_d [e](f) `g` \\", "\\*a\\* \\_b_ c_d [e]\\(f) \\`g\\` \\\\"),
      ("# a", "\\# a"), ("- a", "\\- a"), ("1. a", "1\\. a"), ("a # - 1.", "a # - 1."),
      ("&lt;b&gt; &amp;amp;", "\\<b> \\&amp;"), ("&gt; a", "\\> a"), ("---", "\\---"),
      ("](javascript:alert(1))", "]\\(javascript:alert(1))"),
    ])
  func escape(_ html: String, _ expected: String) throws {
    #expect(try markdown("<p>" + html) == expected)
  }

  @Test func `the links of the content are listed once`() throws {
    let html = "<p><a href='/a'>one</a> <a href='/a'>again</a> <a href='/b'> t<b>w</b>o </a>"
    let page = try Reader.read(
      html: Array(html.utf8), options: ReadOptions(baseURL: "https://a.example"))
    #expect(
      page.links == [
        PageLink(url: "https://a.example/a", text: "one"),
        PageLink(url: "https://a.example/b", text: "two"),
      ])
  }
}
