import Core
import Hub
import Testing

/// Which requests a hub answers at all.
struct AccessRuleTests {
  private static let rule = AccessRule(
    names: ["Build:7878", "10.0.0.7:7878"], publicURL: "https://hub.example.org/pipes")

  private func status(
    _ hosts: [String], origins: [String] = [], sites: [String] = []
  ) -> Int? {
    do throws(Failure) {
      try Self.rule.judge(hosts: hosts, origins: origins, fetchSites: sites)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:7878", "10.1.2.3:80", "[::1]", "[::1]:7878", "[FE80::1]:7878",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]:1", "localhost", "localhost:7878", "LocalHost:7878",
    "localhost.", "localhost.:7878", "build:7878", "BUILD", "build.", "build:1", "hub.example.org",
    "HUB.example.ORG:443", "127.0.0.1:", "[::1]:",
  ])
  func `an address and a name of the hub's own are let in`(host: String) {
    #expect(status([host]) == nil)
  }

  @Test(arguments: [
    // Whoever owns these names can let them lead to the hub's address.
    "evil.example", "evil.example:7878", "localhost.evil", "localhost.evil.example:7878",
    "evil.localhost.example", "127.0.0.1.evil.example", "127.0.0.1.nip.io", "build.evil",
    "hub.example.org.evil", "evilhub.example.org", "sub.hub.example.org", "a.localhost",
    // No form of these is an address to us.
    "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01.", "127.0.0.1.",
    "::1", "[::1", "::1]", "[::1]7878", "[::1%eth0]", "[::1%25eth0]:7878", "[127.0.0.1]",
    "[localhost]", "[]", "[::1]:x", "1.2.3.4.5", "256.0.0.1",
    // Ports that are none.
    "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:+80", "127.0.0.1:80:80", "127.0.0.1: 80",
    "localhost:7878x", "localhost:٣",
    // What a careless reader would cut.
    "evil.example@localhost", "localhost@evil.example", "localhost/evil", "localhost#evil",
    "localhost?evil", "localhost,evil.example", "localhost evil.example", " localhost",
    "localhost ",
    "localhost\t", "localhost\0.evil", "localhost\\evil", "http://localhost", "localhost..", ".",
    "..localhost", ".localhost", "xn--localhost", "loc\u{212A}lhost", "ⓛocalhost", "null", "*",
  ])
  func `every other host is another's`(host: String) {
    #expect(status([host]) == 421)
  }

  @Test(arguments: [
    [], [""], ["localhost", "localhost"], ["localhost", "evil.example"],
    ["evil.example", "localhost"],
  ])
  func `a request has one host`(hosts: [String]) {
    #expect(status(hosts) == 400)
  }

  @Test(arguments: [
    ("127.0.0.1:7878", "http://127.0.0.1:7878"), ("localhost:7878", "http://localhost:7878"),
    ("LOCALHOST:7878", "http://localhost:7878"), ("localhost", "http://localhost"),
    ("localhost", "http://localhost:80"), ("localhost", "https://localhost"),
    ("localhost:443", "https://localhost"), ("[::1]:7878", "http://[::1]:7878"),
    ("[0::1]:7878", "http://[::1]:7878"), ("hub.example.org", "https://hub.example.org"),
    // Behind a proxy the hub is asked by its address.
    ("127.0.0.1:7878", "https://hub.example.org"),
    ("127.0.0.1:7878", "https://hub.example.org:443"),
  ])
  func `a page of the hub's own may ask`(host: String, origin: String) {
    #expect(status([host], origins: [origin], sites: ["same-origin"]) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1:7878", "null"), ("127.0.0.1:7878", ""), ("127.0.0.1:7878", "http://evil.example"),
    ("127.0.0.1:7878", "http://127.0.0.1"), ("127.0.0.1:7878", "http://127.0.0.1:3000"),
    ("127.0.0.1:7878", "http://localhost:7878"), ("localhost:7878", "http://localhost.evil:7878"),
    ("localhost:7878", "http://localhost:7878/"), ("localhost:7878", "http://localhost:7878@evil"),
    ("localhost:7878", "http://evil@localhost:7878"), ("localhost:7878", "localhost:7878"),
    ("localhost:7878", "file://localhost:7878"), ("localhost:7878", "chrome-extension://abc"),
    ("localhost:7878", "http://localhost:7878 http://evil.example"),
    ("localhost:7878", "http://localhost:7878,http://evil.example"),
    ("127.0.0.1:7878", "http://hub.example.org"),
    ("127.0.0.1:7878", "https://hub.example.org:8443"),
    ("127.0.0.1:7878", "https://hub.example.org.evil"), ("[::1]:7878", "http://::1:7878"),
  ])
  func `a page of another origin may not`(host: String, origin: String) {
    #expect(status([host], origins: [origin]) == 403)
  }

  @Test func `each of several origins is judged`() {
    let own = "http://localhost:7878"
    #expect(status(["localhost:7878"], origins: [own, own]) == nil)
    #expect(status(["localhost:7878"], origins: [own, "http://evil.example"]) == 403)
    #expect(status(["localhost:7878"], origins: ["null", own]) == 403)
  }

  @Test(
    arguments: [
      (["same-origin"], nil), (["none"], nil), ([], nil), (["cross-site"], 403),
      (["same-site"], 403),
      (["SAME-ORIGIN"], 403), ([""], 403), (["none", "cross-site"], 403),
      (["none,cross-site"], 403),
      ([" none"], 403),
    ] as [([String], Int?)])
  func `what a browser says of the site is judged`(sites: [String], wanted: Int?) {
    #expect(status(["127.0.0.1:7878"], sites: sites) == wanted)
  }

  @Test func `a link of another site is let in where links are`() throws {
    for site in ["same-site", "cross-site"] {
      try Self.rule.judge(hosts: ["10.0.0.7:7878"], fetchSites: [site], admitsLink: true)
      #expect(status(["10.0.0.7:7878"], sites: [site]) == 403)
    }
    for (origins, site) in [
      (["http://evil.example"], "cross-site"), (["null"], "same-site"), ([], "x"),
    ] {
      #expect(throws: Failure.self) {
        try Self.rule.judge(
          hosts: ["10.0.0.7:7878"], origins: origins, fetchSites: [site], admitsLink: true)
      }
    }
  }

  @Test func `a host that is another's is told before anything else`() {
    #expect(
      status(["evil.example"], origins: ["http://evil.example"], sites: ["cross-site"]) == 421)
  }

  @Test func `a failure repeats no more than a line of what was sent`() {
    let failure = #expect(throws: Failure.self) {
      try Self.rule.judge(hosts: [String(repeating: "x\u{1B}", count: 5000)])
    }
    let text = failure?.explanation ?? ""
    #expect(text.count < 1000 && !text.contains("\u{1B}"))
  }
}
