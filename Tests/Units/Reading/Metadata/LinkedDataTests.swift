import Core
import TestSupport
import Testing

@testable import Reading

/// A page with a block of linked data.
private func page(_ data: String, body: String = "<h1>T</h1>") throws -> ReadPage {
  let html = "<script type=\"application/ld+json\">\(data)</script><body>\(body)</body>"
  return try Reader.read(html: Array(html.utf8), options: ReadOptions())
}

private func data(_ text: String) -> LinkedData {
  let bytes = Array(text.utf8)
  return LinkedData([0..<bytes.count], of: bytes, limits: ReadLimits())
}

struct LinkedDataTests {
  @Test func `an article says who wrote it and when`() throws {
    let page = try page(
      """
      {"@context":"https://schema.org","@type":"NewsArticle","headline":"T",
       "author":[{"@type":"Person","name":"Ann Author"},{"name":"Bo Writer"}],
       "datePublished":"2024-03-12T09:05:00+0100","dateModified":"2024-03-13",
       "publisher":{"@type":"Organization","name":"The Site"},"inLanguage":"en-GB",
       "description":"About &amp; more"}
      """)
    #expect(page.author == "Ann Author, Bo Writer")
    #expect(page.publishedAt == "2024-03-12T09:05:00+01:00")
    #expect(page.modifiedAt == "2024-03-13")
    #expect(page.siteName == "The Site")
    #expect(page.language == "en-GB")
    #expect(page.description == "About & more")
  }

  @Test func `references by id are followed in a graph, circles are not`() throws {
    let graph = """
      {"@graph":[{"@type":"WebSite","name":"S"},
       {"@type":"BlogPosting","headline":"T","author":{"@id":"#ann"}},
       {"@type":"Person","@id":"#ann","name":"Ann Author"}]}
      """
    #expect(try page(graph).author == "Ann Author")
    #expect(try page(graph).siteName == "S")
    let circle = """
      {"@graph":[{"@type":"Article","author":{"@id":"a"}},{"@type":"Person","@id":"a","sameAs":{"@id":"a"}}]}
      """
    #expect(try page(circle).author == nil)
  }

  @Test func `of several articles the one with the page's title is meant`() throws {
    let list = """
      [{"@type":"Article","headline":"Other","author":"Bo Writer"},
       {"@type":"Article","headline":"T","author":"Ann Author"}]
      """
    #expect(try page(list).author == "Ann Author")
  }

  @Test func `what hangs on the main entity is not the page`() throws {
    let product = """
      {"@type":"Product","name":"T","review":{"@type":"Review","author":"Bo Writer",
       "datePublished":"2020-01-01"}}
      """
    #expect(try page(product).author == nil)
    #expect(try page(product).publishedAt == nil)
  }

  @Test(
    "what pages get wrong is forgiven",
    arguments: [
      "<!-- {\"@type\":\"Article\",\"author\":\"Ann Author\"} -->",
      "//<![CDATA[\n{\"@type\":\"Article\",\"author\":\"Ann Author\",}\n//]]>",
      "{\"@type\":\"Article\",/* who */\"author\":\"Ann\nAuthor\"};",
      "{\"@type\":[\"Article\",],\"headline\":\"a \"quoted\" word\",\"author\":\"Ann Author\"",
      "{\"@type\":\"http://schema.org/Article\",\"schema:author\":{\"name\":\"Ann Author\"}}",
      "{\"@type\":\"Article\",\"author\":\"\\u0041nn Author\"}} ] garbage",
    ])
  func forgiving(_ text: String) throws {
    #expect(try page(text).author == "Ann Author")
  }

  @Test func `strings are decoded once`() {
    let read = data(#"{"a":"&amp;lt;\u00e9\ud83d\ude00\/\"<b>x</b>"}"#)
    #expect(read.text(read.member("a", of: 0)) == "&lt;é😀/\" x ")
  }

  @Test func `depth, size and numbers are bounded`() {
    let deep = data(String(repeating: "[", count: 1_000_000) + "1")
    #expect(deep.values.count <= 65)
    #expect(data("{\"a\":1e999999999,\"b\":\"c\"}").values.count == 3)
    let many = data("[" + String(repeating: "1,", count: 500_000) + "]")
    #expect(many.values.count == 100_000)
    let large = [UInt8](repeating: 0x20, count: 3_000_000)
    #expect(LinkedData([0..<large.count], of: large, limits: ReadLimits()).bytes.isEmpty)
  }

  @Test func `random bytes never crash and are bounded`() {
    var random = SeededRandom(seed: 4)
    let pieces = [
      "{", "}", "[", "]", "\"", "\\", ",", ":", "a", "1", " ", "/*", "*/", "//", "\n", "é",
    ]
    for _ in 0..<3000 {
      let text = (0..<40).map { _ in random.pick(pieces) }.joined()
      let read = data(text)
      #expect(read.values.count <= text.utf8.count)
      _ = LinkedFacts(read, titles: ["a"])
    }
  }

  @Test func `what kind of page it is said to be is kept`() throws {
    let html = """
      <script type="application/ld+json">{"@type":"NewsArticle","articleBody":"x",
      "isAccessibleForFree":"False"}</script><meta property="og:type" content="Article">
      <body itemscope itemtype="https://schema.org/Product">x
      """
    let scan = MarkupScanner.scan(Array(html.utf8), limits: ReadLimits())
    let tree = try TreeBuilder.build(
      scan, limits: ReadLimits(), deadline: Deadline(seconds: 60)
    ).tree
    let metadata = Metadata(
      tree, linkedData: LinkedData(scan.linkedData, of: Array(html.utf8), limits: ReadLimits()),
      limits: ReadLimits(), resolver: LinkResolver(base: ""), address: "",
      deadline: Deadline(seconds: 60))
    #expect(metadata.schemaTypes == ["NewsArticle", "Product"])
    #expect(metadata.openGraphType == "article")
    #expect(metadata.hasArticleBody)
    #expect(metadata.isPaid)
  }
}
