import Core
import Links
import Testing

/// The command that shows the subject of a link to a page.
@Suite struct SubjectLinkTests {
  private static func command(_ url: String) throws -> [String] {
    try SubjectLink(
      url,
      own: [
        try WebLinks(["incident_url": "https://ops.example/i/{id}?of={id}#end"]).withPage(
          at: "https://hub.example.org/behind")
      ], hubs: ["b": "http://build:7878/x", "a": "http://build:7878"]
    ).command
  }

  @Test(arguments: [
    ("https://ops.example/i/a%2Fb?of=a%2Fb#end", ["agent-stat", "incident", "--", "a/b"]),
    ("https://hub.example.org/page/gates/-7f", ["gate-decide", "show", "--", "-7f"]),
    ("https://hub.example.org/page/gates/7f#decide", ["gate-decide", "show", "--", "7f"]),
    ("https://hub.example.org/page/sessions/s", ["agent-stat", "context", "--", "s"]),
    ("https://hub.example.org/page/traces/--t", ["stream-tail", "--match=--t"]),
    ("https://hub.example.org/page/swarms/s", ["agent-stat", "swarm", "--", "s"]),
    ("http://build:7878/page/agents/l", ["agent-stat", "agent", "--hub=a", "--", "l"]),
  ])
  func `a page is shown by the tool of its subject`(url: String, command: [String]) throws {
    #expect(try Self.command(url) == command)
  }

  @Test(arguments: [
    "https://ops.example/i/a?of=b#end", "https://ops.example/i/?of=#end",
    "https://hub.example.org/page/incidents/i", "https://hub.example.org/page/gates/",
    "https://hub.example.org/page/gates/a/b", "https://hub.example.org/page/gates/a?b",
    "https://hub.example.org/page/gates/%FF", "https://hub.example.org.evil/page/gates/a",
    "http://build/page/gates/a", "https://build:7878/page/gates/a", "https://",
  ])
  func `a page that no hub serves is refused`(url: String) {
    let failure = #expect(throws: Failure.self) { try Self.command(url) }
    #expect(failure?.code == .badUsage)
    #expect(failure?.explanation.contains(url) == false)
  }
}
