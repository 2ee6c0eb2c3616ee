import Core
import Fetching
import HTTP
import Synchronization
import Testing

struct RetryTests {
  private let server: PageServer
  private let fetcher = TestFetcher()

  init() throws { server = try PageServer() }

  /// A path that fails so many times, by these bytes, and then is a page.
  private func failing(_ times: Int, _ answer: String) {
    let left = Mutex(times)
    server.on("/") { _ in
      let fails = left.withLock { left in
        left -= 1
        return left >= 0
      }
      let page = "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 5\n\n<p>ok"
      return Array((fails ? answer : page).replacing("\n", with: "\r\n").utf8)
    }
  }

  private static let passing = [
    "HTTP/1.1 503 No\nContent-Length: 0\n\n", "HTTP/1.1 429 No\nRetry-After: 0\n\n",
    "HTTP/1.1 502 No\nRetry-After: -7\n\n",
    "HTTP/1.1 504 No\nRetry-After: Thu, 01 Jan 1970 00:00:00 GMT\n\n", "",
  ]

  @Test("a failure that passes is tried again twice", arguments: passing)
  func passes(_ answer: String) async throws {
    failing(2, answer)
    #expect(try await fetcher().fetch(url: server.url("/")).text == "ok")
    #expect(server.requests.count == 3)
  }

  @Test("and then told", arguments: passing)
  func stays(_ answer: String) async {
    failing(9, answer)
    #expect(await fetcher().failure(server.url("/")) != nil)
    #expect(server.requests.count == 3)
  }

  @Test func `as often as is asked for`() async {
    failing(9, Self.passing[0])
    #expect(await fetcher { $0.retries = 0 }.failure(server.url("/"))?.status == 503)
    #expect(server.requests.count == 1)
  }

  @Test("another failure is told at once", arguments: [400, 404, 500, 501])
  func permanent(_ status: Int) async {
    failing(9, "HTTP/1.1 \(status) No\nRetry-After: 0\n\n")
    #expect(await fetcher().failure(server.url("/"))?.status == status)
    #expect(server.requests.count == 1)
  }

  @Test func `nothing is asked for again after the first byte of a page`() async throws {
    server.on("/cut", body: "<p>some text", length: 500)
    #expect(try await fetcher().fetch(url: server.url("/cut")).partial == true)
    #expect(server.requests.count == 1)
  }

  @Test func `a host that fails page after page is asked once for the rest`() async {
    for number in 1...20 { server.on("/\(number)", status: 503) }
    let fetcher = fetcher { $0.perHost = 1 }
    _ = await fetcher.fetchAll((1...20).map { server.url("/\($0)") })
    let pages = server.requests.count { !$0.hasPrefix("GET /robots.txt ") }
    // The first three thrice; one that waits for its next try lets others have their first.
    #expect(pages >= 26 && pages < 40)
  }

  @Test func `a host that is slowed holds no other up`() async throws {
    let other = try PageServer()
    other.on("/", body: "<p>ok")
    let urls = (0..<20).map { server.url("/?\($0)") } + [other.url("/")]
    let source = Mutex(urls[...])
    let failure = Failure(.interrupted, "that is enough")
    var delivered: [String] = []
    let fetcher = fetcher { $0.parallel = 2 }
    for number in 0..<20 {
      server.on("/?\(number)", status: 429, fields: ["Retry-After: 1000000000"])
    }
    await #expect(throws: failure) {
      try await fetcher.fetchAll { () throws(Failure) in
        source.withLock { $0.popFirst() }.map { PageJob(url: $0) }
      } deliver: { (result) throws(Failure) in
        delivered.append(result.job.url)
        throw failure
      }
    }
    #expect(delivered == [other.url("/")])
  }
}
