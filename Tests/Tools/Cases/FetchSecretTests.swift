import Foundation
import Testing

/// What a URL says of its writer's password is told to nobody but the server.
@Suite("web-fetch and passwords")
struct FetchSecretTests {
  /// URLs with a password, in forms that people and programs write; some are fetched.
  private func urls(_ password: String, _ host: String) -> [String] {
    let long = String(repeating: "x", count: 320)
    let accents = String(repeating: "e\u{301}", count: 310)
    return [
      "http://u:\(password)@\(host)/page", "HTTP://u:\(password)@\(host)/page",
      "http://u:\(password)\(long)@\(host)/", "http://u:\(accents)\(password)@\(host)/",
      "http://u:\(password)@\u{301}\(host)/", "http://u:\(password)\u{20DD}@\(host)/",
      "http:u:\(password)@\(host)/", "http:/u:\(password)@\(host)/",
      "http:///u:\(password)@\(host)/", "http:\\\\u:\(password)@\(host)/",
      "http://u:\(password)\\@\(host)/", "//u:\(password)@\(host)/", "u:\(password)@\(host)/",
      "http://u:a/\(password)@\(host)/", "http://u:?\(password)@\(host)/",
      "http://u:#\(password)@\(host)/", "http://u:@\(password)@\(host)/",
      "http://u:\(password)%40\(host)/", "http://u:\(password)\u{FF20}\(host)/",
      "ht\ttp://u:\(password)@\(host)/", "http://u:\t\(password)@\(host)/",
      "ftp://u:\(password)@\(host)/", "https://u:\(password)@127.0.0.1:22/",
      "http://:\(password)@\(host)/", "http://u:\(password)", "http://u:\(password)@",
    ]
  }

  /// Everything that a run left behind, as text.
  private func traces(_ scratch: Scratch, _ run: ToolRun) async throws -> String {
    let files = try await scratch.shell("find ../home jar -type f -exec strings -a -n 4 {} +")
    return run.output + run.errors + files.output
  }

  private static let options =
    "--allow-private --no-robots --delay 0 --per-host 9 --retries 0 --cache --cookie-jar jar"

  @Test(
    "a password in a URL is in no output, no file and no cookie",
    arguments: ["", "--allow-userinfo", "--verbose", "--allow-userinfo --verbose --ordered"])
  func input(_ option: String) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let urls = urls(scratch.secret, "127.0.0.1:\(server.port)")
      let run = try await scratch.shell(
        "web-fetch \(Self.options) \(option)", input: urls.joined(separator: "\n"))
      #expect(run.records.count == urls.count)
      #expect(run.records("page").isEmpty == !option.contains("userinfo"))
      #expect(try await !traces(scratch, run).contains(scratch.secret))
    }
  }

  @Test func `nor when it stands where a file's name would`() async throws {
    try await Scratch.with { scratch in
      let urls = urls(scratch.secret, "127.0.0.1:9").filter { !$0.hasPrefix("http://u:") }
      for url in urls {
        let run = try await scratch.shell("xargs -0 web-fetch --allow-private", input: url)
        #expect(run.records.count == 1)
        #expect(try await !traces(scratch, run).contains(scratch.secret), "\(url)")
      }
    }
  }

  @Test func `nor when a redirect or a page's links hold it`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let urls = urls(scratch.secret, "127.0.0.1:\(server.port)").filter {
        $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      }
      let paths = urls.flatMap { url in
        let digits = url.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return ["/to/\(digits.joined())"]
          + (url.contains("://u:\(scratch.secret)@") ? ["/links/\(digits.joined())"] : [])
      }
      let run = try await scratch.shell(
        "web-fetch \(Self.options) --images --verbose",
        input: paths.map(server.url).joined(separator: "\n"))
      #expect(run.records.count == paths.count)
      let page = try #require(run.records("page").first)
      #expect(page["markdown"].contains("[one](http://127.0.0.1"))
      #expect(try await !traces(scratch, run).contains(scratch.secret))
    }
  }

  @Test(
    "nor when it is a proxy's",
    arguments: [
      "http://u:PASSWORD@127.0.0.1:9", "x://u:PASSWORD@h", "http://u:PASSWORD@[h",
      "u:PASSWORD@h:1:2",
    ])
  func proxy(_ proxy: String) async throws {
    try await Scratch.with { scratch in
      scratch.set("http_proxy", proxy.replacing("PASSWORD", with: scratch.secret))
      let run = try await scratch.shell(
        "web-fetch --verbose --retries 0 http://192.88.98.1/")
      #expect(run.records.map(\.type) == ["error"])
      #expect(!(run.output + run.errors).contains(scratch.secret))
    }
  }
}
