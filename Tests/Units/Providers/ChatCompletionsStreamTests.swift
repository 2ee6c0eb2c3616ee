import Catalogue
import Core
import HTTP
import TestSupport
import Testing

@testable import Providers

struct ChatCompletionsStreamTests {
  private func decode(_ data: [String]) -> Decoded {
    Decoded([Array(data.map { "data: \($0)\n\n" }.joined().utf8)], with: ChatCompletionsStream())
  }

  private func chunk(_ delta: String, finish: String = "null") -> String {
    #"{"model":"m","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish)}]}"#
  }

  @Test func `a stream without done and without usage is whole by its finish reason`() {
    let decoded = decode([chunk(#"{"content":"Hi"}"#), chunk("{}", finish: #""stop""#)])
    #expect(decoded.answer?.text == "Hi")
    #expect(decoded.answer?.usage == nil)
    #expect(decoded.failure == nil)
  }

  @Test func `done without a finish reason is a cut`() {
    let decoded = decode([chunk(#"{"content":"Hi"}"#), "[DONE]"])
    #expect(decoded.failure?.kind == "cut")
  }

  @Test func `the usage after the finish reason is the answer's`() {
    let usage = """
      {"choices":[],"usage":{"prompt_tokens":16,"completion_tokens":30,"total_tokens":46,\
      "prompt_tokens_details":{"cached_tokens":6},"completion_tokens_details":{"reasoning_tokens":9}}}
      """
    let decoded = decode([chunk(#"{"content":"Hi"}"#, finish: #""length""#), usage, "[DONE]"])
    #expect(
      decoded.answer?.usage
        == Usage(inputTokens: 16, outputTokens: 30, cacheReadTokens: 6, reasoningTokens: 9))
    #expect(decoded.answer?.stopReason == "length")
  }

  @Test(
    arguments: [
      #""prompt_tokens":-1"#, #""prompt_tokens":"16""#, #""completion_tokens":1e300"#,
      #""completion_tokens":0,"total_tokens":16"#, #""completion_tokens":true"#,
      #""prompt_tokens_details":{"cached_tokens":17}"#, #""prompt_tokens":0"#,
      #""completion_tokens_details":{"reasoning_tokens":31}"#,
    ])
  func `counts that cannot be are no usage`(counts: String) {
    let usage = """
      {"choices":[],"usage":{"prompt_tokens":16,"completion_tokens":30,\(counts)}}
      """
    let decoded = decode([chunk(#"{"content":"Hi"}"#, finish: #""stop""#), usage, "[DONE]"])
    #expect(decoded.answer?.text == "Hi")
    #expect(decoded.answer?.usage == nil)
    #expect(decoded.usage == nil)
  }

  @Test func `a count in the middle of an answer is not that of its end`() {
    let early = #"{"choices":[],"usage":{"prompt_tokens":16,"completion_tokens":1}}"#
    let late = #"{"choices":[],"usage":{"prompt_tokens":16,"completion_tokens":30}}"#
    let parts = [chunk(#"{"content":"Hi"}"#), early]
    #expect(decode(parts).usage == nil)
    let more = parts + [chunk(#"{"content":" you"}"#)]
    #expect(decode(more).usage == nil)
    let end = chunk("{}", finish: #""stop""#)
    #expect(decode(more + [end, "[DONE]"]).answer?.usage == nil)
    #expect(decode(more + [late, end, "[DONE]"]).usage?.outputTokens == 30)
    #expect(decode(more + [end, late]).usage?.outputTokens == 30)
    // Neither is one before the end that is no end.
    #expect(decode(parts + [end, early, chunk(#"{"content":" you"}"#)]).usage == nil)
    let impossible = #"{"choices":[],"usage":{"prompt_tokens":16,"completion_tokens":-1}}"#
    #expect(decode(more + [end, late, impossible, "[DONE]"]).answer?.usage == nil)
    let calls = chunk(#"{"tool_calls":[]}"#)
    #expect(decode(more + [end, late, calls, "[DONE]"]).answer?.usage?.outputTokens == 30)
  }

  private func report(_ input: Int, _ output: Int, cached: Int = 0) -> String {
    #"{"choices":[],"usage":{"prompt_tokens":\#(input),"completion_tokens":\#(output),"#
      + #""prompt_tokens_details":{"cached_tokens":\#(cached)}}}"#
  }

  @Test(arguments: [
    (100_000, 50_000, 200_000), (100_000, -50_000, 0), (-1, 50_000, 0), (0, 50_000, 1),
  ])
  func `counts that cannot be make the usage unknown, whatever follows`(
    _ input: Int, _ output: Int, _ cached: Int
  ) {
    let bad = report(input, output, cached: cached)
    let end = chunk(#"{"content":"Hi"}"#, finish: #""stop""#)
    for stream in [[bad, end], [end, bad]] {
      let decoded = decode(stream + [report(1, 1), report(1, 1), "[DONE]"])
      #expect(decoded.answer?.text == "Hi")
      #expect(decoded.answer?.usage == nil && decoded.usage == nil)
    }
  }

  @Test func `the highest counts stand`() {
    let end = chunk(#"{"content":"Hi"}"#, finish: #""stop""#)
    for (first, usage) in [
      (report(0, 0), Usage(inputTokens: 3, outputTokens: 2)),
      (#"{"choices":[],"usage":{}}"#, Usage(inputTokens: 3, outputTokens: 2)),
      (report(0, 50_000), Usage(inputTokens: 3, outputTokens: 50_000)),
      (report(100, 7, cached: 60), Usage(inputTokens: 100, outputTokens: 7, cacheReadTokens: 60)),
    ] {
      #expect(decode([first, end, report(3, 2), "[DONE]"]).answer?.usage == usage)
      #expect(decode([end, first, report(3, 2), "[DONE]"]).usage == usage)
      #expect(decode([end, report(3, 2), first, "[DONE]"]).usage == usage)
    }
  }

  @Test func `a refusal after the last count is in no count`() {
    let refusal = chunk(#"{"refusal":"No."}"#, finish: #""stop""#)
    #expect(decode([report(1, 1), refusal, "[DONE]"]).usage == nil)
  }

  @Test func `tiers that contradict each other stay contradictory`() {
    func terms(_ tiers: [String]) -> ServiceTerms {
      decode(
        tiers.map { #"{"choices":[],"service_tier":"\#($0)"}"# }
          + [chunk(#"{"content":"Hi"}"#, finish: #""stop""#), "[DONE]"]
      ).terms
    }
    #expect(terms(["auto", "default", "default"]) == ServiceTerms(tier: "default"))
    #expect(terms(["flex", "flex"]) == ServiceTerms(tier: "flex"))
    #expect(terms(["default", "flex"]) != ServiceTerms(tier: "flex"))
    #expect(terms(["flex", "default"]) != ServiceTerms(tier: "default"))
  }

  @Test func `what only the total counts was answered`() {
    let usage = """
      {"choices":[],"usage":{"prompt_tokens":16,"completion_tokens":30,"total_tokens":146}}
      """
    let decoded = decode([chunk(#"{"content":"Hi"}"#, finish: #""stop""#), usage, "[DONE]"])
    #expect(decoded.answer?.usage == Usage(inputTokens: 16, outputTokens: 130))
  }

  @Test func `Azure's first chunk without choices adds nothing`() {
    let first = #"{"choices":[],"id":"","model":"","created":0,"prompt_filter_results":[]}"#
    let decoded = decode([first, chunk(#"{"content":"Hi"}"#, finish: #""stop""#)])
    #expect(decoded.answer?.text == "Hi")
    #expect(decoded.answer?.model == "m")
  }

  @Test func `tool calls are merged by their index, wherever it starts`() {
    let decoded = decode([
      chunk(#"{"content":null,"tool_calls":[{"index":1,"function":{"name":"f","arguments":""}}]}"#),
      chunk(#"{"tool_calls":[{"index":2,"id":7,"function":{"name":"g"}}]}"#),
      chunk(#"{"tool_calls":[{"index":1,"function":{"name":"f","arguments":"{\"a\""}}]}"#),
      chunk(
        #"{"tool_calls":[{"index":1,"function":{"arguments":":1}"}}]}"#, finish: #""tool_calls""#),
    ])
    #expect(
      decoded.answer?.toolCalls == [
        ModelAnswer.ToolRequest(id: "", name: "f", arguments: #"{"a":1}"#),
        ModelAnswer.ToolRequest(id: "7", name: "g", arguments: "{}"),
      ])
  }

  @Test(
    arguments: [
      (#"{"type":"server_error","message":"Oh"}"#, FailureCode.serverError),
      (#"{"code":429,"message":"Oh"}"#, .rateLimited), (#"{"code":502}"#, .serverError),
      (#"{"type":"insufficient_quota","code":null}"#, .quotaExhausted),
      (#"{"type":"invalid_request_error","code":"invalid_api_key"}"#, .missingAPIKey),
      (#"{"code":"server_is_overloaded"}"#, .overloaded), (#""Oh""#, .serverError),
    ])
  func `an error inside the stream is its own failure`(error: String, code: FailureCode) {
    let decoded = decode([chunk(#"{"content":"Hi"}"#), #"{"error":\#(error)}"#])
    #expect(decoded.failure?.code == code)
  }

  @Test func `a refusal and a content filter are failures, with the usage told`() {
    let usage = #"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#
    let refusal = decode([
      chunk(#"{"refusal":"No."}"#), chunk("{}", finish: #""stop""#), usage, "[DONE]",
    ])
    #expect(refusal.failure?.code == .modelRefused)
    #expect(refusal.usage == Usage(inputTokens: 1, outputTokens: 2))
    let filter = decode([chunk("{}", finish: #""content_filter""#), usage, "[DONE]"])
    #expect(filter.failure?.kind == "contentFilter")
    #expect(filter.usage == Usage(inputTokens: 1, outputTokens: 2))
  }

  @Test(arguments: ["", "\n", "\n\n"])
  func `an answer that is cut behind its finish reason is whole`(_ end: String) throws {
    var decoder = EventStreamDecoder(ChatCompletionsStream())
    let chunk = #"data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#
    var pieces = 0
    try decoder.read(Array((chunk + end).utf8)) { _ in pieces += 1 }
    try decoder.readLast { _ in pieces += 1 }
    #expect(decoder.stream.isWhole && pieces == 1)
  }
}
