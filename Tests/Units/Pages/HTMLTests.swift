import Core
import Foundation
import Testing

@testable import Pages

/// The parts of pages, from untrusted text.
struct HTMLTests {
  private static func text(_ part: HTML) -> String { String(decoding: part.bytes, as: UTF8.self) }

  @Test func `text is text`() {
    let hostile = "<b>\"'&amp;\u{0}\u{1B}[31m\u{202E}\u{2028}</b>\n\u{E9}"
    let shown =
      "&lt;b&gt;&quot;&#39;&amp;amp;&lt;U+0000&gt;&lt;U+001B&gt;[31m&lt;U+202E&gt;&lt;U+2028&gt;"
      + "&lt;/b&gt;\n\u{E9}"
    #expect(Self.text(HTML(text: hostile)) == shown)
    #expect(
      Self.text(HTML(.p, [HTMLAttribute(.value, hostile)], HTML(text: hostile), "x"))
        == "<p value=\"\(shown)\">\(shown)x</p>")
  }

  @Test func `only void elements have no end tag`() {
    for tag in HTMLTag.allCases {
      let text = Self.text(HTML(tag, [], "x"))
      let void: Set<HTMLTag> = [.hr, .input, .link, .meta]
      #expect(
        text == (void.contains(tag) ? "<\(tag.rawValue)>" : "<\(tag.rawValue)>x</\(tag.rawValue)>"))
    }
  }

  @Test(arguments: [
    "https://example.org", "http://example.org:8080/a?b=c#d", "HTTPS://EXAMPLE.ORG/",
    "https://[::1]/", "https://xn--bcher-kva.example/%3Cscript%3E",
  ])
  func `an address of the web is http or https`(address: String) {
    #expect(HTMLAddress(web: address)?.text == address)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript://example.org/%0aalert(1)", " https://example.org",
    "https://example.org/ b", "https://ex\u{E4}mple.org", "data:text/html,<script>",
    "//example.org",
    "/page", "example.org", "", "https://", "https:///path", "https:example.org",
    "file:///etc/passwd",
    "https://user@example.org", "https://user:word@example.org", "java\nscript:alert(1)",
    "https://example.org\n", "vbscript:x", "blob:https://example.org/x", "https\u{0}://example.org",
  ])
  func `no other address is`(address: String) {
    #expect(HTMLAddress(web: address) == nil)
  }

  @Test func `an address of the page encodes its parts`() {
    #expect(HTMLAddress().text == "/page")
    #expect(
      HTMLAddress("agents", "../a/b?c#d e\u{E9}\"<", query: [("x", "1&2=3")]).text
        == "/page/agents/..%2Fa%2Fb%3Fc%23d%20e%C3%A9%22%3C?x=1%262%3D3")
  }

  @Test(
    arguments: [
      (
        "a *b* **c** ~~d~~ `e`",
        "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>"
      ),
      ("# One\n###### Six", "<h3>One</h3><h6>Six</h6>"),
      (
        "[x](https://example.org/?a=1&b=2)",
        "<p><a href=\"https://example.org/?a=1&amp;b=2\" rel=\"noreferrer noopener\">x</a></p>"
      ),
      ("[x](javascript:alert(1))", "<p>x</p>"), ("[x](/page/device)", "<p>x</p>"),
      ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
      ("![x](https://example.org/i.png)", nil),
      ("- a\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
      ("1. a", "<ol><li><p>a</p></li></ol>"), ("> q", "<blockquote><p>q</p></blockquote>"),
      ("```\n<b>\n```", "<pre><code>&lt;b&gt;</code></pre>"), ("---", "<hr>"),
      (
        "|a|b|\n|-|-|\n|c|<i>|",
        "<div class=\"table\"><table><thead><tr><th>a</th><th>b</th></tr></thead>"
          + "<tbody><tr><td>c</td><td>&lt;i&gt;</td></tr></tbody></table></div>"
      ),
    ] as [(String, String?)])
  func `Markdown becomes elements`(markdown: String, wanted: String?) {
    let text = Self.text(.markdown(markdown))
    if let wanted {
      #expect(text == "<div class=\"document\">\(wanted)</div>")
    } else {
      #expect(!text.contains("<img"))
    }
  }

  @Test func `the files of the page are small and refer to nothing elsewhere`() {
    let files = PageAsset.allCases.map {
      (asset: $0, text: String(decoding: $0.bytes, as: UTF8.self))
    }
    #expect(files.reduce(0) { $0 + $1.text.utf8.count } <= 60_000)
    for file in files {
      let text = file.text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!text.contains("//") || [.script, .worker].contains(file.asset))
      #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("innerHTML"))
    }
  }
}
