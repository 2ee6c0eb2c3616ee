import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

struct HostileTranscriptTests {
  private static let claude = [
    #"{"type":"user","sessionId":"s","cwd":"/w","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"Go."}}"#,
    #"{"type":"assistant","sessionId":"s","requestId":"r","message":{"id":"m","model":"x","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":[1,{"b":null}]}}],"usage":{"input_tokens":2,"cache_read_input_tokens":5,"cache_creation_input_tokens":5,"output_tokens":7}}}"#,
    #"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}"#,
  ]
  private static let codex = [
    #"{"timestamp":"2026-03-01T10:00:00.000Z","type":"session_meta","payload":{"id":"t","cwd":"/w","forked_from_id":"p","subagent_history_start_ordinal":1},"ordinal":0}"#,
    #"{"timestamp":"2026-03-01T10:00:01.000Z","type":"response_item","payload":{"type":"function_call","name":"f","arguments":"{}","call_id":"c"},"ordinal":2}"#,
    #"{"timestamp":"2026-03-01T10:00:02.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":9,"cached_input_tokens":8,"cache_write_input_tokens":3,"output_tokens":7,"reasoning_output_tokens":1}}},"ordinal":3}"#,
    #"{"timestamp":"2026-03-01T10:00:03.000Z","type":"token_usage_record","payload":{"thread_id":"t","response_id":"r","usage":{"input_tokens":1,"output_tokens":1}},"ordinal":4}"#,
  ]
  private static let gemini = [
    #"{"sessionId":"s","startTime":"2026-03-01T10:00:00.000Z"}"#,
    #"{"id":"a","type":"gemini","content":[{"text":"x"}],"tokens":{"input":3,"output":4,"cached":2,"thoughts":1},"toolCalls":[{"id":"t","name":"f","args":{},"status":"success","result":[{}]}]}"#,
    #"{"$rewindTo":"a"}"#, #"{"$set":{"messages":[]}}"#,
  ]
  private static let pieces = [
    "null", "true", "[]", "{}", "\"\"", "-1", "1e308", "9223372036854774784", "\"\\ud800\"",
    "[[[[[[[[[[", "\0", "\"type\":", ",\"id\":\"x\"",
  ].map { Array($0.utf8) }

  /// Returns the given line with a few random changes.
  private func mutated(_ line: String, _ random: inout SeededRandom) -> [UInt8] {
    var line = Array(line.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard !line.isEmpty else { break }
      let place = Int.random(in: 0..<line.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: line[place] = UInt8.random(in: 0...255, using: &random)
      case 1: line.remove(at: place)
      case 2: line.insert(contentsOf: random.one(of: Self.pieces, else: []), at: place)
      case 3: line.removeLast(line.count - place)
      default:
        guard let colon = line[place...].firstIndex(of: UInt8(ascii: ":")) else { continue }
        let end = line[colon...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
        line.replaceSubrange(
          (colon + 1)..<(end ?? line.endIndex), with: random.one(of: Self.pieces, else: []))
      }
    }
    return line
  }

  private func check<Parser: TranscriptParser>(_ parser: Parser, _ lines: [String]) {
    var random = SeededRandom(seed: 7)
    for _ in 0..<1000 / lines.count {
      var parser = parser
      var entries: [SessionEntry] = []
      for line in lines {
        entries += parser.entries(of: mutated(line, &random))
        // A whole line is read whatever came before.
        let found = parser.entries(of: Array(line.utf8))
        #expect(!found.contains { $0.content == .unreadable })
        entries += found
      }
      let sum = Transcript.sum(entries)
      #expect(sum.inputTokens >= 0 && sum.outputTokens >= 0)
    }
  }

  @Test func `no mutated line of Claude Code ends the parser`() {
    check(ClaudeTranscript(SessionKey(.claude, "s"), limits: .chats), Self.claude)
  }

  @Test func `no mutated line of Codex ends the parser`() {
    check(CodexTranscript(SessionKey(.codex, "s"), limits: .chats), Self.codex)
  }

  @Test func `no mutated line of Gemini CLI ends the parser`() {
    check(GeminiTranscript(SessionKey(.gemini, "s"), limits: .chats), Self.gemini)
  }

  @Test func `no mutated message of OpenCode ends the parser`() {
    var random = SeededRandom(seed: 7)
    let message =
      #"{"role":"assistant","modelID":"x","time":{"created":1},"cost":0.1,"tokens":{"input":1,"output":2,"cache":{"read":3}}}"#
    let part =
      #"{"type":"tool","callID":"c","tool":"f","state":{"status":"completed","input":{"a":1},"output":"ok","time":{"end":2}}}"#
    let transcript = OpenCodeTranscript(limits: .chats)
    for _ in 0..<1000 {
      let found = transcript.entries(
        of: OpenCodeTranscript.Message(
          id: "m", sessionId: "s", created: nil, data: mutated(message, &random),
          parts: [mutated(part, &random), Array(part.utf8)]))
      #expect(!found.isEmpty)
    }
  }

  @Test func `deep and wide lines are bounded`() throws {
    var parser = ClaudeTranscript(SessionKey(.claude, "s"), limits: .chats)
    #expect(
      parser.entries(of: Array(repeating: UInt8(ascii: "["), count: 1 << 20)).map(\.content)
        == [.unreadable])
    let deep = String(repeating: "{\"a\":", count: 400) + "1" + String(repeating: "}", count: 400)
    let line =
      #"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","input":\#(deep)}]}}"#
    // The answer, and its call without counts.
    #expect(parser.entries(of: Array(line.utf8)).count == 2)
    let long = String(repeating: "x", count: 2_000_000)
    let cut = parser.entries(
      of: Array(#"{"type":"user","message":{"content":"\#(long)"}}"#.utf8))
    #expect(Transcript.prompts(cut).first?.utf8.count ?? 0 < 1_000_100)
  }
}
