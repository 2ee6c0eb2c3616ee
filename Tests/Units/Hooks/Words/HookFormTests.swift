import CodingAgents
import Core
import Foundation
import Hooks
import Testing

/// The recorded messages, in the folder that AGENTPIPES_EVAL names.
private enum Recorded {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"]
    .map { $0 + "/sessions/made/hooks/" }

  static func bytes(_ name: String) -> [UInt8]? {
    folder.flatMap { FileManager.default.contents(atPath: $0 + name) }.map { Array($0) }
  }

  /// The events that have a message, such as `claude-PreToolUse`.
  static var names: [String] {
    let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
    return files.filter { $0.hasSuffix(".in.json") }.map { String($0.dropLast(8)) }.sorted()
  }
}

@Suite("answers to hooks")
struct HookFormTests {
  private static let allow = HookAnswer.allow("approved by ada")
  private static let deny = HookAnswer.deny("ada said no: build is shared")
  private static let ask = HookAnswer.ask("nobody decided in 570 s")

  @Test(
    .enabled(if: Recorded.folder != nil, "AGENTPIPES_EVAL names no recordings"),
    arguments: Recorded.names)
  func `a recorded message is recognised and answered as recorded`(_ name: String) throws {
    let message = try HookMessage(try #require(Recorded.bytes(name + ".in.json")), from: nil)
    let words = name.split(separator: "-").map(String.init)
    let form = message.form
    if case .request(let request) = message {
      #expect(!request.tool.isEmpty && request.sessionId != nil && request.folder != nil)
    }
    #expect([form.agent.rawValue, form.event] == words)
    for (kind, answer) in [("approve", Self.allow), ("reject", Self.deny), ("silent", .none)] {
      let expected = Recorded.bytes("\(name).\(kind).out.json") ?? []
      #expect(Array(form.text(answer).utf8) == expected, "\(name) \(kind)")
    }
  }

  private static func before(_ decision: String, _ reason: String) -> String {
    #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"\#(decision)","#
      + #""permissionDecisionReason":"\#(reason)"}}"# + "\n"
  }

  private static func instead(_ decision: String) -> String {
    #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":"# + decision + "}}\n"
  }

  @Test(arguments: [
    (HookForm(.claude, "PreToolUse"), allow, before("allow", "approved by ada")),
    (HookForm(.claude, "PreToolUse"), deny, before("deny", "ada said no: build is shared")),
    (HookForm(.claude, "PreToolUse"), ask, before("ask", "nobody decided in 570 s")),
    (HookForm(.claude, "PreToolUse"), .none, ""),
    (HookForm(.claude, "PermissionRequest"), allow, instead(#"{"behavior":"allow"}"#)),
    (
      HookForm(.claude, "PermissionRequest"), deny,
      instead(#"{"behavior":"deny","message":"ada said no: build is shared"}"#)
    ),
    (HookForm(.claude, "PermissionRequest"), ask, ""),
    (HookForm(.codex, "PreToolUse"), allow, ""),
    (HookForm(.codex, "PreToolUse"), deny, before("deny", "ada said no: build is shared")),
    // Codex has no question of its own here.
    (HookForm(.codex, "PreToolUse"), ask, before("deny", "nobody decided in 570 s")),
    (HookForm(.codex, "PermissionRequest"), ask, ""),
    (HookForm(.gemini, "BeforeTool"), allow, #"{"decision":"allow"}"# + "\n"),
    (
      HookForm(.gemini, "BeforeTool"), ask,
      #"{"decision":"deny","reason":"nobody decided in 570 s"}"# + "\n"
    ),
    (HookForm(.gemini, "BeforeTool"), .none, "{}\n"),
    (HookForm(.claude, "Stop"), deny, ""), (HookForm(.gemini, "Notification"), allow, "{}\n"),
  ])
  func `each agent gets its own form`(_ form: HookForm, _ answer: HookAnswer, _ text: String) {
    #expect(form.text(answer) == text)
  }

  @Test func `a reason is bounded, and shows no control characters`() {
    let reason = "no \u{1B}[2J\n\u{202E}" + String(repeating: "e\u{301}", count: 5000)
    let text = HookForm(.claude, "PreToolUse").text(.deny(reason))
    #expect(text.contains("no <U+001B>[2J <U+202E>"))
    #expect(text.utf8.count < 4000)
  }
}
