import Core
import Reading
import Testing

struct TextTests {
  @Test(
    "blocks stand apart and white space collapses",
    arguments: [
      ("<p> a \n b </p><div>c<p>d</div>e", "a b\n\nc\n\nd\n\ne"),
      ("a<b>b</b> <i>c</i>", "ab c"),
      ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
      ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
      ("<pre>  a\n   b</pre>", "  a\n   b"),
      ("a&nbsp;&amp;&#8212;&eacute;&#150;&#x92;", "a &—é–’"),
      ("a < b <3 <> </ >c &", "a < b <3 <> c &"),
      ("<title>t</title><article><p>a</article>", "a"),
      ("", ""), ("a", "a"), ("<", "<"), ("</p>", ""),
    ])
  func blocks(_ html: String, _ expected: String) throws {
    #expect(try text(html) == expected)
  }

  @Test(
    "what no reader sees is left out",
    arguments: [
      "<script>x</script>", "<style>x</style>", "<noscript>x</noscript>",
      "<template>x</template>", "<nav>x</nav>", "<header>x</header>", "<footer>x</footer>",
      "<aside>x</aside>", "<button>x</button>", "<textarea>x</textarea>",
      "<select><option>x</select>", "<p hidden>x</p>", "<p aria-hidden=true>x</p>",
      "<p style='color:red; Display : NONE'>x</p>", "<p style='visibility:hidden'>x</p>",
      "<!-- x -->", "<!-- x", "<script>x", "<!x>", "<?x>", "<iframe>x</iframe>",
      "<svg><text>x</text></svg>", "<img alt=x>", "<input value=x>",
    ])
  func dropped(_ html: String) throws {
    #expect(try text("<p>before</p>" + html) == "before")
  }

  @Test func `hidden elements are counted`() throws {
    let html = "<p hidden>a</p><div style='display:none'><p hidden>b</p></div><p hidden></p>c"
    #expect(try Reader.read(html: Array(html.utf8), options: ReadOptions()).hidden == 2)
  }

  @Test func `invisible characters are taken out and counted`() throws {
    let html = "<p>a\u{202E}b\u{200B}c\u{E0041}d\u{7}e\u{AD}f\u{0}g\u{FEFF}h\u{85}i</p>"
    let page = try Reader.read(html: Array(html.utf8), options: ReadOptions())
    #expect(page.text == "abcdefghi")
    #expect(page.removed == 8)
  }

  @Test func `joiners stay where letters and emoji need them`() throws {
    let kept = "می\u{200C}خواهم 👩\u{200D}👧"
    #expect(try text("<p>\(kept)") == kept)
    #expect(try text("<p>a\u{200D}b\u{200C}\u{200C}c") == "abc")
  }

  @Test func `the main element is the content when it has most of the text`() throws {
    let main = "<main><header><h1>T</h1></header>The story is long enough.</main>"
    #expect(
      try text("<div>links</div>\(main)<div>more</div>") == "T\n\nThe story is long enough.")
    #expect(try text("<main>x</main><p>All of the text is outside.</p>").contains("outside"))
  }

  @Test func `a noscript in the head does not swallow the page`() throws {
    let head = "<head><noscript><img src=x><div></div></noscript></head>"
    #expect(try text(head + "<body><p>x</p><noscript>y</noscript></body>") == "x")
  }

  @Test func `an end tag closes the open elements within`() throws {
    #expect(try text("<nav><div>x<ul><li>y</nav><p>z</p>") == "z")
  }

  @Test func `the text for readers without scripts is read when there is no other`() throws {
    #expect(try text("<body><script>x</script><noscript><p>y</p></noscript></body>") == "y")
  }

  @Test func `an unclosed quote loses one tag only`() throws {
    #expect(try text("<p>a</p><a href=\"x>b</a><p>c</p>") == "a\n\nb\n\nc")
  }

  @Test func `text that is text already is kept as it is`() throws {
    let page = try Reader.read(
      text: Array("# a\r\n\r\n  <b>\r*c*\u{200B}".utf8), options: ReadOptions())
    #expect(page.text == "# a\n\n  <b>\n*c*")
    #expect(page.markdown == page.text)
    #expect(page.removed == 1)
  }
}
