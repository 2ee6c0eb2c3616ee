import TestSupport
import Testing

@testable import Fetching

struct RobotsRulesTests {
  private func rules(_ text: String, _ product: String = "ExampleBot") -> RobotsRules {
    RobotsRules(Array(text.utf8), product: product)
  }

  /// RFC 9309 section 5.1.
  private static let simple = """
    User-Agent: *
    Disallow: *.gif$
    Disallow: /example/
    Allow: /publications/

    User-Agent: foobot
    Disallow:/
    Allow:/example/page.html
    Allow:/example/allowed.gif

    User-Agent: barbot
    User-Agent: bazbot
    Disallow: /example/page.html

    User-Agent: quxbot

    EOF
    """

  @Test(
    "the example of the RFC's section 5.1",
    arguments: [
      ("anybot", "/a.gif", false), ("anybot", "/a.gif?x", true), ("anybot", "/example/x", false),
      ("anybot", "/publications/a", true), ("anybot", "/", true), ("foobot", "/", false),
      ("foobot", "/example/page.html", true), ("foobot", "/example/allowed.gif", true),
      ("foobot", "/example/other", false), ("FooBot", "/x", false),
      ("barbot", "/example/page.html", false), ("bazbot", "/example/page.html", false),
      ("barbot", "/a.gif", true), ("quxbot", "/example/", true), ("quxbot", "/a.gif", true),
      ("foobot", "/robots.txt", true),
    ])
  func simple(_ product: String, _ path: String, _ isAllowed: Bool) {
    #expect(rules(Self.simple, product).allows(path) == isAllowed)
  }

  @Test func `the longest match wins, as in the RFC's section 5_2`() {
    let text = """
      User-Agent: foobot
      Allow: /example/page/
      Disallow: /example/page/disallowed.gif
      """
    #expect(!rules(text, "foobot").allows("/example/page/disallowed.gif"))
    #expect(rules(text, "foobot").allows("/example/page/other.gif"))
  }

  @Test func `between two of one length allow wins`() {
    for order in [["Allow: /a", "Disallow: /a"], ["Disallow: /a", "Allow: /a"]] {
      let text = (["User-agent: *"] + order).joined(separator: "\n")
      #expect(rules(text).allows("/a"))
    }
  }

  @Test(
    "wildcards and the end",
    arguments: [
      ("/*", "/x", true), ("/fish*", "/fish.html", true), ("/fish*.php", "/fish/a.php?b", true),
      ("/*.php$", "/a.php", true), ("/*.php$", "/a.php?x", false), ("/*.php$", "/a.php/", false),
      ("/a$b", "/a$b", true), ("/a$b", "/a", false), ("/fish", "/Fish", false),
      ("/a*b*c$", "/axxbyyc", true), ("/a*b*c$", "/axxbyycd", false), ("/$", "/", true),
      ("/$", "/x", false), ("*", "/anything", true), ("/a**b", "/ab", true), ("", "/", false),
      ("a", "/a", false),
    ])
  func wildcards(_ pattern: String, _ path: String, _ isMatched: Bool) {
    #expect(rules("User-agent: *\nDisallow: \(pattern)").allows(path) == !isMatched)
  }

  @Test(
    "encodings are compared as the RFC's section 2.2.2 has them",
    arguments: [
      ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
      ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
      ("/foo/bar/ツ", "/foo/bar/%E3%83%84"), ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
      ("/foo/bar/%62%61%7A", "/foo/bar/baz"), ("/a%3cd.html", "/a%3Cd.html"),
      ("/file-with-a-%2A.html", "/file-with-a-*.html"), ("/foo-%24", "/foo-$"),
    ])
  func encodings(_ pattern: String, _ path: String) {
    let rules = rules("User-agent: *\nDisallow: \(pattern)\nAllow: /other")
    #expect(!rules.allows(path))
    #expect(rules.allows(String(path.dropLast(2))))
  }

  @Test func `an encoded slash in a path is no slash`() {
    #expect(rules("User-agent: *\nDisallow: /a%2Fb").allows("/a/b"))
  }

