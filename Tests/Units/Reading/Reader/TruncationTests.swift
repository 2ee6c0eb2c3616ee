import Core
import Reading
import Testing

struct TruncationTests {
  private func read(_ html: String, _ limit: Int) throws -> ReadPage {
    try Reader.read(html: Array(html.utf8), options: ReadOptions(maximumCharacters: limit))
  }

  @Test func `a cut is made at the end of a block where one is near`() throws {
    let page = try read("<p>\(String(repeating: "a", count: 95))</p><p>second</p>", 100)
    #expect(page.text == String(repeating: "a", count: 95))
    #expect(page.characters == 95)
    #expect(page.totalCharacters == 103)
    #expect(page.truncated)
  }

  @Test func `a cut without a block near leaves whole letters`() throws {
    let page = try read("<p>" + String(repeating: "e\u{301}", count: 50), 51)
    #expect(page.text == String(repeating: "e\u{301}", count: 25))
    #expect(page.characters == 50)
  }

  @Test func `no limit and a limit that is not reached keep all`() throws {
    for limit in [0, 5, 6] {
      let page = try read("<p>hello", limit)
      #expect(page.text == "hello")
      #expect(!page.truncated)
    }
  }
}
