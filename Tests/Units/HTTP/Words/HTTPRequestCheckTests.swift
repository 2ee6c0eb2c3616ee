import Core
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTPRequestCheckTests {
  @Test(arguments: [
    "", "host", "http:host", "http:///host", "http://", "http://?q", "http://h/\r\nX: y",
    "http://h/\n", "http://h/\0", "http://h/a b", "http://h\\@x/", "http://h/\t", "://h",
    "1http://h",
  ])
  func `What is not a URL is bad input`(url: String) {
    let failure = HTTPRequest(url: url).refusal()
    #expect(failure?.code == .badInput)
    #expect(failure?.kind == "badURL")
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://h/", "gopher://h/", "data:,x", "javascript:1"])
  func `A scheme but http and https is refused`(url: String) {
    let failure = HTTPRequest(url: url).refusal()
    #expect(failure?.code == .pageRefused)
    #expect(failure?.kind == "blockedScheme")
  }

  @Test(arguments: ["http://h", "HTTPS://h/p?q#f", "http://[::1]:80/", "http://ü.example/"])
  func `A URL with a host is sent`(url: String) {
    #expect(HTTPRequest(url: url).refusal() == nil)
  }

  @Test(arguments: [
    HTTPField("X", "a\r\nY: b"), HTTPField("X", "a\nb"), HTTPField("X", "a\0"),
    HTTPField("X\r\nY", "a"), HTTPField("", "a"), HTTPField("X Y", "a"), HTTPField("X:", "a"),
    HTTPField("Content-Length", "1"), HTTPField("transfer-encoding", "chunked"),
  ])
  func `A field that would break the framing is bad input and not shown`(field: HTTPField) {
    let failure = HTTPRequest(url: "http://h/", fields: [field]).refusal()
    #expect(failure?.code == .badInput)
    #expect(failure?.explanation.contains { $0.isNewline } == false)
  }

  @Test func `A method is a token`() {
    #expect(HTTPRequest(url: "http://h/", method: "GET / HTTP/1.1\r\n").refusal() != nil)
    #expect(HTTPRequest(url: "http://h/", method: "PROPFIND").refusal() == nil)
  }

  @Test(arguments: [
    (["http_proxy": "p:1"], "http://h/", true), (["http_proxy": "p:1"], "https://h/", false),
    (["HTTPS_PROXY": "p:1"], "https://h/", true), (["ALL_PROXY": "p:1"], "http://h/", true),
    (["http_proxy": ""], "http://h/", false), ([:], "http://h/", false),
    (["all_proxy": "p", "no_proxy": "*"], "http://h/", false),
    (["all_proxy": "p", "NO_PROXY": "a.b, .example.org"], "http://x.Example.org:8/", false),
    (["all_proxy": "p", "no_proxy": "example.org"], "http://notexample.org/", true),
    (["all_proxy": "p", "no_proxy": "::1"], "http://u:p@[::1]:8/", false),
    (["all_proxy": "p", "no_proxy": "h"], "http://h@evil/", true),
  ])
  func `A proxy is found as libcurl would`(
    variables: [String: String], url: String, expected: Bool
  ) {
    #expect((ProxyEnvironment(variables: variables).proxy(for: url) != nil) == expected)
  }

  @Test func `An address is written as it is known`() {
    #expect(SocketAddress(text: "127.0.0.1", port: 80)?.description == "127.0.0.1:80")
    #expect(SocketAddress(text: "fe80::1%eth0", port: 1)?.description == "[fe80::1]:1")
    #expect(SocketAddress(text: "127.1", port: 80) == nil)
    #expect(SocketAddress(bytes: [1, 2], port: 80) == nil)
  }
}
