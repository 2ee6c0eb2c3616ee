import Core
import Fetching
import HTTP
import TestSupport
import Testing

struct RobotsFetchTests {
  private let server: PageServer
  private let fetcher = TestFetcher()

  init() throws {
    server = try PageServer()
    server.on("/yes", body: "<p>yes")
    server.on("/no/x", body: "<p>no")
  }

  private func robots(_ text: String, status: Int = 200) {
    server.on("/robots.txt", status: status, fields: ["Content-Type: text/plain"], body: text)
  }

  private func kinds(_ fetcher: PageFetcher? = nil) async -> [FailureKind?] {
    let fetcher = fetcher ?? self.fetcher()
    var kinds: [FailureKind?] = []
    for path in ["/yes", "/no/x"] {
      kinds.append(await fetcher.failure(server.url(path), obeysRobots: true)?.kind)
    }
    return kinds
  }

  @Test func `what robots_txt disallows is not asked for, and the file is asked for once`() async {
    robots("User-agent: *\nDisallow: /no/")
    #expect(await kinds() == [nil, "robots"])
    #expect(server.count("/robots.txt") == 1)
    #expect(server.count("/no/x") == 0)
  }

  @Test func `the refusal names the page`() async throws {
    robots("User-agent: agentos\nDisallow: /")
    let failure = try #require(await fetcher().failure(server.url("/yes"), obeysRobots: true))
    #expect(failure.code == .pageRefused)
    #expect(failure.url == server.url("/yes"))
  }

  @Test func `the product token is the user agent's, whatever that is`() async {
    robots("User-agent: mybot\nDisallow: /yes\nUser-agent: *\nDisallow: /no")
    #expect(await kinds(fetcher { $0.userAgent = "MyBot/3" }) == ["robots", nil])
    #expect(
      await kinds(fetcher { $0.fields = [HTTPField("user-agent", "mybot")] }) == ["robots", nil])
  }

  @Test func `a URL that a person typed is fetched without asking`() async {
    robots("User-agent: *\nDisallow: /")
    #expect(await fetcher().failure(server.url("/yes")) == nil)
    #expect(server.count("/robots.txt") == 0)
  }

  @Test func `whoever ignores robots_txt says so`() async throws {
    robots("User-agent: *\nDisallow: /")
    let fetcher = fetcher { $0.ignoresRobots = true }
    #expect(try await fetcher.fetch(url: server.url("/yes"), obeysRobots: true).robots == "ignored")
    #expect(try await fetcher.fetch(url: server.url("/yes")).robots == nil)
    #expect(server.count("/robots.txt") == 0)
  }

  @Test("what is not there allows all", arguments: [400, 401, 403, 404, 410, 451])
  func absent(_ status: Int) async {
    robots("User-agent: *\nDisallow: /", status: status)
    #expect(await kinds() == [nil, nil])
  }

  @Test("a server that fails allows nothing", arguments: [500, 501, 503])
  func failing(_ status: Int) async {
    robots("User-agent: *\nAllow: /", status: status)
    #expect(await kinds() == ["robots", "robots"])
    #expect(server.count("/yes") == 0)
  }

  @Test func `a connection that is lost allows nothing, a host that is not there says so`()
    async throws
  {
    server.on("/robots.txt") { _ in [] }
    #expect(await kinds() == ["robots", "robots"])
    // The first page asks for it, as often as for any page.
    #expect(server.count("/robots.txt") == 3)
    let port = try PageServer().port
    #expect(
      await fetcher().failure("http://127.0.0.1:\(port)/", obeysRobots: true)?.kind == "connect")
  }

  @Test func `five redirects are followed, after more all is allowed`() async {
    for hop in 1...5 { server.redirect("/hop/\(hop)", to: "/hop/\(hop - 1)") }
    server.on("/hop/0", fields: [], bytes: Array("User-agent: *\nDisallow: /no/".utf8))
    server.redirect("/robots.txt", to: "/hop/4")
    #expect(await kinds() == [nil, "robots"])
    server.redirect("/robots.txt", to: "/hop/5")
    #expect(await kinds() == [nil, nil])
  }

  @Test func `a file of megabytes counts as far as it is read`() async {
    let filler = String(repeating: "# 0123456789\n", count: 80_000)
    robots("User-agent: *\nDisallow: /no/\n" + filler + "Disallow: /yes\n")
    #expect(await kinds() == [nil, "robots"])
  }

  @Test func `a file that is cut on its way allows nothing`() async {
    let text = "User-agent: *\nAllow: /"
    server.on("/robots.txt", body: text, length: 500)
    #expect(await kinds() == ["robots", "robots"])
  }

  @Test func `where a redirect leads is asked about too`() async throws {
    robots("User-agent: *\nDisallow: /no/")
    server.redirect("/r", to: "/no/x")
    let failure = try #require(await fetcher().failure(server.url("/r"), obeysRobots: true))
    #expect(failure.kind == "robots")
    #expect(failure.redirects == [server.url("/no/x")])
    #expect(failure.url == server.url("/r"))
  }

  @Test func `secrets of pages are not sent with it`() async throws {
    robots("")
    let fetcher = fetcher {
      $0.fields = [HTTPField("Authorization", "s1"), HTTPField("X-Api-Key", "s2")]
    }
    #expect(await fetcher.failure(server.url("/yes"), obeysRobots: true) == nil)
    let asked = try #require(server.requests.first)
    #expect(asked.hasPrefix("GET /robots.txt ") && !asked.contains("s1") && !asked.contains("s2"))
    #expect(server.requests.last?.contains("s1") == true)
  }

  @Test func `a batch obeys it`() async {
    robots("User-agent: *\nDisallow: /no/")
    let results = await fetcher().fetchAll([server.url("/yes"), server.url("/no/x")])
    #expect(results.map { (try? $0.result.get()) == nil } == [false, true])
  }
}
