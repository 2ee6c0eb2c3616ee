import Foundation
import Testing

/// How web-fetch asks: whom it may, how often, through whom, and what it keeps.
@Suite("web-fetch and its manners")
struct PoliteFetchTests {
  private func paths(_ server: Server) -> [String] { server.requests.map { $0["path"] } }

  @Test func `robots_txt is for lists, not for what a person types`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile()
      let url = server.url("/robots/no/x")
      let tool = "web-fetch --allow-private --delay 0"
      let typed = try await scratch.shell("\(tool) \(url)")
      #expect(typed.records("page").first?.value("robots") == nil)
      #expect(paths(server) == ["/robots/no/x"])
      let listed = try await scratch.shell(tool, input: "\(url)\n\(server.url("/robots/yes"))")
      #expect(Set(listed.records.map { $0.type + $0["kind"] }) == ["errorrobots", "page"])
      #expect(listed.statuses == [1])
      let ignored = try await scratch.shell("\(tool) --no-robots", input: url)
      #expect(ignored.records("page").first?["robots"] == "ignored")
      #expect(paths(server).count { $0 == "/robots.txt" } == 1)
    }
  }

  @Test(
    "whatever robots.txt is, there is an answer",
    arguments: [
      ("mark", "robots"), ("big", "robots"), ("404", ""), ("503", "robots"), ("reset", "robots"),
      ("hops5", "robots"), ("hops6", ""),
    ])
  func robots(_ name: String, _ kind: String) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveHostile("--robots", name)
      let run = try await scratch.shell(
        "web-fetch --allow-private --delay 0 --retries 0", input: server.url("/robots/no/x"))
      #expect(run.records.map { $0["kind"] } == [kind])
    }
  }

  @Test func `pages come in the order of their URLs when that is asked for`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      let paths =
        (0..<40).map { $0 % 10 == 0 ? "/slow?ms=5&n=\($0)" : "/page/\($0)" } + ["/status/404"]
      let urls = paths.map(pages.url)
      let run = try await scratch.shell(
        "web-fetch --allow-private --ordered --parallel 8 --per-host 8 --delay 0",
        input: urls.joined(separator: "\n"))
      #expect(run.records.map { $0["url"] } == urls)
      #expect(run.statuses == [66])
    }
  }

  @Test func `one host gets two requests at once, another is not kept waiting`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      let hold = scratch.path("go")
      let held = (0..<6).map { pages.url("/hold?file=\(hold)&n=\($0)") }
      let other = try await scratch.serveHostile()
      let running = try scratch.starting(
        "web-fetch", "--allow-private", "--no-robots", "--parallel", "3", "--delay", "0",
        "--timeout", "250s", input: (held + [other.url("/page")]).joined(separator: "\n"))
      try await scratch.until("the other host's page is written") { running.output.hasSuffix("\n") }
      #expect(running.output.contains(other.url("/page")))
      try await scratch.until("two are held") { pages.requests.count == 2 }
      try scratch.write("go", "")
      let run = await running.ended()
      #expect(run.records("page").count == 7)
      #expect(pages.requests.compactMap { $0.number("inFlight") }.max() == 2)
    }
  }

  @Test func `behind a proxy the target is judged, and the proxy asked`() async throws {
    try await Scratch.with { scratch in
      let proxy = try await scratch.servePages()
      scratch.set("http_proxy", proxy.url(""))
      let refused = try await scratch.shell(
        "web-fetch http://127.0.0.1:9999/page/1 http://169.254.169.254/ http://[::1]/ --ordered")
      #expect(refused.records.map { $0["kind"] } == .init(repeating: "blockedAddress", count: 3))
      #expect(proxy.requests.isEmpty)
      let metadata = try await scratch.shell("web-fetch --allow-private http://169.254.169.254/")
      #expect(metadata.records.map { $0["kind"] } == ["blockedAddress"])
      // A public address, which nobody but the proxy is asked for.
      let page = try await scratch.shell("web-fetch http://192.88.98.1/page/1")
      #expect(page.records("page").first?["title"] == "Page 1")
      #expect(paths(proxy) == ["http://192.88.98.1/page/1"])
      scratch.set("no_proxy", "127.0.0.1")
      let direct = try await scratch.shell("web-fetch --allow-private \(proxy.url("/page/2"))")
      #expect(direct.records("page").count == 1)
      #expect(paths(proxy).last == "/page/2")
    }
  }

  @Test func `fields, a name and cookies are sent, and secrets come from files`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      try scratch.write("work/fields", "Authorization: Bearer hush-hush-hush\n")
      let set = pages.url("/page/1?header=Set-Cookie:a%3D1;path%3D/")
      let options = "--header 'X-One: 1' --header @fields --user-agent 'Some/1' --cookie-jar jar"
      let run = try await scratch.shell(
        "web-fetch --allow-private \(options) '\(set)'")
      #expect(run.statuses == [0])
      #expect(!(run.output + run.errors).contains("hush-hush"))
      #expect(pages.requests.allSatisfy { $0.value("authorizationPresent") as? Bool == true })
      #expect(pages.requests.map { $0.value("cookiePresent") as? Bool } == [false])
      let names = pages.requests.first?.value("headers") as? [String] ?? []
      #expect(names.contains("x-one") && names.filter { $0 == "user-agent" }.count == 1)
      #expect(scratch.read("work/jar").contains("\ta\t1"))
      let mode = try await scratch.shell("stat -c %a jar")
      #expect(mode.output == "600\n")
      try await scratch.shell(
        "web-fetch --allow-private --cookie-jar jar \(pages.url("/page/3"))")
      #expect(pages.requests.last?.value("cookiePresent") as? Bool == true)
    }
  }

  private func cacheURL(_ pages: Server) -> String {
    pages.url("/page/1?header=Cache-Control:max-age%3D86400")
  }

  @Test func `what is kept is used again, by two at once`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      let tool = "web-fetch --allow-private --delay 0 --per-host 9 --no-robots --cache"
      let urls = (0..<30).map { "\(cacheURL(pages))&n=\($0)" }.joined(separator: "\n")
      try scratch.write("work/urls", urls)
      let both = try await scratch.shell("\(tool) <urls >a & \(tool) <urls >b; wait $!")
      #expect(both.errors == "")
      for file in ["a", "b"] {
        #expect(
          Record.all(in: scratch.read("work/\(file)")).filter { $0.type == "page" }.count == 30)
      }
      let asked = pages.requests.count
      let again = try await scratch.shell(tool, input: urls)
      #expect(again.records("page").allSatisfy { $0.value("fromCache") as? Bool == true })
      #expect(pages.requests.count == asked)
      let modes = try await scratch.shell("stat -c %a ../home/cache ../home/cache/pages.db")
      #expect(modes.output == "700\n600\n")
      let plain = try await scratch.shell("web-fetch --allow-private '\(cacheURL(pages))&n=1'")
      #expect(plain.records("page").first?.value("fromCache") as? Bool == false)
    }
  }

  @Test(
    "a cache that cannot be used is told, and pages are fetched",
    arguments: [
      "mkdir -p ../home/cache; ln -s ../../outside ../home/cache/pages.db",
      "mkdir -p ../home; mkdir ../elsewhere; ln -s ../elsewhere ../home/cache",
      "mkdir -p ../home; : >../home/cache",
    ])
  func unusable(_ preparation: String) async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      try await scratch.shell(preparation)
      let run = try await scratch.shell("web-fetch --allow-private --cache '\(cacheURL(pages))'")
      #expect(run.records("page").first?["title"] == "Page 1")
      #expect(run.statuses == [0])
      #expect(run.errors.contains("continuing without the cache"))
      let outside = try await scratch.shell("ls ../outside ../elsewhere 2>/dev/null")
      #expect(outside.output.replacingOccurrences(of: "../elsewhere:\n", with: "") == "")
    }
  }

  @Test func `a cache that was cut is made anew`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      let line = "web-fetch --allow-private --cache '\(cacheURL(pages))'"
      for size in [0, 100, 5000, 20_000] {
        try await scratch.shell(line)
        try await scratch.shell(
          "rm -f ../home/cache/pages.db-*; truncate -s \(size) ../home/cache/pages.db")
        let run = try await scratch.shell(line)
        #expect(run.records("page").first?["title"] == "Page 1")
        #expect(run.statuses == [0])
      }
      try await scratch.shell(line)
      #expect(
        try await scratch.shell(line).records("page").first?.value("fromCache") as? Bool == true)
    }
  }

  @Test func `a secret field that a server gives back is in no record`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      for format in ["text", "markdown"] {
        let run = try await scratch.shell(
          "web-fetch --allow-private --whole --format \(format) --header "
            + "'Authorization: Bearer \(scratch.secret)__*a*_' '\(pages.url("/echo"))'")
        #expect(run.statuses == [0])
        #expect(run.output.contains("You sent: [redacted]"))
      }
    }
  }

  @Test(SmallDisk.isThere)
  func `on a full disk pages are fetched all the same`() async throws {
    try await SmallDisk.with { scratch, _ in
      let pages = try await scratch.servePages()
      let urls = (0..<3).map {
        pages.url("/big?mb=2&encoding=gzip&n=\($0)&header=Cache-Control:max-age%3D86400")
      }
      let run = try await scratch.shell(
        "web-fetch --allow-private --cache --delay 0", input: urls.joined(separator: "\n"))
      #expect(run.records("page").count == 3)
      #expect(run.statuses == [0])
      #expect(run.errors.contains("continuing without the cache"))
    }
  }
}
