import Core
import Fetching
import Foundation
import HTTP
import TestSupport
import Testing

struct SecretTests {
  private let server: PageServer
  private let fetcher = TestFetcher()

  init() throws {
    server = try PageServer()
    server.on("/", body: "<p>ok")
  }

  @Test(
    "what a person writes is a field, or refused",
    arguments: [
      ("A: b", HTTPField("A", "b")), ("A:b:c", HTTPField("A", "b:c")), ("A:", HTTPField("A", "")),
      ("A:  b\t", HTTPField("A", "b")), ("A", nil), (": b", nil), ("A b: c", nil), ("A\n: b", nil),
      ("A: b\r\nC: d", nil), ("A: b\u{0}", nil), ("Host: x", nil), ("content-length: 3", nil),
      ("Transfer-Encoding: chunked", nil), ("Ä: b", nil),
    ] as [(String, HTTPField?)])
  func field(_ text: String, _ expected: HTTPField?) {
    #expect(HeaderFile.field(text) == expected)
  }

  @Test func `a file holds fields, and a bad line is named but not repeated`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("A: b\r\n\n X-Y: z\n".utf8).write(to: file)
    #expect(throws: Failure.self) { try HeaderFile.read(file.path) }
    try Data("A: b\r\n\nX-Y: z\n".utf8).write(to: file)
    #expect(try HeaderFile.read(file.path) == [HTTPField("A", "b"), HTTPField("X-Y", "z")])
    try Data("A: b\nsecret\n".utf8).write(to: file)
    let failure = #expect(throws: Failure.self) { try HeaderFile.read(file.path) }
    #expect(failure?.input?.hasSuffix(":2") == true)
    #expect(failure?.explanation.contains("secret") == false)
    #expect(throws: Failure.self) { try HeaderFile.read("/nowhere/at/all") }
  }

  @Test func `a field that is secret by its file stays with the first origin`() async throws {
    let other = try PageServer()
    other.on("/", body: "<p>ok")
    server.redirect("/r", to: other.url("/"))
    let fetcher = fetcher {
      $0.fields = [HTTPField("X-Plain", "hush")]
      $0.secretNames = ["x-plain"]
    }
    _ = try await fetcher.fetch(url: server.url("/r"))
    #expect(server.requests.first?.contains("hush") == true)
    #expect(other.requests.first?.contains("hush") == false)
  }

  @Test func `userinfo is refused, or sent and never told`() async throws {
    let url = "http://me:pass%20word@127.0.0.1:\(server.port)/"
    #expect(await fetcher().failure(url)?.kind == "badURL")
    #expect(server.requests.isEmpty)
    let page = try await fetcher { $0.allowUserinfo = true }.fetch(url: url)
    let pair = Data("me:pass word".utf8).base64EncodedString()
    #expect(server.requests.first?.contains("Authorization: Basic \(pair)\r\n") == true)
    #expect(page.url == server.url("/"))
    #expect(try !page.json().contains("pass"))
  }

  @Test func `a redirect to userinfo is refused`() async {
    server.redirect("/r", to: "http://me:pw@127.0.0.1:\(server.port)/")
    let failure = await fetcher { $0.allowUserinfo = true }.failure(server.url("/r"))
    #expect(failure?.kind == "badURL")
    #expect(failure?.redirects?.contains { $0.contains("pw") } == false)
  }

  @Test func `cookies are kept, sent where they belong, and come out as lines`() async throws {
    server.on(
      "/set", fields: ["Content-Type: text/html", "Set-Cookie: a=1; path=/x; Max-Age=86400"],
      bytes: Array("<p>ok".utf8))
    server.on("/x/y", body: "<p>ok")
    let fetcher = TestFetcher(cookies: ["127.0.0.1\tFALSE\t/\tFALSE\t0\told\t2"])
    for path in ["/set", "/x/y", "/"] { _ = try await fetcher().fetch(url: server.url(path)) }
    let cookies = server.requests.map { head in
      head.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") }.map(String.init)
    }
    #expect(cookies == ["Cookie: old=2", "Cookie: a=1; old=2", "Cookie: old=2"])
    let lines = await fetcher.client.cookies()
    #expect(lines.contains { $0.contains("\ta\t1") } && lines.contains { $0.contains("\told\t2") })
    #expect(await TestFetcher(cookies: lines).client.cookies() == lines)
  }

  @Test func `a jar is written for its owner alone and read again`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let cookies = ["#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tb\t2", "h\tFALSE\t/\tFALSE\t0\ta\t1"]
    #expect(try CookieJar.read(file.path) == [])
    try CookieJar.write(cookies, to: file.path)
    #expect(try CookieJar.read(file.path) == cookies)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    chmod(file.path, 0o644)
    #expect(throws: Failure.self) { try CookieJar.read(file.path) }
  }

  @Test func `without a jar no cookie is kept`() async throws {
    server.on(
      "/set", fields: ["Content-Type: text/html", "Set-Cookie: a=1"], bytes: Array("<p>ok".utf8))
    for _ in 0..<2 { _ = try await fetcher().fetch(url: server.url("/set")) }
    #expect(server.requests.allSatisfy { !$0.contains("Cookie:") })
  }
}
