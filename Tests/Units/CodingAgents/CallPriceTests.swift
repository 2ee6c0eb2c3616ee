import CodingAgents
import Core
import Testing

/// The counts of calls that cannot be, and the terms that set a price.
struct CallPriceTests {
  private static let key = SessionKey(.claude, "s1")

  /// The call of an answer with the given members of its usage.
  private func call(_ usage: String?) throws -> SessionCall {
    let usage = usage.map { #","usage":{\#($0)}"# } ?? ""
    let line =
      #"{"type":"assistant","sessionId":"s1","cwd":"/w","timestamp":"2026-11-28T10:00:00.000Z","#
      + #""message":{"id":"m1","model":"claude-opus-5-5","content":[]\#(usage)}}"#
    let entries = try Transcript.entries(
      of: [line], ClaudeTranscript(Self.key, limits: .noText))
    return try #require(
      entries.compactMap { entry in
        if case .call(let call) = entry.content { call } else { nil }
      }.first)
  }

  private func price(_ usage: String?) throws -> Double? {
    try call(usage).price(
      by: .claude, at: #require(Timestamp(iso8601: "2026-11-28T10:00:00.000Z")))
  }

  private static let million = #""input_tokens":1000000,"output_tokens":0"#

  @Test(arguments: [
    nil, "", #""input_tokens":10"#, #""output_tokens":10"#,
    #""input_tokens":-10,"output_tokens":1"#, #""input_tokens":"10","output_tokens":1"#,
    #""input_tokens":10,"output_tokens":150000000000"#, #""input_tokens":1.5,"output_tokens":1"#,
    #""input_tokens":10,"output_tokens":1,"cache_read_input_tokens":-1"#,
    #""input_tokens":10,"output_tokens":1,"cache_creation_input_tokens":"x""#,
  ])
  func `a call whose counts cannot be has no counts and no price`(_ usage: String?) throws {
    #expect(try call(usage).usage == nil)
    #expect(try price(usage) == nil)
  }

  @Test(arguments: [
    ("", 4), (#","service_tier":"standard","inference_geo":"global","speed":"standard""#, 4),
    (#","service_tier":null,"inference_geo":"""#, 4), (#","inference_geo":"us""#, 4.4),
    (#","speed":"fast""#, 8), (#","service_tier":"batch""#, 2),
    (#","service_tier":"gold""#, nil), (#","inference_geo":"moon""#, nil),
    (#","server_tool_use":{"web_search_requests":0}"#, 4),
    (#","server_tool_use":{"web_search_requests":2}"#, nil),
  ])
  func `the terms that an answer names set its price`(_ terms: String, _ cost: Double?) throws {
    #expect(try price(Self.million + terms) == cost)
  }

  @Test func `counts that cannot be are unknown in the files of all agents`() throws {
    func calls<Parser: TranscriptParser>(_ lines: [String], _ parser: Parser) throws -> [Usage?] {
      Transcript.calls(try Transcript.entries(of: lines, parser)).map(\.value.usage)
    }
    let codex = SessionKey(.codex, "t1")
    #expect(
      try calls(
        [
          #"{"type":"session_meta","payload":{"id":"t1","cwd":"/w"}}"#,
          #"{"type":"token_usage_record","payload":{"thread_id":"t1","response_id":"r","usage":{"input_tokens":-5,"output_tokens":1}}}"#,
        ], CodexTranscript(codex, limits: .noText)) == [nil])
    #expect(
      try calls(
        [
          #"{"id":"m","type":"gemini","model":"g","content":"x","tokens":{"input":"5","output":1}}"#
        ], GeminiTranscript(SessionKey(.gemini, "g"), limits: .noText)) == [nil])
    let message = OpenCodeTranscript.Message(
      id: "m", sessionId: "s", created: nil,
      data: Array(
        #"{"role":"assistant","modelID":"x","cost":-1,"tokens":{"input":1e300,"output":1}}"#.utf8))
    let found = OpenCodeTranscript(limits: .noText).entries(of: message)
    let entry = Transcript.calls(found).values.first
    #expect(entry != nil && entry?.usage == nil && entry?.costUSD == nil)
  }

  @Test func `the sums of a process have its session, and the time of the line before`() throws {
    let first =
      #"{"type":"queue-operation","operation":"enqueue","sessionId":"s1","timestamp":"2026-11-28T10:00:00.000Z"}"#
    let copied =
      #"{"type":"assistant","sessionId":"s1","cwd":"/w","version":"2.1.332","timestamp":"2026-11-28T09:00:00.000Z","message":{"id":"m0","model":"opus","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#
    let total =
      #"{"type":"cost-state","sessionId":"s1","modelUsage":{"opus[1m]":{"inputTokens":10,"outputTokens":2,"cacheReadInputTokens":5,"cacheCreationInputTokens":1,"costUSD":0.30000000000000004}},"hasUnknownModelCost":false}"#
    func totals(_ line: String) throws -> [SessionEntry] {
      try Transcript.entries(
        of: [first, copied, line], ClaudeTranscript(Self.key, limits: .noText))
    }
    let found = try totals(total)
    #expect(
      found.filter(\.isCopy).count { if case .call = $0.content { true } else { false } } == 1)
    let usage = Usage(inputTokens: 16, outputTokens: 2, cacheReadTokens: 5, cacheWriteTokens: 1)
    let expected = SessionTotal(["opus": SessionTotal.Sum(usage, costUSD: 0.3)])
    #expect(
      found.last
        == SessionEntry(
          Self.key, .total(expected), at: Timestamp(iso8601: "2026-11-28T10:00:00.000Z")))
    let unknown = try totals(total.replacing("Cost\":false", with: "Cost\":true"))
    if case .total(let total)? = unknown.last?.content { #expect(total.all.costUSD == nil) }
    let broken = try totals(total.replacing(":10", with: ":-10"))
    #expect(broken.last?.content == .unknown("cost-state"))
    let states = found.compactMap { entry in
      if case .facts(let facts) = entry.content { facts.statesTotals } else { nil }
    }
    #expect(states == [true])
  }
}
