import Core
import TestSupport
import Testing

@testable import OAuth

@Suite("A URL that a server names")
struct ServerURLTests {
  @Test(
    "is https, or http to this machine",
    arguments: [
      ("https://Example.COM/a/b/", "https://example.com", "/a/b"),
      ("HTTPS://example.com:443", "https://example.com", ""),
      ("https://example.com:8443?a=b", "https://example.com:8443", ""),
      ("http://127.0.0.1:80/", "http://127.0.0.1", ""),
      ("http://127.9.9.9:8080/x", "http://127.9.9.9:8080", "/x"),
      ("http://[::1]:8080/x", "http://[::1]:8080", "/x"),
      ("http://localhost/x", "http://localhost", "/x"),
    ])
  func accepted(_ text: String, _ origin: String, _ path: String) throws {
    let url = try #require(ServerURL(text))
    #expect(url.origin == origin)
    #expect(url.path == path)
    #expect(url.description == text)
  }

  @Test(
    "is refused otherwise",
    arguments: [
      "", "http://example.com/", "http://10.0.0.1/", "http://169.254.169.254/", "ftp://127.0.0.1/",
      "https://", "https:///a", "https://a@b/", "https://a:b@c/", "https://a/#b", "https://a b/",
      "https://a\\b/", "https://a/\u{7}", "https://a/é", "https://a:99999/", "https://a:0/",
      "https://a:1:2/", "https://[::1/", "https://[::1]x/", "http://localhost.example.com/",
      "javascript:alert(1)", "//a/b", "https:a", "http://127.0.0.1.example.com/",
      "https://" + String(repeating: "a", count: 3000),
    ])
  func refused(_ text: String) { #expect(ServerURL(text) == nil) }

  @Test("covers what lies below its path on its origin")
  func covers() throws {
    let resource = try #require(ServerURL("https://a.example/mcp/one"))
    for (text, isCovered) in [
      ("https://a.example", true), ("https://A.example:443/", true),
      ("https://a.example/mcp", true), ("https://a.example/mcp/one/", true),
      ("https://a.example/mc", false), ("https://a.example/mcp/one/two", false),
      ("https://b.example/mcp/one", false), ("https://a.example:1/mcp/one", false),
      ("https://a.example/mcp/one?x", false),
    ] {
      #expect(try #require(ServerURL(text)).covers(resource) == isCovered, "\(text)")
    }
  }

  @Test("random texts never stop the parser")
  func random() {
    var random = SeededRandom(seed: 29)
    let parts = ["https", "http", "://", ":", "/", "[", "]", "@", "?", "#", "a", "1", "é", "."]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &random)]
      }.joined()
      if let url = ServerURL(text) { #expect(!url.host.isEmpty) }
    }
  }
}
