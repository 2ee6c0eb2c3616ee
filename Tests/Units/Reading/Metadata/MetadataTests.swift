import Core
import Reading
import Testing

struct MetadataTests {
  @Test func `the head says what the page is`() throws {
    let html = """
      <html lang="en-GB"><head><title> A
       title </title><link rel="Canonical" href="/c"><meta name=description content="About">
      <meta property="og:site_name" content="Site"><meta name=author content="Ann Author">
      <meta property="article:published_time" content="2026-01-02T03:04:05Z">
      <meta property="article:modified_time" content="2026-02-03"></head><body>x</body></html>
      """
    let page = try Reader.read(
      html: Array(html.utf8), options: ReadOptions(baseURL: "https://a.example/b"))
    #expect(page.title == "A title")
    #expect(page.language == "en-GB")
    #expect(page.canonicalURL == "https://a.example/c")
    #expect(page.description == "About")
    #expect(page.siteName == "Site")
    #expect(page.author == "Ann Author")
    #expect(page.publishedAt == "2026-01-02T03:04:05Z")
    #expect(page.modifiedAt == "2026-02-03")
    #expect(page.text == "x")
  }

  @Test func `no value is longer than four kilobytes, and no address is cut`() throws {
    let long = String(repeating: "{é} ", count: 1500)
    let html = """
      <title>\(long)</title><link rel=canonical href="/\(long)"><meta name=description content="\(long)">
      <meta name=author content="\(long)"><meta property="og:site_name" content="\(long)">x
      """
    let page = try Reader.read(
      html: Array(html.utf8), options: ReadOptions(baseURL: "https://a.example/b"))
    for value in [page.title, page.description, page.siteName] {
      #expect((3000...4096).contains(value?.utf8.count ?? 0))
    }
    #expect((page.author ?? "").utf8.count <= 4096)
    #expect(page.canonicalURL == nil)
    let short = html.replacing("/\(long)", with: "/{é}")
    let other = try Reader.read(
      html: Array(short.utf8), options: ReadOptions(baseURL: "https://a.example/b"))
    #expect(other.canonicalURL == "https://a.example/%7Bé%7D")
  }

  @Test func `a title holds no markup`() throws {
    let page = try Reader.read(
      html: Array("<title>a <b> &amp; c</title>x".utf8), options: ReadOptions())
    #expect(page.title == "a <b> & c")
  }

  @Test func `without a title its first heading names a page`() throws {
    let page = try Reader.read(html: Array("<h1>a <b>b</b></h1>".utf8), options: ReadOptions())
    #expect(page.title == "a b")
  }
}
