import Foundation
import TestSupport
import Testing

/// People who answer the questions of servers, and who log in.
@Suite("tool-call, people")
struct ToolCallPersonTests {
  // MARK: Questions

  /// Calls a tool of the made server on a terminal, types each answer after its question, and returns
  /// what the terminal showed.
  private func answered(
    _ scratch: Scratch, _ tool: String, _ answers: [(question: String, answer: String)]
  ) async throws -> String {
    let terminal = try Terminal(
      scratch, "tool-call --json mcp:m/\(tool) | jq -c '.content // .error.code'")
    var seen = ""
    for (question, answer) in answers {
      try await scratch.until("'\(question)' is asked after '\(seen)'") {
        terminal.text.dropFirst(seen.count).contains(question)
      }
      seen = terminal.text
      terminal.type(answer)
    }
    return await terminal.running.ended().output
  }

  private func serve(_ scratch: Scratch, _ era: String) async throws {
    scratch.set("TAVILY_API_KEY", nil)
    scratch.set(
      "BROWSER",
      try scratch.write(
        "open", "#!/bin/sh\necho \"$1\" >>\(scratch.path("opened"))\n", executable: true))
    let server = Places.tests + "/Support/Servers/mcp_server.py"
    let run = try await scratch.shell("tool-call add m -- python3 \(server) --era \(era)")
    try #require(run.statuses == [0])
  }

  @Test(arguments: ["modern", "old"])
  func `a form is asked field by field until each value fits`(_ era: String) async throws {
    try await Scratch.with { scratch in
      try await serve(scratch, era)
      let filled = try await answered(
        scratch, "ask",
        [
          ("[d]ecline? ", "a"), ("name (string): ", ""), ("name (string): ", "Ann"),
          ("age (integer, optional): ", "old"), ("age (integer, optional): ", "7"),
        ])
      #expect(filled.contains("mcp:m asks: Who?"))
      #expect(filled.contains(#"\"action\": \"accept\""#))
      #expect(filled.contains(#"\"age\": 7, \"name\": \"Ann\""#))
      let chosen = try await answered(
        scratch, "ask_choices",
        [
          ("[d]ecline? ", "answer"), ("colour (red|blue): ", "green"),
          ("colour (red|blue): ", "blue"), ("gift (boolean, optional) [yes]: ", ""),
          ("sizes (some of s|l, with commas, optional): ", "s, m"),
          ("sizes (some of s|l, with commas, optional): ", "l, s"),
        ])
      #expect(!chosen.contains("\u{1b}[31m"))
      #expect(chosen.contains(#"\"colour\": \"blue\", \"gift\": true, \"sizes\": [\"l\", \"s\"]"#))
      let declined = try await answered(scratch, "ask", [("[d]ecline? ", "d")])
      #expect(declined.contains(#"\"action\": \"decline\""#))
    }
  }

  @Test func `a page is opened after a yes`() async throws {
    try await Scratch.with { scratch in
      try await serve(scratch, "modern")
      let declined = try await answered(scratch, "ask_url", [("[d]ecline? ", "d")])
      #expect(declined.contains("mcp:m asks to open a page of 'example.com': Visit"))
      #expect(declined.contains(#"\"action\": \"decline\""#))
      #expect(scratch.read("opened").isEmpty)
      let opened = try await answered(scratch, "ask_url", [("[d]ecline? ", "o")])
      #expect(opened.contains(#"\"action\": \"accept\""#))
      try await scratch.until("the page is opened") {
        scratch.read("opened") == "https://example.com/x\n"
      }
    }
  }

  @Test func `nobody is asked without a terminal`() async throws {
    try await Scratch.with { scratch in
      try await serve(scratch, "modern")
      let run = try await scratch.shell("tool-call mcp:m/ask | jq -r .error.kind")
      #expect(run.output == "missingCapability\n")
    }
  }

