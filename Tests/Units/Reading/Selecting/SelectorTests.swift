import Core
import Reading
import Testing

struct SelectorTests {
  private static let page = """
    <html lang=en-GB><body><nav class=menu><a href=/a>nav</a></nav>
    <main id=m><p class="first big" data-kind=intro>one</p><p>two</p><my-note>note</my-note>
    <ul><li>a<li class=x>b<li>c<li lang="en us">d</ul><p title="Say &quot;x&quot;">three</p>
    <span>span</span><u>under</u></main><p hidden>secret</p></body></html>
    """

  private func select(_ selector: String, _ html: String = page) throws -> ReadPage {
    var options = ReadOptions()
    options.selector = selector
    return try Reader.read(html: Array(html.utf8), options: options)
  }

  @Test(
    "a selector names what is kept",
    arguments: [
      ("nav", "nav"), ("p.first", "one"), (".big", "one"), ("#m > p", "one\n\ntwo\n\nthree"),
      ("main p:not(.first)", "two\n\nthree"), ("[data-kind]", "one"), ("[data-kind=intro]", "one"),
      ("[data-kind='INTRO' i]", "one"), ("p[class~=big]", "one"), ("li[lang|=en]", ""),
      ("li[lang~=us]", "d"), ("a[href^='/']", "nav"), ("p[class$=big]", "one"),
      ("p[class*='st b']", "one"), ("p[class^='']", ""), ("my-note", "note"), ("u", "under"),
      ("span", "span"), ("li:first-child", "a"), ("li:last-child", "d"),
      ("li:nth-child(2)", "b"), ("li:nth-child(odd)", "a\nc"), ("li:nth-child( 2n + 2 )", "b\nd"),
      ("li:nth-child(-n+2)", "a\nb"), ("li:nth-last-child(1)", "d"), ("li.x + li", "c"),
      ("li.x ~ li", "c\nd"), ("p:nth-of-type(2)", "two"), ("p:first-of-type", "one"),
      ("ul, .first", "one\n\na\nb\nc\nd"), ("main ul, li", "a\nb\nc\nd"),
      ("main:is(#m, .z) > u", "under"), ("body *:not(*)", ""), ("P.first", "one"), (".FIRST", ""),
      ("p[hidden]", ""), ("[title='Say \"x\"']", "three"), ("\\75", "under"), ("ol", ""),
    ])
  func selects(_ selector: String, _ expected: String) throws {
    let page = try select(selector)
    #expect(page.text == expected)
    #expect(page.emptyReason == (expected.isEmpty ? .noText : nil))
  }

  @Test func `what a selector names is kept with its marks and links`() throws {
    var options = ReadOptions(baseURL: "https://a.example/")
    options.selector = "nav, ul"
    let page = try Reader.read(html: Array(Self.page.utf8), options: options)
    #expect(page.markdown == "[nav](https://a.example/a)\n\n- a\n- b\n- c\n- d")
  }

  @Test(
    "what is no selector is told with its place",
    arguments: [
      ("", "ends too early, at character 1"), ("p..x", "has an unexpected '.', at character 3"),
      ("a:hover", "has ':hover', which is not known here, at character 2"),
      ("p::before", "has an unexpected ':', at character 3"),
      ("a >", "ends too early, at character 4"), ("a,", "ends too early, at character 3"),
      ("li:nth-child(x)", "has no position like '2n+1', at character 14"),
      ("[a", "ends too early, at character 3"),
      ("[a='b]", "has a string without an end, at character 4"),
      ("é é:has(a)", "has ':has()', which is not known here, at character 4"),
      ("p { }", "has an unexpected '{', at character 3"),
      ("a)", "has an unexpected ')', at character 2"),
      ("[a][b][c][d][e][f][g][h][i]", "names more attributes than 8, at character 26"),
    ])
  func faults(_ selector: String, _ reason: String) throws {
    #expect {
      try Reader.check(selector: selector)
    } throws: {
      ($0 as? Failure)?.explanation == "the selector \(reason)"
    }
  }

  @Test func `a page cannot make a selector slow, nor a selector itself`() throws {
    let html = String(repeating: "<div><p>", count: 50_000) + "x"
    #expect(try select("div div div div div div p ~ p, div > p + p div", html).text == "")
    #expect(throws: Failure.self) {
      try Reader.check(selector: String(repeating: ":not(", count: 100) + "a")
    }
  }
}
