import Core
import Remote
import TestSupport
import Testing

struct DestinationTests {
  @Test(arguments: [
    ("box", "- box -"), ("build@box", "build box -"), ("build@box:2222", "build box 2222"),
    ("box:1", "- box 1"), ("box:65535", "- box 65535"), ("10.0.0.1:22", "- 10.0.0.1 22"),
    ("::1", "- ::1 -"), ("build@::1", "build ::1 -"), ("[::1]:2222", "- ::1 2222"),
    ("build@[fe80::1%eth0]:22", "build fe80::1%eth0 22"), ("[::1]", "- ::1 -"),
    ("[box]:22", "- box 22"), ("ssh://box", "- box -"), ("ssh://box/", "- box -"),
    ("ssh://build@box:2222", "build box 2222"), ("SSH://b%40c@[::1]:22/", "b@c ::1 22"),
    ("CORP\\build@box", "CORP\\build box -"), ("me@corp.example@box", "me@corp.example box -"),
    ("Box.Example.", "- Box.Example. -"), ("a_b", "- a_b -"),
    ("build user@box:1", "build user box 1"), ("ssh://build%20user@box", "build user box -"),
  ])
  func `each form is read`(_ text: String, _ expected: String) throws {
    let destination = try Destination(text)
    #expect(
      "\(destination.user ?? "-") \(destination.host) \(destination.port.map { "\($0)" } ?? "-")"
        == expected)
  }

  /// Not arguments: no log should hold their control characters.
  private static let refused = [
    "", "@", "@box", "build@", ":22", "build@:22", "-oProxyCommand=x", "build@-x", "-l@box",
    "box:", "box:0", "box:65536", "box:022222", "box:+22", "box:22x", "box:ssh", "[::1]:",
    "[::1]22", "[::1", "[]", "[]:22", "[-x]:22", "::1:99999", "1:2:3", "a:b:c", "::1%", "::1%a/b",
    "box example", "box\n", "box\t", "bo\u{1B}x", "b\u{0}x", "box\u{202E}", "a,b", "a*", "!a",
    "a/b",
    "a;b", "$(id)", "`id`", "a|b", "a&b", "a'b", "a\"b", "a\\b",
    "bu -ild@box", "bu\tild@box", "bu\u{7}@box",
    "a;b@box", "a`b@box", "a\\@box", "ssh://", "ssh://@box", "ssh://box/path", "ssh://box:x",
    "ssh://a%0Ab@box", "ssh://a%ZZ@box", "%h", "fe80::1%eth0:22x y", "b\u{F6}x", "box:\u{301}22",
    "a@\u{301}box", "a;\u{301}@box", "::\u{0}1",
  ]

  @Test func `what is none is refused`() {
    for text in Self.refused {
      let failure = #expect(throws: Failure.self, "\(text.debugDescription)") {
        try Destination(text)
      }
      #expect(failure?.code == .badUsage)
    }
  }

  @Test func `text of any kind is read or refused`() {
    var random = SeededRandom(seed: 7)
    let pieces = Array("ab@:[]%-/\\. 1259\u{0}\u{1B}é,;*").map(String.init) + ["ssh://", "::"]
    var known = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...10, using: &random)
      let text = (0..<count).map { _ in random.one(of: pieces, else: "") }.joined()
      guard let destination = try? Destination(text) else { continue }
      known += 1
      #expect(!destination.host.isEmpty && !destination.host.hasPrefix("-"))
      #expect(destination.user?.hasPrefix("-") != true)
      #expect(
        !destination.host.utf8.contains { $0 <= 0x20 || $0 == 0x2C },
        "\(text.debugDescription)")
    }
    #expect(known > 100)
  }
}
