import Catalogue
import Core

/// The counts of an Anthropic stream, each replaced when it is told anew and kept when it is not.
///
/// `message_start` tells the input and a first guess at the output, so that the counts are those of the
/// answer only once a `message_delta` has told the output.
struct AnthropicTokens: Sendable {
  private var counts: [String: WireCount] = [:]
  /// Whether the output was told at the end of the answer.
  var isOutputTold = false
  /// The terms that price the answer.
  private(set) var terms = ServiceTerms()

  /// Takes the counts that the `usage` of `message_start` tells.
  mutating func start(_ usage: JSONObject) { replace(by: usage) }

  /// Takes the counts that the `usage` of a `message_delta` tells.
  mutating func finish(_ usage: JSONObject) {
    replace(by: usage)
    isOutputTold = isOutputTold || usage.tokens("output_tokens") != .absent
  }

  private mutating func replace(by usage: JSONObject) {
    terms.tier = usage.string("service_tier") ?? terms.tier
    terms.geography = usage.string("inference_geo") ?? terms.geography
    terms.speed = usage.string("speed") ?? terms.speed
    let plain = [
      "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens",
    ]
    for name in plain { replace(name, by: usage) }
    if let hour = usage.object("cache_creation") { replace("ephemeral_1h_input_tokens", by: hour) }
    if let details = usage.object("output_tokens_details") {
      replace("thinking_tokens", by: details)
    }
  }

  private mutating func replace(_ name: String, by usage: JSONObject) {
    let count = usage.tokens(name)
    if count != .absent { counts[name] = count }
  }

  private func count(_ name: String) -> Int { counts[name]?.value ?? 0 }

  /// The counts of the whole answer in our form, where cache tokens are part of the input; nil when
  /// they were not told, or cannot be.
  var usage: Usage? {
    guard isOutputTold, !counts.values.contains(.impossible) else { return nil }
    let read = count("cache_read_input_tokens")
    let write = count("cache_creation_input_tokens")
    let input = count("input_tokens") + read + write
    guard input > 0 else { return nil }
    let write1h = count("ephemeral_1h_input_tokens")
    let thinking = count("thinking_tokens")
    return Usage(
      inputTokens: input, outputTokens: count("output_tokens"), cacheReadTokens: read,
      cacheWriteTokens: write, cacheWrite1hTokens: write1h > 0 ? write1h : nil,
      reasoningTokens: thinking > 0 ? thinking : nil)
  }
}
