import Core
import Synchronization
import TestSupport
import Testing

@testable import Tools

@Suite("servers of other programs")
struct ClientConfigurationTests {
  private final class Notices: Sendable {
    private let state = Mutex<[String]>([])
    var texts: [String] { state.withLock { $0 } }

    func add(_ notice: Notice) {
      if case .sentence(let text) = notice { state.withLock { $0.append(text) } }
    }
  }

  /// Returns the servers of the given file, each as its name, folder and settings.
  private func servers(
    _ text: String, _ file: String, from folder: String = "/"
  ) throws -> (servers: [String], notices: [String]) {
    let notices = Notices()
    let found = try ClientConfiguration.servers(
      Array(text.utf8), file: file, from: folder, report: notices.add)
    #expect(found.allSatisfy { $0.settings.isImported && $0.file == file })
    let servers = found.map {
      ([$0.name, $0.folder ?? "*"] + $0.shownLines).joined(separator: " | ")
    }
    return (servers, notices.texts)
  }

  /// The form in which `claude mcp add` of Claude Code 2.1 writes servers of both scopes.
  private static let claude = """
    {"numStartups": 3, "mcpServers": {"time": {"type": "stdio", "command": "time", "args": [], "env": {}},
      "all": {"type": "http", "url": "https://all.example/mcp"}},
     "projects": {
      "/w": {"allowedTools": [], "mcpServers": {"files": {"type": "stdio", "command": "./files", "args": ["."], "env": {}}}},
      "/w/deep": {"mcpServers": {"time": {"command": "near"}, "files": {"command": "nearer"}}},
      "/x": {"mcpServers": {"time": {"command": "far"}, "old": {"type": "sse", "url": "https://a"},
        "web": {"type": "http", "url": "https://web.example/mcp"}}},
      "/y": {"mcpServers": {}}, "/z": {"history": []}}}
    """

  @Test func `the servers of all folders are found, those of the current folder first`() throws {
    let far = try servers(Self.claude, "claude.json", from: "/home")
    #expect(
      far.servers == [
        "all | * | url: https://all.example/mcp", "files | /w | command: ./files . | folder: /w",
        "time | * | command: time", "web | /x | url: https://web.example/mcp",
      ])
    #expect(
      far.notices == [
        "'mcp:files' of '/w/deep' is not added: that of '/w' has the same name",
        "'mcp:time' of '/w/deep' is not added: that of all folders has the same name",
        "the server 'old': uses the transport 'sse', which is not supported, in '/x'",
        "'mcp:time' of '/x' is not added: that of all folders has the same name",
      ])
    let near = try servers(Self.claude, "claude.json", from: "/w/deep/src")
    #expect(
      near.servers == [
        "all | * | url: https://all.example/mcp",
        "files | /w/deep | command: nearer | folder: /w/deep",
        "time | /w/deep | command: near | folder: /w/deep",
        "web | /x | url: https://web.example/mcp",
      ])
    #expect(try servers(Self.claude, "claude.json", from: "/w/deeper").servers == far.servers)
  }

  @Test func `a file with projects alone has servers`() throws {
    let text = #"{"projects":{"/w":{"mcpServers":{"a":{"command":"x"}}}}}"#
    #expect(try servers(text, "f").servers == ["a | /w | command: x | folder: /w"])
    let none = #expect(throws: Failure.self) { try servers(#"{"projects":{"/w":{}}}"#, "f") }
    #expect(none?.explanation == "'f' has no object 'mcpServers' or 'servers'")
  }

  private static let codex = """
    model = "gpt-5.5"
    [mcp_servers.files]
    command = "npx"
    args = ["-y", "files"]
    cwd = "/w"
    env_vars = ["LOCAL", { name = "REMOTE", source = "remote" }]
    startup_timeout_sec = 20
    [mcp_servers.files.env]
    LEVEL = "debug"
    [mcp_servers.web]
    url = "https://web.example/mcp"
    bearer_token_env_var = "WEB_TOKEN"
    http_headers = { "X-Region" = "eu" }
    env_http_headers = { "X-User" = "USER" }
    [mcp_servers.off]
    command = "off"
    enabled = false
    """

  @Test func `Codex's servers are those of its tables`() throws {
    let found = try servers(Self.codex, "config.toml")
    #expect(
      found.servers == [
        "files | * | command: npx -y files | folder: /w | env: LEVEL=debug | env: LOCAL='${LOCAL:-}'"
          + " | env: REMOTE='${REMOTE:-}'",
        "web | * | url: https://web.example/mcp | header: Authorization='Bearer ${WEB_TOKEN}'"
          + " | header: X-Region=eu | header: X-User='${USER}'",
      ])
    #expect(found.notices == ["'mcp:off' is not added: it is switched off in Codex"])
  }

  @Test(arguments: [
    ("model = 1\n", "'c.toml' has no table 'mcp_servers'"),
    ("mcp_servers = 1\n", "'c.toml' has no table 'mcp_servers'"),
    ("[mcp_servers.a]\ncommand = 1\n", "the server 'a': 'command' must be a string"),
    ("[mcp_servers.a]\nenabled = true\n", "the server 'a' has neither a command nor a URL"),
    ("[mcp_servers.a\n", nil),
  ])
  func `a file of Codex without servers is refused`(_ text: String, _ reason: String?) {
    let failure = #expect(throws: Failure.self) { try servers(text, "c.toml") }
    #expect(failure?.code == .badInput)
    if let reason { #expect(failure?.explanation == reason) }
  }
}
