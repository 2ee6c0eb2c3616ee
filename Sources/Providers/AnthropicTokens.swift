import Core

/// The counts of an Anthropic stream, each replaced when it is told anew and kept when it is not.
struct AnthropicTokens: Sendable {
  private var plainInput: Int?
  private var cacheWrite: Int?
  private var cacheRead: Int?
  private var cacheWrite1h: Int?
  private var output: Int?
  private var reasoning: Int?

  /// Takes the counts that a `usage` object tells.
  mutating func replace(by usage: WireObject) {
    plainInput = usage.count("input_tokens") ?? plainInput
    cacheWrite = usage.count("cache_creation_input_tokens") ?? cacheWrite
    cacheRead = usage.count("cache_read_input_tokens") ?? cacheRead
    cacheWrite1h =
      usage.object("cache_creation")?.count("ephemeral_1h_input_tokens") ?? cacheWrite1h
    output = usage.count("output_tokens") ?? output
    reasoning = usage.object("output_tokens_details")?.count("thinking_tokens") ?? reasoning
  }

  /// The counts in our form, where cache tokens are part of the input; nil when none was told.
  var usage: Usage? {
    guard plainInput != nil || output != nil else { return nil }
    let cache = Usage(inputTokens: cacheRead ?? 0) + Usage(inputTokens: cacheWrite ?? 0)
    let input = Usage(inputTokens: plainInput ?? 0) + cache
    return Usage(
      inputTokens: input.inputTokens, outputTokens: output ?? 0,
      cacheReadTokens: cacheRead ?? 0, cacheWriteTokens: cacheWrite ?? 0,
      cacheWrite1hTokens: (cacheWrite1h ?? 0) > 0 ? cacheWrite1h : nil,
      reasoningTokens: (reasoning ?? 0) > 0 ? reasoning : nil)
  }
}
