import CodingAgents
import Core
import Hooks
import TestSupport
import Testing

@Suite("calls that ended")
struct EndedCallsTests {
  private static func text(_ event: String, _ others: String = "") -> String {
    #"{"session_id":"s1","cwd":"/w","hook_event_name":"\#(event)","tool_name":"Bash","#
      + #""tool_input":{"command":"make"}\#(others)}"#
  }

  /// Returns the open gate of the given request.
  private func gate(_ id: String, _ text: String) throws -> ApprovalGate {
    guard case .request(let request) = try HookMessage(Array(text.utf8), from: nil) else {
      throw Failure(.badInput, "it is no request")
    }
    var gate = ApprovalGate(
      ts: 0, gateId: id, status: .pending, summary: request.summary, requestedAt: .now)
    (gate.agentId, gate.context) = (request.agentId, request.context)
    return gate
  }

  private func closed(_ text: String, _ gates: [ApprovalGate]) throws -> [String] {
    guard case .ended(let calls) = try HookMessage(Array(text.utf8), from: nil) else { return [] }
    return calls.gates(among: gates).map(\.gateId)
  }

  @Test func `the end of a call closes its gate, and of equal questions one`() throws {
    let ask = "PermissionRequest"
    var printed = try gate("printed", Self.text(ask))
    printed.pipelineId = "p"
    let gates = try [
      gate("first", Self.text(ask)), gate("second", Self.text(ask)),
      gate("named", Self.text("PreToolUse", #","tool_use_id":"t1""#)),
      gate("others", Self.text("PreToolUse", #","tool_use_id":"t10""#)),
      gate("foreign", Self.text(ask).replacing("s1", with: "s2")),
      gate("codex", Self.text(ask, #","turn_id":"u""#)),
      gate("subagent", Self.text(ask, #","agent_id":"a1""#)), printed,
    ]
    let after = ["PostToolUse", "PostToolUseFailure"]
    for event in after {
      #expect(try closed(Self.text(event, #","tool_use_id":"t1""#), gates) == ["named"])
      #expect(try closed(Self.text(event, #","tool_use_id":"t2""#), gates) == ["first"])
      let other = Self.text(event).replacing("make", with: "make x")
      #expect(try closed(other, gates) == [])
    }
    #expect(
      try closed(#"{"session_id":"s1","hook_event_name":"Stop"}"#, gates)
        == ["first", "second", "named", "others"])
    #expect(try closed(Self.text("SubagentStop"), gates) == [])
  }

  @Test func `an end without a session is a notice`() throws {
    let message = try HookMessage(Array(#"{"hook_event_name":"Stop"}"#.utf8), from: nil)
    #expect(message == .notice(HookForm(.claude, "Stop")))
    #expect(message.form.text(.deny("no")) == "")
  }

  @Test func `a rule that asks is found, and only that`() throws {
    var settings = Settings.HookSettings()
    (settings.ask, settings.deny) = (["Bash(make *)"], ["Read(/w/.env)"])
    let rules = try HookRules(settings)
    for (command, rule) in [
      ("make x", "Bash(make *)"), ("cat .e*", "Read(/w/.env)"), ("ls", nil), ("cat .env", nil),
    ] {
      var request = HookRequest(
        HookForm(.claude, "PreToolUse"), tool: "Bash", input: ["command": .string(command)])
      request.folder = "/w"
      #expect(rules.question(on: request) == rule, "\(command)")
    }
  }
}
