import CodingAgents
import Core
import TestSupport
import Testing

struct ClaudeTranscriptTests {
  private static let file = SessionKey(.claude, "s1")

  private func entries(
    _ lines: String..., file: SessionKey = file, limits: SessionLimits = .chats
  ) throws -> [SessionEntry] {
    try Transcript.entries(of: lines, ClaudeTranscript(file, limits: limits))
  }

  /// An answer's line with one block.
  private func answer(
    _ block: String, id: String = "m1", request: String = "r1", output: Int, read: Int = 5,
    more: String = ""
  ) -> String {
    """
    {"type":"assistant","sessionId":"s1","cwd":"/w","version":"2","requestId":"\(request)",\(more)
    "timestamp":"2026-03-01T10:00:00.000Z","message":{"id":"\(id)","role":"assistant","model":"m",
    "content":[\(block)],"usage":{"input_tokens":2,"cache_creation_input_tokens":3,
    "cache_read_input_tokens":\(read),"output_tokens":\(output),
    "cache_creation":{"ephemeral_1h_input_tokens":1}}}}
    """.replacing("\n", with: "")
  }

  @Test func `the lines of one answer are one call with its highest counts`() throws {
    let found = try entries(
      answer(#"{"type":"thinking","thinking":"hm"}"#, output: 1),
      answer(#"{"type":"text","text":"Yes."}"#, output: 1),
      answer(#"{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}"#, output: 9))
    let usage = Usage(
      inputTokens: 10, outputTokens: 9, cacheReadTokens: 5, cacheWriteTokens: 3,
      cacheWrite1hTokens: 1)
    #expect(Transcript.calls(found).map(\.value.usage) == [usage])
    #expect(Transcript.calls(found).keys.map(\.self) == ["m1"])
    let sum = Transcript.sum(found)
    #expect([sum.inputTokens, sum.outputTokens] == [10, 9])
    let answers = found.compactMap { entry in
      if case .answer(let answer) = entry.content { answer } else { nil }
    }
    #expect(answers.map(\.id) == ["m1", "m1", "m1"])
    #expect(answers[0].reasoning == "hm" && answers[1].text == "Yes.")
    #expect(
      answers[2].toolCalls == [
        SessionToolCall(id: "t", name: "Bash", arguments: .object(["command": .string("ls")]))
      ])
  }

  @Test func `a subagent's replay of a call does not count, and its own calls do`() throws {
    let aside = SessionKey(.claude, "s1", subagent: "a1")
    let text = #"{"type":"text","text":"Yes."}"#
    let replay = try entries(
      answer(text, request: "r9", output: 9, read: 90_000, more: #""isSidechain":true,"#),
      answer(text, id: "m2", request: "r2", output: 4, more: #""isSidechain":true,"#), file: aside)
    let main = try entries(answer(text, output: 9))
    for found in [main + replay, replay + main] {
      let calls = Transcript.calls(found)
      #expect(calls.keys.sorted() == ["m1", "m2"])
      #expect(calls["m1"]?.usage?.cacheReadTokens == 5 && calls["m2"]?.session == aside)
    }
  }

  @Test func `a copied line belongs to the session that it was copied from`() throws {
    let copy = #"""
      {"type":"user","sessionId":"s2","cwd":"/w","uuid":"u","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"Go."},"forkedFrom":{"sessionId":"s1","messageUuid":"v"}}
      """#
    let found = try entries(copy, copy, file: SessionKey(.claude, "s2"))
    #expect(
      found.filter(\.isCopy).allSatisfy { $0.session == SessionKey(.claude, "s1") })
    #expect(Transcript.prompts(found) == ["Go.", "Go."])
    let facts = found.filter { !$0.isCopy }.map(\.content)
    var fork = SessionFacts()
    (fork.folder, fork.forkedFrom) = ("/w", "s1")
    #expect(facts == [.facts(fork)])
  }

  @Test(arguments: [
    #"{"type":"user","isMeta":true,"message":{"role":"user","content":"x"}}"#,
    #"{"type":"user","message":{"role":"user","content":"<command-name>/model</command-name>"}}"#,
    #"{"type":"file-history-snapshot","snapshot":{}}"#,
    #"{"type":"system","subtype":"informational"}"#, " ",
    #"{"type":"assistant","message":{"model":"<synthetic>","id":"x","content":[]}}"#,
  ])
  func `lines of the agent itself are no entries`(line: String) throws {
    #expect(try entries(line) == [])
  }

  @Test func `compactions, interruptions and failures are told apart`() throws {
    let found = try entries(
      #"{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":9}}"#,
      #"{"type":"user","isCompactSummary":true,"message":{"content":"So far."}}"#,
      #"{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}"#,
      #"{"type":"assistant","isApiErrorMessage":true,"error":"rate_limit","message":{"content":[{"type":"text","text":"Slow."}]}}"#,
      #"{"type":"system","subtype":"turn_duration","durationMs":5}"#)
    #expect(
      found.map(\.content) == [
        .compaction(SessionCompaction(trigger: "auto", tokens: 9)),
        .compaction(SessionCompaction(summary: "So far.")), .turn(.interrupted),
        .failure(Failure(.rateLimited, "Slow.", kind: "rateLimit")), .turn(.ended),
      ])
  }

  @Test func `unknown kinds are counted, and the rest of their line is read`() throws {
    let found = try entries(
      #"{"type":"new-thing"}"#, #"{"type":"system","subtype":"new"}"#, "{", "[]",
      #"{"type":"user","message":{"content":[{"type":"smell"},{"type":"text","text":"Go."}]}}"#)
    #expect(Transcript.unknown(found) == ["new-thing", "system/new", "user/smell"])
    #expect(found.count { $0.content == .unreadable } == 2)
    #expect(Transcript.prompts(found) == ["Go."])
  }

  @Test func `a result is cut at its limit and says so`() throws {
    let line = { (text: String) in
      #"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":"\#(text)"},{"type":"image"}]}]}}"#
    }
    let limits = SessionLimits(text: 10, result: 10, arguments: 10)
    let cut = try entries(line("éééééééééééé"), limits: limits)
    let told = "[The result was cut: it has 20 characters; 10 are shown.]"
    #expect(
      cut.map(\.content) == [
        .result(SessionResult(call: "t", text: "éééééééééé\n\(told)", isError: true))
      ])
    let none = try entries(line("x"), limits: .noText)
    #expect(none.map(\.content) == [.result(SessionResult(call: "t", text: "", isError: true))])
  }

  @Test func `the title of a person comes before that of a model`() throws {
    var facts = SessionFacts()
    for entry in try entries(
      #"{"type":"custom-title","customTitle":"Mine"}"#, #"{"type":"ai-title","aiTitle":"Its"}"#)
    {
      if case .facts(let found) = entry.content { facts.update(found) }
    }
    #expect(facts.title == "Mine")
  }
}
