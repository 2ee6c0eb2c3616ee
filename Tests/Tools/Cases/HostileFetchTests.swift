import Foundation
import TestSupport
import Testing

/// Servers that misbehave: each page is one record, and the others are not touched by it.
@Suite("web-fetch and hostile servers")
struct HostileFetchTests {
  private static let options =
    "web-fetch --allow-private --no-robots --per-host 50 --delay 0 --retries 0"

  /// What came of each URL: the kind of its failure, `ok` for a whole page; a star for a page with
  /// text and a failure.
  private func outcomes(_ run: ToolRun, _ server: Server) -> [String: String] {
    let pairs = run.records.map { record -> (String, String) in
      let path = record["url"].replacingOccurrences(of: server.url(""), with: "")
      guard record.type == "page" else { return (path, record["kind"]) }
      let kind = record["error.kind"]
      return (path, kind.isEmpty ? "ok" : record["text"].isEmpty ? kind : kind + "*")
    }
    #expect(Set(pairs.map(\.0)).count == pairs.count, "a URL with two records")
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  @Test func `what is not HTTP, or has no end, or will not fit`() async throws {
    let expected = [
      "/raw/noHead": "protocol", "/raw/garbage": "protocol", "/raw/noStatus": "protocol",
      "/raw/negativeLength": "protocol", "/raw/twoLengths": "protocol",
      "/raw/wordLength": "protocol", "/raw/longLength": "shortBody*", "/raw/shortLength": "ok",
      "/raw/cutChunk": "shortBody*", "/raw/badChunk": "reset", "/raw/bigHeader": "protocol",
      "/raw/manyHeaders": "protocol", "/raw/manyCookies": "ok", "/raw/foldedHeader": "ok",
      "/raw/sevenEncodings": "decode", "/raw/unknownEncoding": "decode", "/raw/refresh": "ok",
      "/raw/metaRefresh": "ok", "/raw/noLocation": "",
      "/raw/switching": "protocol", "/raw/earlyAlone": "reset", "/raw/earlyThenPage": "ok",
      "/raw/statusZero": "protocol", "/raw/statusMinus": "protocol", "/raw/status999": "",
      "/flood/headers": "protocol",
      "/flood/interim": "protocol", "/flood/body": "tooLarge*", "/flood/trailers": "protocol",
      "/bomb/gzip": "tooLarge*", "/bomb/deflate": "tooLarge*", "/bomb/gzip,gzip": "tooLarge*",
      "/bomb/br": "tooLarge*", "/bomb/zstd": "tooLarge*",
      "/cut/gzip": "decode*", "/cut/gzip?chunked=1": "decode*", "/reset": "reset", "/page": "ok",
    ]
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let input = expected.keys.sorted().map(server.url).joined(separator: "\n")
      let run = try await scratch.shell("\(Self.options) --timeout 250s", input: input)
      #expect(outcomes(run, server) == expected)
      #expect(run.statuses == [1])
    }
  }

  @Test func `who is slow or silent is given up, and holds nobody up`() async throws {
    let expected = [
      "/drip/head": "tooSlow", "/drip/body": "tooSlow*", "/silence": "timeout",
    ]
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let deaf = try #require(server.log("deaf").first?.number("port"))
      let unheard = "http://127.0.0.1:\(Int(deaf))/"
      let slow = expected.keys.sorted().map(server.url) + [unheard]
      let pages = (0..<8).map { server.url("/page/\($0)") }
      let run = try await scratch.shell(
        "\(Self.options) --timeout 2s", input: (slow + pages).joined(separator: "\n"))
      var found = outcomes(run, server)
      #expect(found.removeValue(forKey: unheard) == "timeout")
      for (path, kind) in expected { #expect(found[path] == kind, "\(path)") }
      // All pages came while the slow ones were waited for.
      let urls = run.records.prefix(pages.count).map { $0["url"] }
      #expect(Set(urls) == Set(pages))
    }
  }

  @Test func `nobody is trusted who cannot show who they are`() async throws {
    try await Scratch.with { scratch in
      let servers = try await scratch.serveTLS()
      let authority = try #require(servers.log("authority").first?["file"])
      let ports = servers.log("tls").reduce(into: [String: Int]()) {
        $0[$1["name"]] = Int($1.number("port") ?? 0)
      }
      func url(_ name: String, _ path: String = "/") -> String {
        "https://localhost:\(ports[name] ?? 0)\(path)"
      }
      let names = ["good", "selfSigned", "expired", "wrongHost", "oldTLS"]
      let input = names.map { url($0) }.joined(separator: "\n")
      let options = Self.options + " --retries 2 --ordered"
      let strict = try await scratch.shell(options, input: input)
      #expect(strict.records.map { $0["kind"] } == names.map { _ in "tls" })
      scratch.set("SSL_CERT_FILE", authority)
      let run = try await scratch.shell(options, input: input)
      #expect(run.records.map(\.type) == ["page", "error", "error", "error", "error"])
      #expect(run.records.dropFirst().allSatisfy { $0["kind"] == "tls" })
      #expect(run.statuses == [69])
      // Nobody waits for a responder that the certificate names.
      #expect(servers.log("asked").isEmpty)

      let pages = try await scratch.servePages()
      let down = url("good", "/downgrade?to=\(pages.url("/page/1"))")
      let secret = "--header 'Authorization: Bearer \(scratch.secret)' --header 'Cookie: a=b'"
      let page = try #require(
        try await scratch.shell("\(Self.options) \(secret) '\(down)'").records("page").first)
      #expect(page.value("downgraded") as? Bool == true)
      #expect(pages.requests.allSatisfy { $0.value("authorizationPresent") as? Bool == false })
      #expect(pages.requests.allSatisfy { $0.value("cookiePresent") as? Bool == false })
    }
  }

  @Test func `lines that are no URLs, twice the same, and an end without a line feed`() async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let page = server.url("/page")
      try scratch.write("work/lines", "\(page)\n\(page)\n\n \(page)/2 \n")
      let run = try await scratch.shell(
        """
        (cat lines; printf '\\377\\376\\n'; head -c 20000000 /dev/zero | tr '\\0' a; \
        printf '\\nhttp://127.0.0.1:22/\\n%s/3' '\(page)') | \(Self.options)
        """)
      #expect(run.records("page").count == 3)
      #expect(server.requests.count { $0["path"] == "/page" } == 1)
      let errors = run.records("error").map { "\($0["code"]) \($0["input"])" }
      #expect(
        Set(errors) == [
          "BadInput <stdin>:5", "BadInput <stdin>:6", "PageRefused <stdin>:7",
        ])
      #expect(run.statuses.last == 1)
    }
  }

  @Test func `who is told to end has written what there was`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let input = [server.url("/page"), server.url("/silence")].joined(separator: "\n")
      let running = try scratch.starting(
        "web-fetch", "--allow-private", "--no-robots", "--delay", "0", input: input)
      try await scratch.until("the page is written") { running.output.hasSuffix("\n") }
      running.child.signal(SIGTERM)
      let run = await running.ended()
      #expect(run.endings == [.signal(SIGTERM)])
      #expect(run.records("page").map { $0["url"] } == [server.url("/page")])
    }
  }

  @Test func `a reader that leaves ends it quietly`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let input = (0..<50).map { server.url("/page/\($0)") }.joined(separator: "\n")
      let run = try await scratch.shell("\(Self.options) | head -n 1", input: input)
      #expect(run.statuses == [0, 0])
      #expect(run.errors == "")
    }
  }
}
