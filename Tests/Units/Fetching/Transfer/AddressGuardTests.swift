import Core
import Fetching
import HTTP
import Synchronization
import TestSupport
import Testing

/// Names whose addresses are hostile.
///
/// Every address of a test is loopback, so that the tests say which of
/// them count as private: 127.0.0.1, where the server is, is public, and 127.0.0.9 is not.
struct AddressGuardTests {
  private let server: PageServer
  private let fetcher = TestFetcher()

  init() throws {
    server = try PageServer()
    server.on("/", body: "<p>ok")
  }

  /// A fetcher whose resolver answers the next of these on each request, and who was asked about.
  private func resolving(
    _ answers: [String], _ tried: Tried = Tried(), _ change: (inout FetchOptions) -> Void = { _ in }
  ) -> PageFetcher {
    let left = Mutex(answers)
    return fetcher {
      $0.resolutions = { host, port in
        let answer = left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" }
        return ["\(host):\(port):\(answer)"]
      }
      $0.addressGuard = { address in
        let isPrivate = address.bytes != [127, 0, 0, 1]
        tried.add(address, isRefused: isPrivate)
        return isPrivate ? "its address \(address) is private" : nil
      }
      change(&$0)
    }
  }

  private final class Tried: Sendable {
    private let refused = Mutex<[SocketAddress]>([])
    func add(_ address: SocketAddress, isRefused: Bool) {
      if isRefused { refused.withLock { $0.append(address) } }
    }
    var count: Int { refused.withLock { $0.count } }
  }

  private var url: String { "http://public.example:\(server.port)/" }

  @Test func `a public name with a private address is refused`() async {
    #expect(await resolving(["127.0.0.9"]).failure(url)?.kind == "blockedAddress")
    #expect(server.requests.isEmpty)
  }

  @Test func `of two addresses the private one is passed over`() async throws {
    for answer in ["127.0.0.9,127.0.0.1", "127.0.0.1,127.0.0.9"] {
      #expect(try await resolving([answer]).fetch(url: url).text == "ok")
    }
  }

  @Test func `an answer that changes is judged again on the next page`() async throws {
    let tried = Tried()
    let fetcher = resolving(["127.0.0.1", "127.0.0.9"], tried)
    #expect(try await fetcher.fetch(url: url).text == "ok")
    #expect(await fetcher.failure(url)?.kind == "blockedAddress")
    #expect(tried.count > 0)
    #expect(server.requests.count == 1)
  }

  @Test func `between redirects`() async {
    server.redirect("/r", to: "http://other.example:\(server.port)/")
    let fetcher = resolving(["127.0.0.1", "127.0.0.9"])
    let failure = await fetcher.failure("http://public.example:\(server.port)/r")
    #expect(failure?.kind == "blockedAddress")
    #expect(failure?.redirects == ["http://other.example:\(server.port)/"])
    #expect(server.requests.count == 1)
  }

  @Test func `and on a retry`() async {
    server.on("/", status: 503)
    #expect(await resolving(["127.0.0.1", "127.0.0.9"]).failure(url)?.kind == "blockedAddress")
    #expect(server.requests.count == 1)
  }

  @Test func `robots_txt is judged as well`() async {
    let failure = await resolving(["127.0.0.9"]).failure(url, obeysRobots: true)
    #expect(failure?.kind == "blockedAddress")
    #expect(server.requests.isEmpty)
  }

  @Test func `one private host may be allowed, by its name`() async throws {
    func fetcher(_ hosts: String...) -> PageFetcher {
      self.fetcher {
        $0.allowPrivate = false
        $0.allowedHosts = Set(hosts)
      }
    }
    #expect(try await fetcher("127.0.0.1").fetch(url: server.url("/")).text == "ok")
    #expect(await fetcher("localhost").failure(server.url("/"))?.kind == "blockedAddress")
    let metadata = "169.254.169.254"
    #expect(await fetcher(metadata).failure("http://\(metadata)/")?.kind == "blockedAddress")
    server.redirect("/r", to: "http://localhost:\(server.port)/")
    #expect(await fetcher("127.0.0.1").failure(server.url("/r"))?.kind == "blockedAddress")
  }
}
