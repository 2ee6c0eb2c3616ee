import Catalogue
import Core

/// The counts of an Anthropic stream: the highest of each that was reported.
///
/// `message_start` tells the input and a first guess at the output, so that the counts are those of the
/// answer only once a `message_delta` has told the output.
struct AnthropicTokens: Sendable {
  private var counts: [String: WireCount] = [:]
  /// The output that was reported at the end of an answer, and `true` while none of it came after that.
  private var toldOutput = WireCount.absent
  private var isTold = false
  /// The terms that price the answer.
  private(set) var terms = ServiceTerms()

  /// Takes the counts that the `usage` of `message_start` tells; another start may have come before.
  mutating func start(_ usage: JSONObject?) {
    isTold = false
    if let usage { replace(by: usage) }
  }

  /// Takes the counts that the `usage` of a `message_delta` tells.
  mutating func finish(_ usage: JSONObject) {
    replace(by: usage)
    toldOutput.raise(to: usage.tokens("output_tokens"))
    isTold = isTold || usage.tokens("output_tokens").value != nil
  }

  /// More of the answer comes: the output of before is not all of it.
  mutating func goOn() { isTold = false }

  private mutating func replace(by usage: JSONObject) {
    terms.take(
      ServiceTerms(
        tier: usage.string("service_tier"), geography: usage.string("inference_geo"),
        speed: usage.string("speed")))
    let plain = [
      "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens",
    ]
    for name in plain { replace(name, by: usage) }
    if let written = usage.object("cache_creation") {
      replace("ephemeral_5m_input_tokens", by: written)
      replace("ephemeral_1h_input_tokens", by: written)
    }
    if let details = usage.object("output_tokens_details") {
      replace("thinking_tokens", by: details)
    }
  }

  private mutating func replace(_ name: String, by usage: JSONObject) {
    counts[name, default: .absent].raise(to: usage.tokens(name))
  }

  private func count(_ name: String) -> Int { counts[name]?.value ?? 0 }

  /// The counts of the whole answer in our form, where cache tokens are part of the input; nil when
  /// they were not told, or cannot be.
  var usage: Usage? {
    guard isTold, let told = toldOutput.value, !counts.values.contains(.impossible) else {
      return nil
    }
    let read = count("cache_read_input_tokens")
    let write1h = count("ephemeral_1h_input_tokens")
    // The parts may be reported to be more than their sum.
    let write = max(
      count("cache_creation_input_tokens"), write1h + count("ephemeral_5m_input_tokens"))
    let input = count("input_tokens") + read + write
    guard input > 0 else { return nil }
    let thinking = count("thinking_tokens")
    // No output at the end is no answer, whatever the guess at the start was.
    let output = told == 0 ? 0 : max(count("output_tokens"), thinking)
    return Usage(
      inputTokens: input, outputTokens: output, cacheReadTokens: read,
      cacheWriteTokens: write, cacheWrite1hTokens: write1h > 0 ? write1h : nil,
      reasoningTokens: thinking > 0 ? thinking : nil)
  }
}
