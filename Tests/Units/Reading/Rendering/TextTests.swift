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
      (
        "<table><tr><td>a<td><ul><li>b<li>c</ul>d<tr><td><p>e<p>f<td>g<br>h</table>",
        "a\tb, c, d\ne, f\tg, h"
      ),
      ("<table><tr><th>a:<p>b<th>c<br>(d)<tr><td><td>e</table>", "a: b\tc (d)\ne"),
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

  @Test(
    "every kind of invisible character is taken out",
    arguments: [
      "\u{34F}", "\u{61C}", "\u{115F}", "\u{1160}", "\u{17B4}", "\u{180E}", "\u{200B}", "\u{200E}",
      "\u{2060}", "\u{2064}", "\u{206A}", "\u{206F}", "\u{2066}", "\u{2069}", "\u{3164}",
      "\u{FEFF}",
      "\u{FFA0}", "\u{FFF9}", "\u{FFFB}", "\u{1D173}", "\u{E0001}", "\u{E0020}", "\u{E007F}",
      "\u{E0100}", "\u{E01EF}", "\u{FE00}", "\u{FE0F}", "\u{180B}", "\u{80}", "\u{9F}", "\u{7F}",
      "\u{1B}",
    ])
  func invisible(_ character: String) throws {
    for form in [character, "&#\(character.unicodeScalars.first?.value ?? 0);"] {
      // A number in 0x80…0x9F means windows-1252 in a reference.
      if form.hasPrefix("&"), character == "\u{80}" || character == "\u{9F}" { continue }
      let html = "<p>a\(form)b\(form)\(form)</p>"
      let page = try Reader.read(html: Array(html.utf8), options: ReadOptions())
      #expect(page.text == "ab")
      #expect(page.removed == 3)
    }
  }

  @Test func `selectors of emoji and ideographs stay, one at a time`() throws {
    #expect(
      try text("<p>❤\u{FE0F} 1\u{FE0F}\u{20E3} 葛\u{FE00} ©\u{FE0F}")
        == "❤\u{FE0F} 1\u{FE0F}\u{20E3} 葛\u{FE00} ©\u{FE0F}")
    #expect(try text("<p>❤\u{FE0F}\u{FE01}\u{FE02} a") == "❤\u{FE0F} a")
  }

  @Test(
    "references are read as HTML 5 reads them",
    arguments: [
      ("&lbrace;&rarr;&NotEqualTilde;&apos;", "{→≂̸'"), ("&nbsp;x&copy2024&notit;", " x©2024¬it;"),
      ("&amp;lt; &AMP &unknown; &", "&lt; & &unknown; &"),
      ("&#x1F600;&#0;&#xD800;&#x110000;", "😀���"),
      ("&#65 &#x42;&#xZ;&#;", "A B&#xZ;&#;"), ("&notin;&notinva;&not", "∉∉¬"),
      ("&#99999999999999999999;", "�"),
    ])
  func references(_ html: String, _ expected: String) throws {
    #expect(try text("<p>x\(html)") == "x" + expected)
    let page = try Reader.read(html: Array("<title>\(html)</title>".utf8), options: ReadOptions())
    #expect(page.title == expected.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  @Test func `in an address a reference without a semicolon is none`() throws {
    let html = "<p><a href='https://a.example/?a=1&copy=2&amp;b=&lt;&notit=3'>a</a>"
    #expect(
      try markdown(html) == "[a](https://a.example/?a=1&copy=2&b=%3C&notit=3)")
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
