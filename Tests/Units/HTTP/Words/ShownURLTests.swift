import Core
import TestSupport
import Testing

@testable import HTTP

@Suite struct ShownURLTests {
  @Test(arguments: [
    ("https://h/p?q#f", "https://h/p?q#f"), ("https://h:8/@me/x@1", "https://h:8/@me/x@1"),
    ("https://u:pw@h/", "https://h/"), ("HTTPS://u:pw@h/@x", "HTTPS://h/@x"),
    ("http://u:p@w@h:80/", "http://h:80/"), ("http://[::1]:8/", "http://[::1]:8/"),
    ("http://u:pw@[::1]/", "http://[::1]/"), ("http:u:pw@h/", "http://h/"),
    ("http:/u:pw@h/", "http://h/"), ("http:\\\\u:pw@h/", "http://h/"), ("//u:pw@h/", "h/"),
    ("u:pw@h/", "h/"), ("http://u:p/w@h/", "http://h/"), ("http://u:p?w@h/", "http://h/"),
    ("http://u:p#w@h/", "http://h/"), ("http://u:p\\w@h/", "http://h/"),
    ("http://u:pw@\u{301}h/", "http://\u{301}h/"), ("http://u:pw%40h/", "http://h/"),
    ("http://u:pw\u{FF20}h/", "http://h/"), ("http://u:p\nw@h/", "http://h/"),
    ("ht\ttp://u:pw@h/", "h/"), ("http://u:pw", "http://u:…"), ("example.org/a", "example.org/a"),
    ("", ""),
  ])
  func `What may be a password goes, and the rest stays`(url: String, shown: String) {
    #expect(ShownURL.withoutUserinfo(url) == shown)
  }

  @Test(arguments: [
    ("'http://u:pw@h:1' is none", "'http://[redacted]@h:1' is none"),
    ("a@b http://h:80, c", "a@b http://h:80, c"),
    (
      #"{"a":"https://u:p/w@h/x","b":"c@d"}"#,
      #"{"a":"https://[redacted]@h/x","b":"c@d"}"#
    ),
    (
      "(ftp://u:pw%40h) --hub=ws://u@h/@me", "([redacted]@h) --hub=ws://[redacted]@h/@me"
    ),
    ("https://h/@x?q=a@b", "https://h/@x?q=a@b"), ("12:30 a:b@c", "12:30 a:b@c"), ("", ""),
    ("http://a/x,http://u:pw@b/", "http://a/x,http://[redacted]@b/"),
    ("p://a/?to=http://u:pw@h/", "p://a/?to=http://[redacted]@h/"),
    ("http://a/→http://u:pw@h", "http://a/→http://[redacted]@h"),
  ])
  func `URLs in a text have a mark in place of userinfo`(text: String, shown: String) {
    #expect(ShownURL.inText(text) == shown)
  }

  @Test func `An at sign behind any number of characters is found`() {
    for count in [0, 290, 299, 300, 301, 5000] {
      let url = "http://u:hunter2" + String(repeating: "x", count: count) + "@h/"
      #expect(Failure.shownURL(url) == "http://h/")
    }
  }

  @Test func `No form of a URL shows its password`() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<20_000 {
      let url = PlantedURL.random(&random)
      #expect(!Failure.shownURL(url).contains(PlantedURL.password), "\(url)")
      let failure = HTTPRequest(url: url).refusal()
      #expect(!"\(String(describing: failure))".contains(PlantedURL.password), "\(url)")
    }
  }
}

/// URLs with a password in them, in forms that people and programs write.
enum PlantedURL {
  static let password = "PaSsWoRd"

  static func random(_ random: inout SeededRandom) -> String {
    func one(_ texts: String...) -> String { texts.randomElement(using: &random) ?? "" }
    let scheme = one(
      "http://", "https://", "HTTP://", "http:", "http:/", "http:\\\\", "//", "", "ht\ttp://",
      "ftp://",
      "http:///", " http://", "x:")
    let user = one("", "u", "user.name", "a@b", "u%40x", "é", "me\u{301}", "1")
    let around = one("", "x", "/", "?", "#", "\\", "@", ":", "%40", "\u{301}", "\n", "\t", "[", "]")
    let long = String(
      repeating: one("a", "é", "e\u{301}", "%20"), count: one("", "x") == "" ? 0 : 310)
    let at = one("@", "@", "@", "@\u{301}", "@\u{20DD}", "%40", "\u{FF20}", "\u{FE6B}", "@@")
    let host = one("h/", "127.0.0.1:9/", "[::1]/", "h", "h/p?q=a", "h:x/", "é.example/")
    return scheme + user + ":" + around + password + long + around + at + host
  }
}
