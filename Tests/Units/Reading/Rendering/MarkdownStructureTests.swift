import Core
import Reading
import Testing

/// The Markdown of a body, all of it.
private func whole(_ html: String, keepsImages: Bool = false) throws -> String {
  var options = ReadOptions(baseURL: "https://a.example/x/")
  options.isWhole = true
  options.keepsImages = keepsImages
  return try Reader.read(html: Array("<body>\(html)".utf8), options: options).markdown
}

struct MarkdownStructureTests {
  @Test(
    "a link around blocks stays on the heading, or on the first line",
    arguments: [
      (
        "<a href=b><h3>Head</h3><p>text</p></a>", "### [Head](https://a.example/x/b)\n\ntext"
      ),
      ("<a href=b><p>one</p><p>two</p></a>", "[one](https://a.example/x/b)\n\ntwo"),
      ("<a href=b><div>x</div></a>", "[x](https://a.example/x/b)"),
      ("<h2><a href=b>Head</a></h2>", "## [Head](https://a.example/x/b)"),
      ("<a href=b><pre>c</pre></a>", "```\nc\n```"),
      (
        "<a href=b>one</a><a href=c>two</a>",
        "[one](https://a.example/x/b) [two](https://a.example/x/c)"
      ),
      ("<h2>Head<a class=headerlink href=#h>¶</a></h2><p>x", "## Head\n\nx"),
    ])
  func link(_ html: String, _ expected: String) throws {
    #expect(try whole(html) == expected)
  }

  @Test(
    "lists keep their numbers, their nesting and their blocks",
    arguments: [
      ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
      ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
      ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
      ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
      ("<ul><li><blockquote>q</blockquote></ul>", "- > q"),
      ("<ul><li>a<pre>b</pre>c</ul>", "- a\n\n  ```\n  b\n  ```\n\n  c"),
      ("<ul><li></li><li>a</ul>", "- a"),
      ("<dl><dt>t</dt><dd>d</dd></dl>", "**t**\n\nd"),
      (
        "<ul><li><h3>a</h3>b</li><li><h3>c</h3>d</li></ul>",
        "- ### a\n\n  b\n- ### c\n\n  d"
      ),
    ])
  func list(_ html: String, _ expected: String) throws {
    #expect(try whole(html) == expected)
  }

  @Test(
    "tables of data are tables, those that lay out a page are not",
    arguments: [
      (
        "<table><caption>c</caption><tr><th align=right>a<th>b<tr><td>1<td>2</table>",
        "c\n\n| a | b |\n| ---: | --- |\n| 1 | 2 |"
      ),
      (
        "<table><tr><th>a<td>1<tr><th>b<td>2</table>",
        "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |"
      ),
      (
        "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
        "| a | | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| | 4 | 5 |"
      ),
      (
        "<table><tr><td>a<br>b<td><code>x|y</code><tr><td><ul><li>c<li>d</ul><td>e</table>",
        "| a, b | `x\\|y` |\n| --- | --- |\n| c, d | e |"
      ),
      ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
      ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
      ("<table><tr><td>a<td><table><tr><td>b</table></table>", "a\n\nb"),
    ])
  func table(_ html: String, _ expected: String) throws {
    #expect(try whole(html) == expected)
  }

  @Test func `a span of a million columns makes no million cells`() throws {
    let row = "<tr><td colspan=1000000>a<td rowspan=99999>b"
    let html = "<table>\(String(repeating: row, count: 2000))</table>"
    #expect(try whole(html).utf8.count < 1_000_000)
  }

