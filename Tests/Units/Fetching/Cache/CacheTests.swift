import Core
import Fetching
import Foundation
import HTTP
import TestSupport
import Testing

struct CacheTests {
  private let server: PageServer
  private let fetcher = TestFetcher()
  private let home = CacheHome()
  private let cache: ResponseCache

  init() throws {
    server = try PageServer()
    cache = try ResponseCache(Directories(environment: ["AGENTPIPES_HOME": home.path]))
  }

  /// A folder that goes with its test.
  private final class CacheHome: Sendable {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("agentpipes-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Fetches a path twice, with a fetcher each, and says whether the second came from the cache.
  private func twice(
    _ path: String, _ change: (inout FetchOptions) -> Void = { _ in }
  ) async throws -> Bool? {
    let url = server.url(path)
    let first = try await cached(change).fetch(url: url)
    let second = try await cached(change).fetch(url: url)
    #expect(first.fromCache == false)
    #expect(first.text == second.text && first.title == second.title)
    #expect(first.finalURL == second.finalURL && first.redirects == second.redirects)
    #expect(first.contentType == second.contentType && first.sha256 == second.sha256)
    return second.fromCache
  }

  private func cached(_ change: (inout FetchOptions) -> Void = { _ in }) -> PageFetcher {
    fetcher {
      $0.cache = cache
      change(&$0)
    }
  }

  private func on(_ path: String, _ fields: String...) {
    server.on(
      path, fields: ["Content-Type: text/html"] + fields, bytes: Array("<title>T</title><p>x".utf8))
  }

  @Test(
    "what the server says is fresh is not asked for again",
    arguments: [
      "Cache-Control: max-age=86400", "Cache-Control: private, max-age=86400",
      "cache-control: MAX-AGE=\"86400\"", "Cache-Control: public,s-maxage=0,max-age=86400",
    ])
  func fresh(_ field: String) async throws {
    on("/a", field)
    #expect(try await twice("/a") == true)
    #expect(server.requests.count == 1)
  }

  @Test(
    "what the server does not allow, or says nothing about, is asked for again",
    arguments: [
      "X: y", "Cache-Control: no-store, max-age=60", "Cache-Control: max-age=0",
      "Cache-Control: s-maxage=60", "Cache-Control: max-age=-1",
      "Vary: *\r\nCache-Control: max-age=9",
      "Cache-Control: max-age=60\r\nAge: 61", "Cache-Control: no-cache, max-age=60", "Expires: 0",
      "Last-Modifed: yesterday", "Expires: Thu, 01 Jan 1970 00:00:00 GMT",
    ])
  func stale(_ field: String) async throws {
    on("/a", field)
    #expect(try await twice("/a") == false)
    #expect(server.requests.count == 2)
  }

  @Test(
    "what has a validator is confirmed by the server",
    arguments: [
      ("ETag: \"x\"", "If-None-Match: \"x\""),
      ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "If-Modified-Since: Sun, 06 Nov 1994"),
      ("ETag: W/\"w\"\r\nCache-Control: no-cache, max-age=9", "If-None-Match: W/\"w\""),
    ])
  func confirmed(_ validator: String, _ condition: String) async throws {
    let page = "<title>T</title><p>x"
    server.on("/a") { request in
      let isAsked = request.lowercased().contains(condition.lowercased())
      let head =
        isAsked
        ? "HTTP/1.1 304 Same\r\n\(validator)\r\n\r\n"
        : "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\(validator)\r\nContent-Length: "
          + "\(page.utf8.count)\r\n\r\n\(page)"
      return Array(head.utf8)
    }
    #expect(try await twice("/a") == true)
    #expect(server.requests.count == 2)
  }

  @Test func `a page that changed replaces what was kept`() async throws {
    server.on("/a") { request in
      let version = request.contains("\"1\"") ? 2 : 1
      return Array(
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"\(version)\"\r\n"
          + "Content-Length: 4\r\n\r\n<p>\(version)").utf8)
    }
    #expect(try await cached().fetch(url: server.url("/a")).text == "1")
    let second = try await cached().fetch(url: server.url("/a"))
    #expect(second.text == "2" && second.fromCache == false)
  }

  @Test func `the fields of the request that matter are part of the key`() async throws {
    on("/a", "Cache-Control: max-age=86400", "Vary: Accept-Language, user-agent")
    let url = server.url("/a")
    func language(_ value: String) -> PageFetcher {
      cached { $0.fields = [HTTPField("accept-language", value)] }
    }
    #expect(try await language("en").fetch(url: url).fromCache == false)
    #expect(try await language("de").fetch(url: url).fromCache == false)
    #expect(try await language("en").fetch(url: url).fromCache == true)
    #expect(try await language("de").fetch(url: url).fromCache == true)
    #expect(try await cached().fetch(url: url).fromCache == false)
  }

  @Test(
    "an answer to a secret is nobody's but the one who has it",
    arguments: ["Authorization", "Cookie", "X-Api-Key", "X-Auth-Token"])
  func secrets(_ name: String) async throws {
    on("/a", "Cache-Control: public, max-age=60")
    #expect(try await twice("/a") { $0.fields = [HTTPField(name, "s")] } == false)
  }

  @Test func `a client with cookies keeps nothing`() async throws {
    on("/a", "Cache-Control: max-age=60")
    let withCookies = TestFetcher(cookies: [])
    for _ in 0..<2 {
      let page = try await withCookies { $0.cache = cache }.fetch(url: server.url("/a"))
      #expect(page.fromCache == false)
    }
  }

  @Test func `every hop is kept for itself`() async throws {
    on("/b", "Cache-Control: max-age=86400")
    server.on(
      "/a", status: 301, fields: ["Location: /b", "Cache-Control: max-age=86400"], bytes: [])
    server.on("/c", status: 302, fields: ["Location: /b"], bytes: [])
    #expect(try await twice("/a") == true)
    #expect(server.requests.count == 2)
    _ = try await cached().fetch(url: server.url("/c"))
    _ = try await cached().fetch(url: server.url("/c"))
    #expect(server.requests.count == 4)
  }

  @Test func `a cut page is not kept`() async throws {
    server.on(
      "/a", fields: ["Content-Type: text/html", "Cache-Control: max-age=60"],
      bytes: Array("<p>x".utf8), length: 90)
    #expect(try await twice("/a") == false)
  }

  @Test func `what came from a private address is nothing to whoever may not reach it`()
    async throws
  {
    on("/a", "Cache-Control: max-age=60")
    _ = try await cached().fetch(url: server.url("/a"))
    let failure = await cached { $0.allowPrivate = false }.failure(server.url("/a"))
    #expect(failure?.kind == "blockedAddress")
  }

  @Test func `whoever asks for what is new gets it`() async throws {
    on("/a", "Cache-Control: max-age=60")
    #expect(try await twice("/a") { $0.fields = [HTTPField("Cache-Control", "no-cache")] } == false)
  }

  @Test func `robots_txt is kept for a day, whatever the server says`() async throws {
    on("/a")
    server.on(
      "/robots.txt", fields: ["Cache-Control: max-age=0"], bytes: Array("User-agent: *".utf8))
    for _ in 0..<2 { _ = try await cached().fetch(url: server.url("/a"), obeysRobots: true) }
    #expect(server.count("/robots.txt") == 1)
    #expect(server.count("/a") == 2)
  }
}
