import Foundation
import Testing

/// Composio's tools by the binary, against a loopback router.
@Suite("tool-call with Composio")
struct ComposioToolTests {
  private func serve(
    _ scratch: Scratch, _ options: [String] = ["--connected"]
  ) async throws -> Server {
    let server = try await Server(
      scratch, "composio_server.py", ["--key", scratch.secret] + options, log: "composio.log")
    scratch.set("COMPOSIO_BASE_URL", server.url("/"))
    scratch.set("COMPOSIO_API_KEY", scratch.secret)
    return server
  }

  private func calls(_ server: Server) -> [String] { server.requests.map { $0["call"] } }

  @Test func `tools are listed, searched and called in one session`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch)
      try scratch.write("home/config/config.toml", "[composio]\ntoolkits = [\"gmail\"]\n")
      let listed = try await scratch.shell("tool-call list composio")
      #expect(listed.records("tool").map { $0["name"] }.contains("GMAIL_SEND_EMAIL"))
      let found = try await scratch.shell("tool-call search 'write to somebody'")
      #expect(found.records("tool").map { $0["name"] } == ["GMAIL_SEND_EMAIL"])
      let sent = try await scratch.shell("tool-call composio/GMAIL_SEND_EMAIL to=a@example.org")
      #expect(sent.statuses == [0])
      let result = try #require(sent.records("toolResult").first)
      #expect(result["logId"] == "log_1")
      #expect(result["structuredContent.arguments.to"] == "a@example.org")
      #expect(result["consent"] == "named")
      #expect(calls(server) == ["create", "tools", "search", "execute"])
    }
  }

  @Test func `a chat goes on with its session`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch)
      let call = #"""
        {"text":"","calls":[{"id":"c1","name":"composio__GMAIL_SEND_EMAIL","arguments":"{\"to\":\"a\"}"}]}
        """#
      try await scratch.serveModels("[\(call),{\"text\":\"Sent.\"},\(call),{\"text\":\"Sent.\"}]")
      let options =
        "--model claude-sonnet-4-6 --tool composio/GMAIL_SEND_EMAIL --allow 'composio/*'"
      let first = try await scratch.shell("chat-send -n 'Write to a.' \(options)")
      #expect(first.statuses == [0], "\(first.errors)")
      let kept = try await scratch.shell("chat-log list | jq -r .toolRouterSessionId")
      #expect(kept.output == "trs_1\n")
      // An hour later, another chat would have another session.
      let count = server.requests.count
      let again = try await scratch.shell(
        "rm -r \"$AGENTPIPES_HOME/cache/composio\" && chat-send -n --continue 'Again.' \(options)")
      #expect(again.statuses == [0], "\(again.errors)")
      #expect(again.records("toolResult").map { $0["logId"] } == ["log_2"])
      #expect(!calls(server).dropFirst(count).contains("create"))
    }
  }

  @Test func `a toolkit that is not connected is a failure with a link`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch, [])
      let sent = try await scratch.shell("tool-call composio/GMAIL_SEND_EMAIL to=a@example.org")
      #expect(sent.statuses == [77])
      let result = try #require(sent.records("toolResult").first)
      #expect(result["error.code"] == "AuthExpired")
      #expect(result["error.url"] == server.url("/link/gmail"))
      #expect(calls(server).count { $0 == "execute" } == 1)
    }
  }

  @Test func `arguments that do not fit and tools that do not exist are not sent`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch)
      let unfit = try await scratch.shell("tool-call composio/GMAIL_SEND_EMAIL subject=x")
      let unknown = try await scratch.shell("tool-call composio/NO_SUCH_TOOL")
      #expect(unfit.statuses + unknown.statuses == [65, 66])
      #expect(!calls(server).contains("execute"))
    }
  }

  @Test func `an error of the tool is written whole and ends with 1`() async throws {
    try await Scratch.with { scratch in
      _ = try await serve(
        scratch, ["--connected", "--plan", #"{"execute":[{"error":"no such address"}]}"#])
      let sent = try await scratch.shell("tool-call composio/GMAIL_SEND_EMAIL to=x")
      #expect(sent.statuses == [1])
      let result = try #require(sent.records("toolResult").first)
      #expect(result["logId"] == "log_failed")
      #expect(sent.output.contains("no such address"))
    }
  }

  @Test func `without the key the router is not asked`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch)
      scratch.set("COMPOSIO_API_KEY", nil)
      try await scratch.shell("tool-call list")
      try await scratch.shell("tool-call search mail")
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `a login opens the page of a toolkit, and ends when it is connected`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch, [])
      scratch.set(
        "BROWSER", try scratch.write("open", "#!/bin/sh\ncurl -s \"$1\"\n", executable: true))
      let shown = try await scratch.shell("tool-call login composio:gmail --no-browser")
      #expect(shown.errors.contains("log in at \(server.url("/link/gmail"))"))
      #expect(!calls(server).contains("toolkits"))
      let done = try await scratch.shell("tool-call login composio:gmail")
      let wrong = try await scratch.shell("tool-call login 'composio:../x'")
      #expect(shown.statuses + done.statuses + wrong.statuses == [0, 0, 64])
      #expect(done.errors.contains("logged in: composio:gmail"))
    }
  }

  @Test func `a person at the terminal connects the toolkit, and the call goes on`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch, [])
      let terminal = try Terminal(
        scratch, "tool-call --json composio/GMAIL_SEND_EMAIL to=a | jq -r .logId")
      try await scratch.until("the link") { terminal.text.contains("ecline? ") }
      try await scratch.shell("curl -s \(server.url("/link/gmail"))")
      terminal.type("c")
      let ended = await terminal.running.ended()
      #expect(ended.output.contains("log_1"))
      #expect(calls(server) == ["create", "tools", "tool", "execute", "link", "page", "execute"])
    }
  }
}
