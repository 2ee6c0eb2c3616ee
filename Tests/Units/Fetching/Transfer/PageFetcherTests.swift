import Core
import Fetching
import Foundation
import HTTP
import TestSupport
import Testing

struct PageFetcherTests {
  private let server: PageServer
  private let fetcher = TestFetcher()

  init() throws { server = try PageServer() }

  private struct NoFailure: Error {}

  /// The failure of fetching a path, which must fail.
  private func failure(_ path: String, _ fetcher: PageFetcher? = nil) async throws -> Failure {
    do {
      _ = try await (fetcher ?? self.fetcher()).fetch(url: server.url(path))
    } catch {
      return error
    }
    throw NoFailure()
  }

  @Test func `a page comes back as text with where it is from`() async throws {
    server.on("/a", body: "<title>T</title><p>Hello <a href=b>world</a>")
    let page = try await fetcher().fetch(url: server.url("/a"))
    #expect(page.text == "Hello world")
    #expect(page.markdown == "Hello [world](\(server.url("/b")))")
    #expect(page.title == "T")
    #expect(page.url == server.url("/a"))
    #expect(page.finalURL == server.url("/a"))
    #expect(page.redirects == nil)
    #expect(page.status == 200)
    #expect(page.contentType == "text/html")
    #expect(page.partial == false)
  }

  @Test func `what the client calls itself and wants is sent`() async throws {
    server.on("/a", body: "x")
    _ = try await fetcher().fetch(url: server.url("/a"))
    let head = try #require(server.requests.first)
    #expect(head.contains("User-Agent: AgentOS/1.0 (agentpipes test)\r\n"))
    #expect(head.contains("Accept: text/markdown, text/html;q=0.9, */*;q=0.5\r\n"))
  }

  @Test func `redirects are followed and recorded`() async throws {
    server.redirect("/1", to: "2?x")
    server.redirect("/2?x", to: server.url("/3"))
    server.on("/3", body: "end")
    let page = try await fetcher().fetch(url: server.url("/1"))
    #expect(page.redirects == [server.url("/2?x")])
    #expect(page.finalURL == server.url("/3"))
    #expect(page.text == "end")
  }

  @Test func `a loop of redirects ends`() async throws {
    server.redirect("/loop", to: "/loop")
    let failure = try await failure("/loop")
    #expect(failure.kind == "tooManyRedirects")
    #expect(failure.url == server.url("/loop"))
    #expect(server.requests.count == 11)
  }

  @Test(
    "a redirect to another scheme is refused",
    arguments: ["file:///etc/passwd", "ftp://h/", "data:text/html,x", "javascript:1"])
  func redirectToScheme(_ location: String) async throws {
    server.redirect("/r", to: location)
    #expect(try await failure("/r").kind == "blockedScheme")
  }

  @Test func `a redirect to a metadata service is refused though private is allowed`() async throws
  {
    server.redirect("/r", to: "http://169.254.169.254/latest/")
    #expect(try await failure("/r").kind == "blockedAddress")
  }

  @Test(
    "loopback is refused however it is spelled",
    arguments: [
      "127.0.0.1", "localhost", "LOCALHOST", "2130706433", "0x7f000001", "0177.0.0.1", "127.1",
      "[::1]", "[::ffff:7f00:1]", "0", "%31%32%37.0.0.1", "foo.localhost", "①②⑦.⓪.⓪.①",
      "127。0。0。1", "0.0.0.0", "0x7f.1", "0177.1", "017700000001", "0x7f.0.0.0x1", "127.0.1",
      "127.255.255.254", "localhost.", "[::]", "[::1%25lo]", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]",
      "[::ffff:127.0.0.1]", "[0000::1]", "Localhost",
    ])
  func spellings(_ host: String) async throws {
    server.on("/", body: "secret")
    do {
      _ = try await fetcher { $0.allowPrivate = false }
        .fetch(url: "http://\(host):\(server.port)/")
      Issue.record("it was fetched")
    } catch {
      // A spelling that no resolver here takes for an address is as good as refused.
      #expect(["blockedAddress", "resolve", "badURL"].contains(error.kind))
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `secrets stay with the origin they were meant for`() async throws {
    let other = try PageServer()
    other.on("/b", body: "x")
    server.redirect("/a", to: other.url("/b"))
    let secret = fetcher {
      $0.fields = [
        HTTPField("Authorization", "s1"), HTTPField("cookie", "s2"), HTTPField("X", "y"),
      ]
    }
    _ = try await secret.fetch(url: server.url("/a"))
    #expect(server.requests.first?.contains("s1") == true)
    let head = try #require(other.requests.first)
    #expect(!head.contains("s1") && !head.contains("s2") && head.contains("X: y"))
  }

  @Test func `a cut body gives a partial page with its failure`() async throws {
    server.on("/cut", body: "<p>some text", length: 5000)
    let page = try await fetcher().fetch(url: server.url("/cut"))
    #expect(page.partial == true)
    #expect(page.text == "some text")
    #expect(page.error?.kind == "shortBody")
  }

  @Test func `a body over the cap gives a partial page`() async throws {
    server.on("/big", body: "<p>" + String(repeating: "word ", count: 1000))
    let page = try await fetcher { $0.maximumDecodedBytes = 1000 }.fetch(url: server.url("/big"))
    #expect(page.partial == true)
    #expect(page.bytes == 1000)
    #expect(page.error?.kind == "tooLarge")
  }

  @Test func `an unsupported type is named with its size`() async throws {
    server.on("/i", fields: ["Content-Type: image/png"], bytes: [1, 2, 3])
    let failure = try await failure("/i")
    #expect(failure.code == .pageRefused)
    #expect(failure.kind == "unsupportedType")
    #expect(failure.explanation.contains("image/png, 3 bytes"))
  }

  @Test func `a PDF labelled HTML is no page`() async throws {
    server.on("/p", body: "%PDF-1.7 …")
    #expect(try await failure("/p").kind == "unsupportedType")
  }

  @Test func `HTML labelled as plain text is read as HTML, other text as it is`() async throws {
    server.on("/h", fields: ["Content-Type: text/plain"], body: " <!DOCTYPE html><p>x</p>")
    server.on("/t", fields: ["Content-Type: text/plain"], body: "a  <b>\n")
    #expect(try await fetcher().fetch(url: server.url("/h")).text == "x")
    #expect(try await fetcher().fetch(url: server.url("/t")).text == "a  <b>\n")
  }

  @Test(
    "an error status is a failure with the URL and the status",
    arguments: [
      (401, FailureCode.permissionDenied), (403, .permissionDenied), (404, .notFound),
      (429, .rateLimited), (500, .serverError), (504, .timeout),
    ])
  func status(_ status: Int, _ code: FailureCode) async throws {
    server.on("/s", status: status, body: "no")
    let failure = try await failure("/s")
    #expect(failure.code == code)
    #expect(failure.status == status)
    #expect(failure.url == server.url("/s"))
  }

  @Test func `a file is read with its name and its address`() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("page \(UUID().uuidString).html")
    try Data("<p>from a file</p>".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let page = try await PageReader(FetchOptions(userAgent: "test")).read(path: file.path)
    #expect(page.text == "from a file")
    #expect(page.path == file.path)
    #expect(page.url == file.standardizedFileURL.absoluteString)
  }

  @Test func `a file that is not there is not found`() async {
    let reader = PageReader(FetchOptions(userAgent: "test"))
    await #expect(throws: Failure.self) { try await reader.read(path: "/nowhere/at/all.html") }
  }
}
