import Foundation
import TestSupport
import Testing

/// The places of a key, and its provider's opinion of it.
@Suite("uses of a key")
struct KeyUseTests {
  @Test func `a secret that a variable hides is stored, and the variable is named`() async throws {
    try await Scratch.with { scratch in
      let quiet = try await scratch.shell("key-store set openai", input: "sk-first-of-the-test\n")
      #expect(quiet.statuses == [0] && quiet.errors.isEmpty)
      scratch.set("OPENAI_API_KEY", scratch.secret)
      let set = try await scratch.shell("key-store set openai", input: "sk-other-of-the-test\n")
      #expect(set.statuses == [0])
      #expect(set.records.map { $0["source"] } == ["file"])
      #expect(
        set.errors == """
          key-store: OPENAI_API_KEY takes precedence over the stored secret: unset it to use the \
          stored secret

          """)
      let other = try await scratch.shell("env -u OPENAI_API_KEY key-store get openai --reveal")
      #expect(other.output == "sk-other-of-the-test\n")
      let delete = try await scratch.shell("key-store delete openai")
      #expect(
        delete.errors == """
          key-store: removed 'openai' from the sealed file
          key-store: 'openai' still comes from OPENAI_API_KEY

          """)
    }
  }

  @Test func `the provider says whether it accepts a key`() async throws {
    try await Scratch.with { scratch in
      let none = try await scratch.shell("env -u ANTHROPIC_BASE_URL key-store check anthropic")
      #expect(none.statuses == [77] && none.errors.contains("key-store set anthropic"))
      let server = try LoopbackServer { [secret = scratch.secret] request in
        let isGood = request.contains("x-api-key: \(secret)\r\n")
        let body =
          isGood
          ? #"{"data":[{"type":"model","id":"claude-a"}],"has_more":false}"#
          : #"{"type":"error","error":{"type":"authentication_error","message":"no"}}"#
        return Reply(
          """
          HTTP/1.1 \(isGood ? "200 OK" : "401 Unauthorized")
          Content-Type: application/json
          Content-Length: \(body.utf8.count)


          """, body: Array(body.utf8))
      }
      scratch.set("ANTHROPIC_BASE_URL", server.url(""))
      try await scratch.shell("key-store set anthropic >/dev/null", input: scratch.secret)
      let good = try await scratch.shell("key-store check anthropic")
      #expect(good.statuses == [0])
      #expect(
        good.output == """
          {"name":"key","status":"ok","summary":"'anthropic' accepts the key from the sealed file, \
          and lists 1 model","type":"check"}

          """)
      try await scratch.shell("key-store set anthropic >/dev/null", input: "sk-of-nobody-else")
      let bad = try await scratch.shell("key-store check anthropic")
      #expect(bad.statuses == [77])
      #expect(bad.records("error").map { $0["code"] } == ["MissingAPIKey"])
      let other = try await scratch.shell("key-store check push-webhook")
      #expect(other.statuses == [64])
      #expect(other.errors.contains("'push-webhook' has no list of models; use one of anthropic"))
    }
  }

  @Test func `doctor writes to find what no permission shows`() async throws {
    try await Scratch.with { scratch in
      // Nobody may create a file there, not even root, and no mode says so.
      scratch.set("AGENTPIPES_HOME", "/proc/self")
      let run = try await scratch.shell("agentpipes doctor")
      let check = try #require(run.records.first { $0["name"] == "permissions" })
      #expect(check["status"] == "wrong")
      #expect(check["summary"].hasPrefix("'/proc/self' cannot be written: "))
      #expect(check["nextStep"] == "make it writable, or set AGENTPIPES_HOME to another folder")
      scratch.set("AGENTPIPES_HOME", scratch.path("home"))
      let good = try await scratch.shell("agentpipes doctor")
      #expect(good.records.first { $0["name"] == "permissions" }?["status"] == "ok")
      let left = try await scratch.shell("find .. -name '.agentpipes-*'")
      #expect(left.output.isEmpty)
    }
  }
}
