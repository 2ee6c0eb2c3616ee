import CodingAgents
import Core
@testable import Hooks
import TestSupport
import Testing

@Suite("requests of agents")
struct HookRequestTests {
  static let message =
    #"{"session_id":"s1","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","#
    + #""tool_input":{"command":"git status; rm -rf x","description":"Look"},"tool_use_id":"toolu_1"}"#

  private func request(_ text: String = message) throws -> HookRequest {
    guard case .request(let request) = try HookMessage(Array(text.utf8), from: nil) else {
      throw Failure(.badInput, "it is no request")
    }
    return request
  }

  @Test func `a message is read whole`() throws {
    let request = try request()
    #expect(request.form == HookForm(.claude, "PreToolUse"))
    #expect(
      [request.tool, request.sessionId, request.callId, request.folder] == [
        "Bash", "s1", "toolu_1", "/w",
      ])
    #expect(request.summary == "Claude Code asks to call Bash: git status; rm -rf x")
    #expect(request.context.why == "folder '/w', session 's1', call 'toolu_1'")
    #expect(request.context.impact == #"{"command":"git status; rm -rf x","description":"Look"}"#)
    #expect(request.agentId == "claude-s1")
  }

  @Test func `the gate's id depends on the whole request`() throws {
    let first = try request()
    let id = try #require(first.gateId(attempt: 0))
    #expect(
      id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    #expect(try request().gateId(attempt: 0) == id)
    var others = [first.gateId(attempt: 1)]
    for (old, new) in [
      ("\"s1\"", "\"s2\""), ("toolu_1", "toolu_2"), ("\"Bash\"", "\"Bash2\""),
      ("rm -rf x", "rm -rf y"),
      ("\"/w\"", "\"/v\""), ("PreToolUse", "PermissionRequest"),
      ("\"Look\"", "\"Look\",\"timeout\":1"),
    ] {
      others.append(try request(Self.message.replacing(old, with: new)).gateId(attempt: 0))
    }
    #expect(!others.contains(id) && !others.contains(nil) && Set(others).count == others.count)
    // Without a session or a call, each hook has a gate of its own.
    #expect(
      try request(Self.message.replacing("tool_use_id", with: "other")).gateId(attempt: 0) == nil)
    #expect(
      try request(Self.message.replacing("session_id", with: "other")).gateId(attempt: 0) == nil)
  }

  @Test func `the question shows every character, and is bounded`() throws {
    let hostile = #"git status\n\u001b[2J\u202erm -rf x"#
    let shown = try request(Self.message.replacing("git status; rm -rf x", with: hostile))
    #expect(
      shown.summary
        == "Claude Code asks to call Bash: git status<U+000A><U+001B>[2J<U+202E>rm -rf x")
    let long = String(repeating: "e\u{301}", count: 100_000)
    let bounded = try request(Self.message.replacing("git status; rm -rf x", with: long))
    #expect(bounded.summary.hasSuffix("… and 199700 more characters"))
    #expect(bounded.summary.utf8.count < 1000)
    #expect(try #require(bounded.context.impact).utf8.count < 10_000)
  }

  @Test(arguments: [
    ("", HookForm(.claude, "PreToolUse")), ("{", HookForm(.claude, "PreToolUse")),
    (#"{"hook_event_name":"BeforeTool","#, HookForm(.gemini, "BeforeTool")),
    (#"{"hook_event_name":"PermissionRequest","#, HookForm(.claude, "PermissionRequest")),
    (#"{"hook_event_name":"PreToolUse"}"#, HookForm(.claude, "PreToolUse")),
    (String(repeating: "[", count: 100_000), HookForm(.claude, "PreToolUse")),
    (
      #"{"tool_input":{"a":"BeforeTool","hook_event_name":"BeforeTool"},"#,
      HookForm(.claude, "PreToolUse")
    ),
    (
      #"{"tool_input":["hook_event_name","BeforeTool"],"hook_event_name":"PermissionRequest","#,
      HookForm(.claude, "PermissionRequest")
    ),
  ])
  func `a broken message still has a form of its denial`(_ text: String, _ form: HookForm) {
    #expect(throws: Failure.self) { try HookMessage(Array(text.utf8), from: nil) }
    #expect(HookMessage.form(ofBroken: Array(text.utf8), from: nil) == form)
    let isNamed = HookMessage.outermost("hook_event_name", in: Array(text.utf8)) != nil
    for agent in [CodingAgent.codex, .gemini] {
      let named = HookMessage.form(ofBroken: Array(text.utf8), from: agent)
      #expect(named.isDecidable && (isNamed || named.agent == agent))
    }
  }

  @Test func `a name that occurs twice makes a message broken`() {
    for name in ["command", "\u{212A}"] {
      let twice = Self.message.replacing(
        #""tool_input":{"#,
        with: #""tool_input":{"K":1,"\(name)":1,"#
          .replacing(#"\(name)"#, with: name))
      #expect(throws: Failure.self) { try HookMessage(Array(twice.utf8), from: .claude) }
    }
  }

  @Test func `an agent that does not have the event is not believed`() throws {
    for (text, agent) in [
      (Self.message, CodingAgent.claude),
      (Self.message.replacing("\"cwd\"", with: "\"turn_id\":\"1\",\"cwd\""), .codex),
      (Self.message.replacing("\"cwd\"", with: "\"timestamp\":\"now\",\"cwd\""), .claude),
    ] {
      for named in [nil, CodingAgent.gemini] {
        guard case .request(let request) = try HookMessage(Array(text.utf8), from: named) else {
          Issue.record("it is no request")
          continue
        }
        #expect(request.form == HookForm(agent, "PreToolUse"))
      }
    }
    let other = Self.message.replacing("PreToolUse", with: "BeforeTool")
    guard case .request(let request) = try HookMessage(Array(other.utf8), from: .claude) else {
      Issue.record("it is no request")
      return
    }
    #expect(request.form == HookForm(.gemini, "BeforeTool"))
  }

  @Test func `random bytes never allow, and never crash`() throws {
    var settings = Settings.HookSettings()
    settings.allow = ["Bash(git status)"]
    let rules = try HookRules(settings)
    var random = SeededRandom(seed: 33)
    let whole = Array(Self.message.utf8)
    for _ in 0..<10_000 {
      var bytes =
        random.chance(4) ? whole.map { _ in UInt8.random(in: 0...255, using: &random) } : whole
      for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(random.one(of: Array("\"{}[],:;&\n".utf8), else: 0), at: place)
        default: bytes = Array(bytes[..<max(1, place)])
        }
      }
      guard case .request(let request)? = try? HookMessage(bytes, from: nil) else { continue }
      #expect(request.summary.utf8.count < 10_000)
      guard case .allow = rules.verdict(on: request) else { continue }
      // A cut or a change may have made exactly the command that is allowed.
      #expect(request.tool == "Bash" && request.input["command"] == .string("git status"))
    }
  }
}