  @Test(
    "code keeps its language, its lines and its indentation",
    arguments: [
      ("<div class='highlight highlight-source-rust'><pre>a</pre></div>", "```rust\na\n```"),
      ("<pre class='brush: js; toolbar: false'>a</pre>", "```js\na\n```"),
      ("<pre><code data-lang=go>a</code></pre>", "```go\na\n```"),
      ("<pre><code class='hljs python'>a</code></pre>", "```python\na\n```"),
      ("<pre class=language-text>a</pre>", "```\na\n```"),
      ("<pre><div>a</div><div>  b</div></pre>", "```\na\n  b\n```"),
      (
        "<pre><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></pre>",
        "```\na\n\nb\n```"
      ),
      ("<pre><span class=line>a</span><span class=line>b</span></pre>", "```\na\nb\n```"),
      ("<pre>a<br>\tb</pre>", "```\na\n\tb\n```"),
      ("<pre><span class=lineno>1</span>a\n<span class=lineno>2</span>b</pre>", "```\na\nb\n```"),
      (
        "<table><tr><td class=g><pre>1\n2</pre><td><pre>a\nb</pre></table>",
        "```\na\nb\n```"
      ),
      ("<p>x <code>a</code><code>b</code>", "x `ab`"),
      ("<p><a href=b><code>f()</code></a>", "[`f()`](https://a.example/x/b)"),
      ("<p><code><a href=b>f()</a></code>", "[`f()`](https://a.example/x/b)"),
      ("<code>a<br>b</code>", "```\na\nb\n```"),
      (
        "<blockquote><p>a<pre>b\n  c</pre><p>d</blockquote>",
        "> a\n\n```\nb\n  c\n```\n\n> d"
      ),
      ("<ul><li><blockquote>a<pre>b</pre></blockquote>c", "- > a\n\n  ```\n  b\n  ```\n\n  c"),
      ("<blockquote><ul><li>a<pre>b</pre></ul></blockquote>", "> - a\n>\n>   ```\n>   b\n>   ```"),
    ])
  func code(_ html: String, _ expected: String) throws {
    #expect(try whole(html) == expected)
  }

  @Test(
    "emphasis is written where it would be read, and left out where not",
    arguments: [
      ("<p><b>a</b><b>b</b>", "**ab**"), ("<p>x<b>\"a\"</b>y", "x\"a\"y"),
      ("<p><b> a </b>b", "**a** b"), ("<p>a<b>b</b>c", "a**b**c"),
      ("<p><b><i>a</i></b>", "***a***"), ("<p><b>a</b><i>b</i>", "**a**b"),
      ("<p><del>a</del>", "~~a~~"), ("<p><b>a<br><br>b</b>", "**a**\n\n**b**"),
      ("<p><b>a<b>b</b></b>", "**ab**"), ("<h2><b>a</b></h2>", "## a"),
    ])
  func emphasis(_ html: String, _ expected: String) throws {
    #expect(try whole(html) == expected)
  }

  @Test(
    "images are named when they are asked for",
    arguments: [
      ("<p>x <img src=a.png alt='A [b]'>", "x ![A \\[b\\]](https://a.example/x/a.png)"),
      (
        "<p>x <img src='data:image/gif;base64,R0' data-src=b.png>",
        "x ![](https://a.example/x/b.png)"
      ),
      ("<p>x <img srcset='c.png 1x, d.png 2x'>", "x ![](https://a.example/x/d.png)"),
      ("<p>x <img src=t.gif width=1 height=1>", "x"),
      ("<p>x <img src='data:image/png;base64,AA'>", "x"),
      (
        "<p>x <a href=/y><img src=/i.png alt=i></a>",
        "x [![i](https://a.example/i.png)](https://a.example/y)"
      ),
    ])
  func image(_ html: String, _ expected: String) throws {
    #expect(try whole(html, keepsImages: true) == expected)
    #expect(try !whole(html).contains("png"))
  }

  @Test func `mathematics is told once, as TeX where there is some`() throws {
    let math = """
      <p>x <math><semantics><mi>y</mi><annotation encoding="application/x-tex">y_1</annotation>\
      </semantics></math>
      """
    #expect(try whole(math) == "x $y_1$")
    var options = ReadOptions()
    options.isWhole = true
    #expect(try Reader.read(html: Array(math.utf8), options: options).text == "x $y_1$")
  }

  @Test func `a rule stands only between two things`() throws {
    #expect(try whole("<hr><p>a</p><hr><hr><p>b</p><hr>") == "a\n\n---\n\nb")
  }

  @Test func `of a file without an address, links stay as they are`() throws {
    let html = "<link rel=canonical href='https://c.example/d/e'><body><p><a href=f>g</a>"
    #expect(try markdown(html, base: "") == "[g](f)")
    var options = ReadOptions()
    options.isWhole = true
    let nowhere = try Reader.read(
      html: Array("<p><a href='f g'>h</a> <a href='//x.example'>i</a> <a href='<j:k'>l</a>".utf8),
      options: options)
    #expect(nowhere.markdown == "[h](f%20g) i [l](./%3Cj:k)")
    #expect(nowhere.links.isEmpty)
  }
}
