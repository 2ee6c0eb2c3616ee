import Core
import Reading
import Testing

struct FeedTests {
  private func read(_ feed: String, deadlineSeconds: Double = 60) throws -> ReadPage {
    var options = ReadOptions(
      maximumCharacters: 0, deadlineSeconds: deadlineSeconds,
      baseURL: "https://a.example/feed.xml")
    options.contentType = "application/xml"
    return try Reader.read(feed: Array(feed.utf8), options: options)
  }

  @Test func `RSS is a page that lists its items`() throws {
    let page = try read(
      """
      <?xml version="1.0"?><!-- x --><rss version="2.0" xmlns:dc="d" xmlns:atom="a"><channel>
      <title>News &amp; more</title><link>https://a.example/</link><description>All of it</description>
      <atom:link href="https://a.example/feed.xml" rel="self"/><language>en-GB</language>
      <image><url>https://a.example/logo.png</url><title>Logo</title></image>
      <item><title><![CDATA[A <b>bold</b> one]]></title><link>/one?a=1&amp;b=2</link>
      <pubDate>Tue, 3 Feb 2026 10:00:00 GMT</pubDate>
      <description>&lt;p&gt;Some *words* &amp;amp; &lt;i style="display:none"&gt;hidden&lt;/i&gt;.</description></item>
      <item><title>Two</title><guid isPermaLink="true">https://a.example/two</guid>
      <dc:date>2026-02-04</dc:date></item>
      <item><guid>tag:none</guid><title>No address</title></item>
      <item><title>One again</title><link>https://a.example/one?a=1&amp;b=2</link></item>
      """)
    #expect(
      page.text == """
        News & more

        All of it

        A bold one

        https://a.example/one?a=1&b=2
        Tue, 3 Feb 2026 10:00:00 GMT

        Some *words* & .

        Two

        https://a.example/two
        2026-02-04

        No address

        One again

        https://a.example/one?a=1&b=2
        """)
    #expect(page.markdown.contains("## Two\n\n[https://a.example/two](https://a.example/two)"))
    #expect(page.links.map(\.url) == ["https://a.example/one?a=1&b=2", "https://a.example/two"])
    #expect(page.links.first?.text == "A bold one")
    #expect(page.title == "News & more")
    #expect(page.language == "en-GB")
    #expect(page.pageType == .feed)
  }

  @Test func `Atom is a page that lists its entries`() throws {
    let page = try read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title type="text">a &lt; b</title>
      <link href="https://a.example/"/><updated>2026-01-01T00:00:00Z</updated>
      <entry><title type="html">&lt;i&gt;One&lt;/i&gt;</title><link rel="edit" href="/edit"/>
      <link rel="alternate" href="one"/><id>tag:1</id><published>2026-01-02</published>
      <content type="xhtml"><div xmlns="x"><p>Rich <em>text</em></p></div></content></entry>
      <entry><title>Two</title><link href="https://b.example/two"/><updated>2026-01-03</updated>
      <summary>Short &amp;amp; plain</summary><source><title>Elsewhere</title></source></entry></feed>
      """)
    #expect(page.title == "a < b")
    #expect(page.modifiedAt == "2026-01-01T00:00:00Z")
    #expect(page.links.map(\.url) == ["https://a.example/one", "https://b.example/two"])
    #expect(page.text.contains("One\n\nhttps://a.example/one\n2026-01-02\n\nRich text\n\nTwo"))
    #expect(page.text.hasSuffix("2026-01-03\n\nShort &amp; plain"))
  }

  @Test func `RDF, JSON feeds and sitemaps are read`() throws {
    let rdf = try read(
      """
      <rdf:RDF xmlns:rdf="r"><channel><title>T</title></channel>
      <item rdf:about="x"><title>One</title><link>https://a.example/1</link></item></rdf:RDF>
      """)
    #expect(rdf.links.map(\.text) == ["One"])
    let json = try read(
      #"""
      {"version":"https:\/\/jsonfeed.org\/version\/1.1","title":"T <3","items":[
      {"id":"1","url":"https://a.example/1","title":"One","content_html":"<p>x</p>"},
      {"id":"2","external_url":"https://b.example/2","content_text":"a < b"}]}
      """#)
    #expect(json.title == "T <3")
    #expect(json.links.map(\.url) == ["https://a.example/1", "https://b.example/2"])
    #expect(json.text.hasSuffix("https://b.example/2\n\na < b"))
    let map = try read(
      """
      <urlset><url><loc> https://a.example/1 </loc><lastmod>2026-01-01</lastmod>
      <image:image><image:loc>https://a.example/1.png</image:loc></image:image></url>
      <url><loc>https://a.example/2</loc><news:news><news:title>Two</news:title></news:news></url>
      <url><loc>javascript:x</loc></url><url><loc>mailto:a@b.example</loc></url></urlset>
      """)
    #expect(map.pageType == .sitemap)
    #expect(map.links.map(\.url) == ["https://a.example/1", "https://a.example/2"])
    #expect(map.text.hasPrefix("https://a.example/1 2026-01-01\nhttps://a.example/2 Two"))
    let index = try read("<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>")
    #expect(index.links.map(\.url) == ["https://a.example/a.xml"])
  }

  @Test func `addresses one a line are a sitemap, kept as they are`() throws {
    let text = "https://a.example/1\n\nhttps://a.example/2\r\n"
    let page = try Reader.read(text: Array(text.utf8), options: ReadOptions())
    #expect(page.text == "https://a.example/1\n\nhttps://a.example/2\n")
    #expect(page.links.map(\.url) == ["https://a.example/1", "https://a.example/2"])
    #expect(
      try Reader.read(text: Array("see https://a.example/".utf8), options: ReadOptions()).links
        .isEmpty)
  }

  @Test func `what is no feed is text, and nothing that a document declares grows`() throws {
    #expect(try read("<svg><text>x</text></svg>").text == "<svg><text>x</text></svg>")
    let laughs = """
      <!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY f SYSTEM "file:///etc/passwd">]><rss><channel><title>&b;&f;</title></channel></rss>
      """
    #expect(try read(laughs).title == "&b;&f;")
  }

  @Test(
    "feeds without end are read in linear time",
    arguments: [
      "<item>", "<a>", "<![CDATA[", "<!--", "<item><title>", "</item>", "<", "&amp;", "<a b='",
    ])
  func bombs(_ piece: String) throws {
    // A debug build takes its time; one that is not linear would take hours.
    let page = try read(
      "<rss><channel>" + String(repeating: piece, count: 20_000), deadlineSeconds: 600)
    #expect(page.pageType == .feed)
  }

  @Test func `half a feed gives the items that are whole`() throws {
    let page = try read(
      "<rss><channel><item><link>https://a.example/1</link></item><item><link>htt")
    #expect(page.links.map(\.url) == ["https://a.example/1"])
  }
}
