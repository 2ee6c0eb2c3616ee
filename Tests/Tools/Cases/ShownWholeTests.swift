import Foundation
import TestSupport
import Testing

/// What people read before they decide: it is what will run, even if a part of it looks like the
/// password of a URL.
@Suite("what is decided on is shown whole")
struct ShownWholeTests {
  private static let commands = [
    "curl http://$(id;touch${IFS}pwned|sh)@example.com/", "echo http://;rm${IFS}-rf${IFS}~;@ok",
    "git clone https://user:word@example.com/x", "echo x://a|sh;echo%40b",
  ]

  private func gate(_ scratch: Scratch) async throws -> String {
    var id = ""
    try await scratch.until("a gate waits") {
      id = try await scratch.shell("gate-decide list | jq -r .gateId").output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      return !id.isEmpty
    }
    return id
  }

  @Test(arguments: commands) func `a call of a hook`(command: String) async throws {
    try await Scratch.with { scratch in
      let hook = try scratch.starting(
        "gate-decide", "hook",
        input: #"{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","#
          + #""tool_input":{"command":"\#(command)"},"tool_use_id":"t1"}"#)
      let id = try await gate(scratch)
      let summary = "Claude Code asks to call Bash: \(command)"
      for view in ["gate-decide list", "gate-decide show \(id)"] {
        let shown = try await scratch.shell(view)
        #expect(shown.records.first?["summary"] == summary)
        #expect(shown.records.first?["context.impact"] == #"{"command":"\#(command)"}"#)
      }
      let text = try await scratch.shell("gate-decide show \(id) --text")
      #expect(text.output.contains(summary))
      let overview = try await scratch.shell("agent-stat | jq -r '.pendingGates[].summary'")
      #expect(overview.output == summary + "\n")
      try await scratch.shell("gate-decide reject \(id) --reason 'it is not what I want'")
      #expect(await hook.ended().endings == [.exit(0)])
    }
  }

  @Test func `a question, and a gate that a command prints`() async throws {
    try await Scratch.with { scratch in
      let command = Self.commands[0]
      let asked = try scratch.starting("gate-decide", "ask", "run \(command)?")
      let first = try await gate(scratch)
      #expect(
        try await scratch.shell("gate-decide show \(first)").records.first?["summary"]
          == "run \(command)?")
      try await scratch.shell("gate-decide reject \(first) --reason 'it is not what I want'")
      #expect(await asked.ended().endings == [.exit(1)])
      try scratch.write(
        "work/gate.json",
        #"{"type":"approvalGate","status":"pending","summary":"run \#(command)?"}"# + "\n")
      try await scratch.shell("agent-run --agent a -- cat gate.json")
      #expect(
        try await scratch.shell("gate-decide list").records.first?["summary"] == "run \(command)?")
    }
  }

  @Test func `a long call, with the number of missing characters`() async throws {
    try await Scratch.with { scratch in
      let hook = try scratch.starting(
        "gate-decide", "hook",
        input: #"{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","#
          + #""tool_input":{"command":"\#(String(repeating: "a", count: 299))\u200bbc"}}"#)
      let id = try await gate(scratch)
      let summary =
        "Claude Code asks to call Bash: \(String(repeating: "a", count: 299))<U+200B>"
        + "… and 2 more characters"
      #expect(
        try await scratch.shell("gate-decide show \(id)").records.first?["summary"] == summary)
      try await scratch.shell("gate-decide reject \(id) --reason 'it is not what I want'")
      #expect(await hook.ended().endings == [.exit(0)])
    }
  }

  @Test func `a server that another program describes`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/servers.json",
        #"{"mcpServers":{"box":{"command":"sh","args":["-c","echo http://;rm${IFS}-rf${IFS}~;@ok"],"#
          + #""env":{"A":"http://b:c@d"}}}}"#)
      let added = try await scratch.shell("tool-call import servers.json")
      #expect(
        added.errors == """
          tool-call: added: mcp:box
          tool-call:   command: sh -c 'echo http://;rm${IFS}-rf${IFS}~;@ok'
          tool-call:   env: A=http://b:c@d
          tool-call: 'mcp:box' does not start until you agree to it

          """)
      let refused = try await scratch.shell("tool-call list mcp:box")
      #expect(refused.records.first?["kind"] == "notAgreed")
      #expect(!refused.output.contains("rm${IFS}") && !refused.errors.contains("echo http://"))
    }
  }

  @Test func `a link's prompt, which its key masks nowhere`() async throws {
    try await Scratch.with { scratch in
      let shown = try await scratch.shell(
        "link-open 'ayna://chat?key=delete%20all&model=sonnet&prompt=echo%20http://;delete%20all;@ok"
          + "%0A%20%20model:%20gpt-4o'")
      #expect(
        shown.errors.hasPrefix(
          """
          link-open: ignore the link's key: the model is already known
          link-open: start a chat and send the prompt
          link-open:   model: sonnet
          link-open:   prompt:
          link-open:   | echo http://;delete all;@ok
          link-open:   |   model: gpt-4o

          """), "\(shown.errors)")
      #expect(shown.statuses == [77])
    }
  }
}
