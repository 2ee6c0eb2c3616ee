import Catalogue
import Core

/// The token counts of an Anthropic stream.
///
/// Each count is the highest that was reported. `message_start` reports the input and only an
/// estimate of the output. The counts are therefore complete only after a `message_delta` has
/// reported the output.
struct AnthropicTokens: Sendable {
  private var counts: [String: TokenCount] = [:]
  /// The output tokens reported at the end of the answer.
  ///
  /// `isFinal` is `true` if no more of the answer came after that report.
  private var reportedOutput = TokenCount.absent
  private var isFinal = false
  /// The terms of service that determine the price of the answer.
  private(set) var terms = ServiceTerms()

  /// Stores the counts in the `usage` of `message_start`, which may occur more than once.
  mutating func start(_ usage: JSONObject?) {
    isFinal = false
    if let usage { replace(by: usage) }
  }

  /// Stores the counts in the `usage` of `message_delta`.
  mutating func finish(_ usage: JSONObject) {
    replace(by: usage)
    reportedOutput.raise(to: usage.tokens("output_tokens"))
    isFinal = isFinal || usage.tokens("output_tokens").value != nil
  }

  /// Marks the output count as incomplete, since more of the answer follows.
  mutating func goOn() { isFinal = false }

  private mutating func replace(by usage: JSONObject) {
    terms.merge(
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

  /// The counts of the complete answer, with cache tokens as part of the input; nil if they are
  /// missing or impossible.
  var usage: Usage? {
    guard isFinal, let reported = reportedOutput.value, !counts.values.contains(.impossible) else {
      return nil
    }
    let read = count("cache_read_input_tokens")
    let write1h = count("ephemeral_1h_input_tokens")
    // The reported parts may exceed their reported sum.
    let write = max(
      count("cache_creation_input_tokens"), write1h + count("ephemeral_5m_input_tokens"))
    let input = count("input_tokens") + read + write
    guard input > 0 else { return nil }
    let thinking = count("thinking_tokens")
    // If the output is 0 at the end, there is no answer, whatever the estimate at the start was.
    let output = reported == 0 ? 0 : max(count("output_tokens"), thinking)
    return Usage(
      inputTokens: input, outputTokens: output, cacheReadTokens: read,
      cacheWriteTokens: write, cacheWrite1hTokens: write1h > 0 ? write1h : nil,
      reasoningTokens: thinking > 0 ? thinking : nil)
  }
}