  @Test(
    "what is not quite as it should be is read all the same",
    arguments: [
      "\u{FEFF}User-agent: *\nDisallow: /x", "user-AGENT :  * \t\nDISALLOW:/x",
      "User-agent: *\r\nDisallow: /x\r\n", "User-agent: *\rDisallow: /x\r",
      "User-agent: * # all\nDisallow: /x # this", "<html>\nUser-agent: *\nDisallow: /x",
      "User-agent: *\n\n\nSitemap: /s\nDisallow: /x",
      "User-agent: other\nUser-agent: *\nDisallow: /x",
      "User-agent: *\nCrawl-delay: 3\nUser-agent: other\nDisallow: /x",
      "User-agent: *\nDisallow: /y\nUser-agent: z\nDisallow: /\nUser-agent: *\nDisallow: /x",
    ])
  func tolerance(_ text: String) {
    #expect(!rules(text).allows("/x"))
    #expect(rules(text).allows("/other"))
  }

  @Test func `rules before any name are nobody's, and an empty file allows all`() {
    #expect(rules("Disallow: /\nUser-agent: *\nDisallow: /x").allows("/y"))
    #expect(rules("").allows("/"))
    #expect(RobotsRules([0xFF, 0xFE, 0x00, 0x3A, 0x0A], product: "x").allows("/"))
  }

  @Test func `an own group hides the general one, its parts are one`() {
    let text = """
      User-agent: *
      Disallow: /
      User-agent: ExampleBot/2.1
      Disallow: /a
      User-agent: other
      Disallow: /
      User-agent: examplebot
      Disallow: /b
      """
    #expect(rules(text).allows("/c"))
    #expect(!rules(text).allows("/a") && !rules(text).allows("/b"))
    #expect(!rules(text, "Example").allows("/c"))
  }

  @Test func `a crawl delay is read, the longest one, and nonsense is not`() {
    #expect(rules("User-agent: *\nCrawl-delay: 2.5\nCrawl-delay: 1").crawlDelay == 2.5)
    for value in ["-1", "nan", "inf", "soon", ""] {
      #expect(rules("User-agent: *\nCrawl-delay: \(value)").crawlDelay == nil)
    }
  }

  @Test func `half a megabyte is read and no more`() {
    let comment = "#" + String(repeating: "x", count: 998) + "\n"
    let late = "User-agent: *\n" + String(repeating: comment, count: 514) + "Disallow: /x\n"
    #expect(late.utf8.count > 500 * 1024 && !rules(late).allows("/x"))
    let tooLate = "User-agent: *\n" + String(repeating: comment, count: 600) + "Disallow: /x\n"
    #expect(rules(tooLate).allows("/x"))
  }

  @Test func `patterns made to take for ever allow nothing, soon`() {
    let path = "/" + String(repeating: "a", count: 8000)
    let pattern = "Disallow: *" + String(repeating: "a", count: 1000) + "b\n"
    let rules = rules("User-agent: *\n" + String(repeating: pattern, count: 200))
    let isAllowed = rules.allows(path)
    #expect(!isAllowed)
  }

  /// The same question, asked in the simplest way.
  private func matches(_ path: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return true }
    if first == UInt8(ascii: "$"), pattern.count == 1 { return path.isEmpty }
    if first == UInt8(ascii: "*") {
      return (path.startIndex...path.endIndex).contains {
        matches(path[$0...], pattern.dropFirst())
      }
    }
    return path.first == first && matches(path.dropFirst(), pattern.dropFirst())
  }

  @Test(arguments: 0..<10)
  func `random patterns match as the simplest matcher says`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    func text(_ letters: String, _ count: Int) -> [UInt8] {
      (0..<count).compactMap { _ in Array(letters.utf8).randomElement(using: &random) }
    }
    for _ in 0..<500 {
      let path = text("ab", .random(in: 0...8, using: &random))
      let tail: [UInt8] = Bool.random(using: &random) ? [UInt8(ascii: "$")] : []
      let pattern = text("ab*", .random(in: 0...6, using: &random)) + tail
      var steps = 1_000_000
      #expect(RobotsRules.matches(path, pattern, steps: &steps) == matches(path[...], pattern[...]))
    }
  }

  @Test func `random bytes are rules or none, never worse`() {
    var random = SeededRandom(seed: 1)
    let alphabet = Array("user-agent:*\n\rdisallow/$%2a #\u{FEFF}".utf8) + [0, 0xFF]
    for _ in 0..<500 {
      let bytes = (0..<200).compactMap { _ in alphabet.randomElement(using: &random) }
      _ = RobotsRules(bytes, product: "a").allows("/%2a$*")
    }
  }
}
