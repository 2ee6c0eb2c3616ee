import Foundation
import Testing

/// Logging in at a server that does as GitHub does.
@Suite("key-store login")
struct LoginTests {
  private func serve(
    _ scratch: Scratch, client: String = "app-1", options: [String] = []
  ) async throws -> Server {
    let server = try await Server(
      scratch, "github_server.py", ["--token", scratch.secret] + options, log: "github.log")
    scratch.set("GITHUB_SERVER_URL", server.url(""))
    try scratch.write("home/config/config.toml", "[github]\nclient_id = \"\(client)\"\n")
    return server
  }

  @Test func `a code that a person enters anywhere gets a token that is kept`() async throws {
    try await Scratch.with { scratch in
      let server = try await serve(scratch)
      try await scratch.shell("key-store login github --device")
      try await scratch.shell("key-store get github")
      // The first answer said to wait.
      #expect(
        server.requests.map { $0["path"] } == [
          "/login/device/code", "/login/oauth/access_token", "/login/oauth/access_token",
        ])
      try scratch.expectGolden("key-store/login-device")
    }
  }

  @Test(arguments: [("past", "-1"), ("later", "28800"), ("never", "")])
  func `a token of a login that is refused has expired, and a new login heals it`(
    _ name: String, _ seconds: String
  ) async throws {
    try await Scratch.with { scratch in
      _ = try await serve(
        scratch, options: seconds.isEmpty ? [] : ["--expires-in", seconds])
      _ = try await scratch.serveModels(#"[{"status":401,"times":3},{"text":"T"}]"#, as: .gitHub)
      // One that no login gave.
      try await scratch.shell("chat-send -n ask --no-store --model github/openai/gpt-x")
      scratch.set("GITHUB_TOKEN", nil)
      try await scratch.shell("key-store login github")
      try await scratch.shell("chat-send -n ask --no-store --model github/openai/gpt-x")
      try await scratch.shell("model-list check github/openai/gpt-x")
      try await scratch.shell("key-store login github")
      try await scratch.shell("chat-send -n ask --no-store --model github/openai/gpt-x")
      #expect(scratch.runs.map(\.statuses) == [[77], [0], [77], [77], [0], [0]])
      try scratch.expectGolden("key-store/login-\(name)")
    }
  }

  @Test func `a browser comes back with a code that is good for one token`() async throws {
    try await Scratch.with { scratch in
      _ = try await serve(scratch)
      let browser = try scratch.write(
        "browser", "#!/bin/sh\nexec curl -sSL \"$1\" > \(scratch.path("page"))\n", executable: true)
      scratch.set("BROWSER", browser)
      let run = try await scratch.shell("key-store login github --web 2>/dev/null")
      #expect(run.statuses == [0])
      #expect(run.records("key").map { $0["name"] } == ["github"])
      try await scratch.until("the browser has its page") {
        scratch.read("page").contains("You are logged in.")
      }
    }
  }

  @Test func `who is refused, and who has no application, is told`() async throws {
    try await Scratch.with { scratch in
      _ = try await serve(scratch, client: "denied")
      try await scratch.shell("key-store login github --device")
      try scratch.write("home/config/config.toml", "")
      try await scratch.shell("key-store login github")
      try await scratch.shell("key-store login openai")
      try scratch.expectGolden("key-store/login-refused")
    }
  }
}
