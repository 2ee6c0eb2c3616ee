import Catalogue
import Core
import HTTP
import TestSupport
import Testing

@testable import Providers

struct AnthropicStreamTests {
  private static let start = """
    {"type":"message_start","message":{"model":"claude-x","usage":{"input_tokens":12,\
    "cache_creation_input_tokens":5,"cache_read_input_tokens":3,"output_tokens":1,\
    "cache_creation":{"ephemeral_1h_input_tokens":2}}}}
    """
  private static let block =
    #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#
  private static let hello =
    #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#
  private static let stop = #"{"type":"message_stop"}"#

  private func decode(_ data: [String]) -> Decoded {
    Decoded([Array(data.map { "data: \($0)\n\n" }.joined().utf8)], with: AnthropicStream())
  }

  @Test func `the input counts of the start stay where the end tells only the output`() {
    let end =
      #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}"#
    let decoded = decode([Self.start, Self.block, Self.hello, end, Self.stop])
    #expect(
      decoded.answer?.usage
        == Usage(
          inputTokens: 20, outputTokens: 9, cacheReadTokens: 3, cacheWriteTokens: 5,
          cacheWrite1hTokens: 2))
    #expect(decoded.answer?.stopReason == "end_turn")
  }

  @Test func `the token limit ends a whole answer`() {
    let end = #"{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}"#
    #expect(decode([Self.start, Self.block, Self.hello, end, Self.stop]).answer?.text == "Hello")
  }

  @Test func `a stream without its stop is cut, and what its start guessed is no usage`() {
    let decoded = decode([Self.start, Self.block, Self.hello])
    #expect(decoded.failure?.code == .invalidResponse)
    #expect(decoded.failure?.kind == "cut")
    #expect(decoded.usage == nil)
  }

  @Test func `a stream that is cut after its reason to stop is whole`() {
    let early = #"{"type":"message_delta","delta":{},"usage":{"output_tokens":4}}"#
    #expect(decode([Self.start, Self.block, Self.hello, early]).usage == nil)
    let end =
      #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}"#
    let decoded = decode([Self.start, Self.block, Self.hello, early, end])
    #expect(decoded.failure == nil && decoded.answer?.text == "Hello")
    #expect(decoded.usage?.outputTokens == 9)
    let refusal = #"{"type":"message_delta","delta":{"stop_reason":"refusal"}}"#
    #expect(decode([Self.start, refusal]).failure?.kind == "cut")
    #expect(decode([Self.start, Self.block, Self.hello, end, Self.hello]).usage == nil)
    let bad =
      #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":-9}}"#
    #expect(decode([Self.start, Self.block, Self.hello, end, bad, Self.stop]).usage == nil)
  }

  @Test func `a whole answer whose output nobody counted has no usage`() {
    let end = #"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#
    let decoded = decode([Self.start, Self.block, Self.hello, end, Self.stop])
    #expect(decoded.answer?.text == "Hello")
    #expect(decoded.answer?.usage == nil)
    #expect(decoded.usage == nil)
  }

  @Test(
    arguments: [
      #""output_tokens":-1"#, #""output_tokens":1e12"#, #""output_tokens":"9""#,
      #""output_tokens":1.5"#, #""output_tokens":true"#, #""output_tokens":[9]"#,
      #""output_tokens":0"#, #""output_tokens":9,"input_tokens":-20"#,
      #""output_tokens":9,"cache_read_input_tokens":"3""#,
    ])
  func `counts that cannot be are no usage`(counts: String) {
    let end =
      #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{\#(counts)}}"#
    let decoded = decode([Self.start, Self.block, Self.hello, end, Self.stop])
    #expect(decoded.answer?.text == "Hello")
    #expect(decoded.answer?.usage == nil)
    #expect(decoded.usage == nil)
  }

  private static func end(_ usage: String) -> String {
    #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{\#(usage)}}"#
  }

  @Test(arguments: [
    #"{"type":"thinking_delta","thinking":"Hm."}"#,
    #"{"type":"input_json_delta","partial_json":"{}"}"#, #"{"type":"text_delta","text":"Hi"}"#,
    #"{"type":"signature_delta","signature":"s"}"#,
  ])
  func `output that comes after the last count is in no count`(_ delta: String) {
    let starts = [
      #"{"type":"text","text":""}"#, #"{"type":"thinking","thinking":""}"#,
      #"{"type":"tool_use","id":"t","name":"f","input":{}}"#,
    ]
    let blocks = starts.enumerated().map {
      #"{"type":"content_block_start","index":\#($0.offset),"content_block":\#($0.element)}"#
    }
    let more = starts.indices.map {
      #"{"type":"content_block_delta","index":\#($0),"delta":\#(delta)}"#
    }
    let counted = [Self.start] + blocks + [Self.end(#""output_tokens":9"#)]
    #expect(decode(counted).usage?.outputTokens == 9)
    #expect(decode(counted + more).usage == nil)
    #expect(decode(counted + more + [Self.stop]).answer?.usage == nil)
    let again = [Self.end(#""output_tokens":5"#), Self.stop]
    #expect(decode(counted + more + again).usage?.outputTokens == 9)
  }

  @Test func `the highest counts stand`() throws {
    let second = """
      {"type":"message_start","message":{"model":"claude-x","usage":{"input_tokens":1,\
      "cache_read_input_tokens":1,"output_tokens":1}}}
      """
    let parts = #""cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":2}"#
    let whole = Usage(
      inputTokens: 12 + 3 + 42, outputTokens: 90, cacheReadTokens: 3, cacheWriteTokens: 42,
      cacheWrite1hTokens: 2)
    for stream in [
      [
        Self.start, second, Self.end(#""output_tokens":90,\#(parts)"#),
        Self.end(#""output_tokens":4"#),
      ],
      [
        Self.start, Self.end(#""output_tokens":90,\#(parts)"#), second,
        Self.end(#""output_tokens":0"#),
      ],
    ] {
      #expect(decode(stream + [Self.block, Self.stop]).usage == whole)
    }
  }

  @Test(arguments: [
    (#""service_tier":"standard""#, #""service_tier":"batch""#, true),
    (#""service_tier":"batch""#, #""service_tier":"standard""#, true),
    (#""service_tier":"auto""#, #""service_tier":"standard""#, false),
    (#""service_tier":"batch""#, #""output_tokens":1"#, false),
    (#""inference_geo":"us""#, #""inference_geo":"global""#, true),
    (#""inference_geo":"not_available""#, #""inference_geo":"global""#, false),
    (#""speed":"fast""#, #""speed":"standard""#, true),
  ])
  func `terms that contradict each other have no price`(
    _ first: String, _ last: String, _ isContradiction: Bool
  ) throws {
    let start = #"{"type":"message_start","message":{"usage":{"input_tokens":9,\#(first)}}}"#
    let end = Self.end(#""output_tokens":9,\#(last)"#)
    let decoded = decode([start, Self.block, Self.hello, end, Self.stop])
    let prices = try #require(Catalogue.builtIn.facts("anthropic", "claude-opus-5-5").prices)
    let cost = prices.cost(of: try #require(decoded.usage), on: .today, terms: decoded.terms)
    #expect((cost == nil) == isContradiction)
  }

  @Test(arguments: [
    ("", true), ("event: ping\n", true), ("event: content_block_delta\n", true),
    ("event: of_tomorrow\n", false),
  ])
  func `an event that is garbled ends the answer, unless nobody knows its name`(
    _ name: String, _ isFailure: Bool
  ) {
    let events = [Self.start, Self.block].map { "data: \($0)\n\n" }.joined()
    let rest = [Self.hello, Self.stop].map { "data: \($0)\n\n" }.joined()
    let bytes = Array((events + name + "data: {\"type\"\n\n" + rest).utf8)
    let decoded = Decoded([bytes], with: AnthropicStream())
    #expect((decoded.failure?.kind == "malformed") == isFailure)
    #expect((decoded.answer == nil) == isFailure)
  }

  @Test func `a second start voids what came before`() {
    let decoded = decode([
      Self.start, Self.block, Self.hello, Self.start, Self.block, Self.hello, Self.stop,
    ])
    #expect(decoded.restarts == 1)
    #expect(decoded.answer?.text == "Hello")
    #expect(decoded.text == "Hello")
  }

  @Test func `a refusal is a failure whose usage is told first`() {
    let end =
      #"{"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{"output_tokens":4}}"#
    let decoded = decode([Self.start, end, Self.stop])
    #expect(decoded.failure?.code == .modelRefused)
    #expect(decoded.usage?.outputTokens == 4)
  }

  @Test(
    arguments: [
      ("overloaded_error", FailureCode.overloaded), ("rate_limit_error", .rateLimited),
      ("api_error", .serverError), ("authentication_error", .missingAPIKey),
      ("billing_error", .quotaExhausted), ("permission_error", .permissionDenied),
      ("not_found_error", .notFound), ("invalid_request_error", .badInput),
      ("timeout_error", .timeout), ("something_new", .serverError),
    ])
  func `an error inside the stream is its type's failure`(type: String, code: FailureCode) {
    let error = #"{"type":"error","error":{"details":null,"type":"\#(type)","message":"Oh"}}"#
    let decoded = decode([Self.start, Self.block, Self.hello, error])
    #expect(decoded.failure?.code == code)
    #expect(decoded.failure?.cause == "Oh")
    #expect(decoded.failure?.status == nil)
    #expect(decoded.usage == nil)
  }

  @Test func `what is unknown is ignored`() {
    let unknown = [
      #"{"type":"ping"}"#, #"{"type":"future","index":{}}"#, "{}",
      #"{"type":"content_block_start","index":7,"content_block":{"type":"future"}}"#,
      #"{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"no"}}"#,
      #"{"type":"content_block_delta","index":0,"delta":{"type":"future_delta","text":"no"}}"#,
    ]
    let decoded = decode([Self.start, Self.block] + unknown + [Self.hello, Self.stop])
    #expect(decoded.answer?.text == "Hello")
  }

  @Test(arguments: ["1e999", "-5", "9223372036854775808", "1.5", "true", "\"7\"", "null", "[]"])
  func `numbers of any kind are no trap`(number: String) {
    let start = """
      {"type":"message_start","message":{"usage":{"input_tokens":\(number),"output_tokens":1,\
      "cache_read_input_tokens":9223372036854775807}}}
      """
    let block =
      #"{"type":"content_block_start","index":\#(number),"content_block":{"type":"text"}}"#
    _ = decode([start, block, Self.stop])
  }

  @Test func `random bytes are no trap`() {
    var generator = SeededRandom(seed: 3)
    let whole = [Self.start, Self.block, Self.hello, Self.stop].map { "data: \($0)\n\n" }.joined()
    for _ in 0..<300 {
      var bytes = Array(whole.utf8)
      for _ in 0..<5 {
        bytes[Int.random(in: bytes.indices, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      _ = Decoded([bytes], with: AnthropicStream())
      _ = Decoded([bytes], with: ChatCompletionsStream())
    }
  }
}