  @Test func `a call is one span, of the event log and of the server's trace`() async throws {
    try await Scratch.with { scratch in
      try await serve(scratch, "modern")
      let run = try await scratch.shell(
        "tool-call mcp:m/structured secret=word | jq -r .structuredContent.meta.traceparent")
      let failed = try await scratch.shell("tool-call mcp:m/fail")
      #expect(run.statuses == [0, 0] && failed.statuses == [1])
      let tail = try await scratch.shell("stream-tail --type traceEvent")
      let spans = tail.records("traceEvent")
      #expect(spans.map { $0["name"] } == ["execute_tool", "execute_tool"])
      #expect(spans.map { $0["skillId"] } == ["mcp:m/structured", "mcp:m/fail"])
      #expect(spans.map { $0["attrs.error.type"] } == ["", "tool_error"])
      let first = try #require(spans.first)
      #expect(run.output == "00-\(first["traceId"])-\(first["spanId"])-01\n")
      #expect(!tail.output.contains("word"))
    }
  }

  // MARK: Logins

  private func serveLogin(_ scratch: Scratch) async throws -> Server? {
    guard let python = Scratch.peer("venv-mcp", "python") else { return nil }
    scratch.set("TAVILY_API_KEY", nil)
    scratch.set(
      "BROWSER", try scratch.write("open", "#!/bin/sh\ncurl -sL \"$1\"\n", executable: true))
    let server = try await Server(
      scratch, "oauth_mcp_server.py", [], log: "oauth.log", python: python)
    let run = try await scratch.shell("tool-call add o \(server.url("/mcp"))")
    try #require(run.statuses == [0])
    return server
  }

  private func control(_ scratch: Scratch, _ server: Server, _ body: String) async throws {
    let run = try await scratch.shell("curl -sf -d '\(body)' \(server.url("/control"))")
    try #require(run.statuses == [0])
  }

  private func requests(_ scratch: Scratch, _ path: String) -> Int {
    Record.all(in: scratch.read("oauth.log")).count { $0["path"] == path }
  }

  @Test func `one of sixteen processes renews, scopes are stepped up to, and a logout revokes`()
    async throws
  {
    try await Scratch.with { scratch in
      guard let server = try await serveLogin(scratch) else { return }
      let none = try await scratch.shell("tool-call mcp:o/greet")
      #expect(none.statuses == [77])
      #expect(none.errors.contains("run 'tool-call login mcp:o'"))
      let login = try await scratch.shell("tool-call login mcp:o")
      #expect(login.statuses == [0], "\(login.errors)")
      let first = try await scratch.shell("tool-call mcp:o/greet | jq -r '.content[].text'")
      #expect(first.output == "hello\n", "\(first.errors)")
      #expect(requests(scratch, "/token") == 1)

      try await control(scratch, server, #"{"expire":true}"#)
      let many = try await scratch.shell(
        "for i in $(seq 16); do tool-call mcp:o/greet & done | jq -r '.content[].text'; wait")
      #expect(many.output == String(repeating: "hello\n", count: 16), "\(many.errors)")
      #expect(requests(scratch, "/token") == 2)

      try await control(scratch, server, #"{"require":["read","write"]}"#)
      let refused = try await scratch.shell("tool-call mcp:o/greet")
      #expect(refused.statuses == [77], "\(refused.errors)")
      let again = try await scratch.shell("tool-call login mcp:o && tool-call mcp:o/greet")
      #expect(again.statuses == [0], "\(again.errors)")

      let logout = try await scratch.shell("tool-call logout mcp:o")
      #expect(logout.errors == "tool-call: logged out: mcp:o\n")
      #expect(requests(scratch, "/revoke") > 0)
      let after = try await scratch.shell("tool-call mcp:o/greet")
      #expect(after.statuses == [77])
    }
  }

  @Test func `a call at a terminal logs in after a yes`() async throws {
    try await Scratch.with { scratch in
      guard let server = try await serveLogin(scratch) else { return }
      let line = "tool-call --json mcp:o/greet | jq -c '.content // .code'"
      for (answer, result) in [("d", "AuthExpired"), ("l", "hello")] {
        let terminal = try Terminal(scratch, line)
        try await scratch.until("the question") { terminal.text.contains("[d]ecline? ") }
        #expect(terminal.text.contains("mcp:o at '\(server.url("/mcp"))' requires a login"))
        terminal.type(answer)
        let output = await terminal.running.ended().output
        #expect(output.contains(result), "\(output)")
      }
    }
  }
}
