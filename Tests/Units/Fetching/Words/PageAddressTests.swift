import Core
import TestSupport
import Testing

@testable import Fetching

struct PageAddressTests {
  private func kind(_ url: String) -> FailureKind? {
    do {
      _ = try PageAddress(url)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test(
    "what is no URL to fetch is refused as badURL",
    arguments: [
      "", "example.org", "http:example.org", "http:///example.org", "http://", "http://user@h/",
      "http://user:pw@h/", "http://h\r\nX: y/", "http://h/a b", "http://h\u{0}/", "http://h\\a/",
      "http://h/\t", "http://a..b/", "http://../", "http://./", "http://.a/", "http://h:0/",
      "http://h:65536/", "http://h:-1/", "http://h:8a/", "http://[::1]:99999/",
      "http://h/" + String(repeating: "a", count: 100_000),
    ])
  func badURL(_ url: String) {
    #expect(kind(url) == "badURL")
  }

  @Test(
    "other schemes are refused as blockedScheme",
    arguments: [
      "file:///etc/passwd", "ftp://h/", "gopher://h/", "dict://h/", "data:text/html,x",
      "javascript:alert(1)",
    ])
  func blockedScheme(_ url: String) {
    #expect(kind(url) == "blockedScheme")
  }

  @Test("ports of other protocols are refused", arguments: [22, 25, 6000, 6379, 11211])
  func blockedPort(_ port: Int) {
    #expect(kind("http://h:\(port)/") == "blockedPort")
  }

  @Test(
    "a password is never repeated",
    arguments: [
      "https://user:secret@example.org/", "http:user:secret@h/", "//user:secret@h/",
      "http://user:secret" + String(repeating: "x", count: 300) + "@h/",
      "http://user:secret@\u{301}h/", "http://user:secret@\u{20DD}/h", "http://user:secret%40h/",
      "http://user:a/secret@h/", "http://user:secret?@h/", "http://user:secret\\@h/",
      "http://user:secret", "ftp://user:secret@h/", "HTTPS://user:secret@h:22/",
      "http://user:secret@h/" + String(repeating: "x", count: 9000),
    ])
  func password(_ url: String) {
    do {
      _ = try PageAddress(url)
      Issue.record("it was accepted")
    } catch {
      #expect(!"\(error)".contains("secret"))
    }
    #expect(!"\(Failure.shownPath(url))".contains("secret") || url == "http://user:secret")
  }

  @Test(
    "an accent behind a mark does not hide the mark",
    arguments: [
      ("http://h/\u{301}a", "h"), ("http://h?\u{301}a", "h"), ("http://h#\u{301}a", "h"),
      ("http://h:80\u{301}/", nil), ("http://u@\u{301}h/", nil),
    ] as [(String, String?)])
  func marks(_ url: String, _ host: String?) {
    #expect((try? PageAddress(url))?.host == host)
  }

  @Test func `the fragment goes and characters outside ASCII are encoded`() throws {
    #expect(try PageAddress("HTTP://h/ä?q=é#x").text == "http://h/%C3%A4?q=%C3%A9")
    #expect(try PageAddress("https://h").text == "https://h/")
    #expect(try PageAddress("https://h.?q").text == "https://h./?q")
  }

  @Test(
    "locations are resolved against the address that gave them",
    arguments: [
      ("/a", "https://h:8443/a"), ("b?c", "https://h:8443/x/b?c"),
      ("../up", "https://h:8443/up"), ("?q", "https://h:8443/x/y?q"),
      ("//other/z", "https://other/z"), ("http://t/a b", "http://t/a%20b"), ("", nil),
    ] as [(String, String?)])
  func resolve(_ location: String, _ expected: String?) throws {
    let base = try PageAddress("https://h:8443/x/y?z")
    if let expected {
      #expect(try base.resolve(location).text == expected)
    }
  }

  @Test func `random text is refused or accepted, never worse`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("http://[]:@%?#.\\ä\u{0}a0")
    for _ in 0..<2000 {
      let tail = (0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
      _ = kind("http://" + String(tail))
      _ = try? PageAddress("http://h/").resolve(String(tail))
    }
  }
}
