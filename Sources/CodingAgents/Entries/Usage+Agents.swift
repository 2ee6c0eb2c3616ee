public import Core

/// The counts of tokens in the forms of the agents.
///
/// In our form, input includes cached tokens, and output includes reasoning.
extension Usage {
  /// The largest plausible sum of the tokens of many calls.
  private static let largestSum = 1_000_000_000_000

  /// Creates the usage from counts in the form of Anthropic's API, whose input excludes cached
  /// tokens.
  public init?(claude usage: JSONObject) {
    self.init(
      input: usage.tokens("input_tokens"), output: usage.tokens("output_tokens"),
      read: usage.tokens("cache_read_input_tokens"),
      written: usage.tokens("cache_creation_input_tokens"),
      hour: usage.object("cache_creation")?.tokens("ephemeral_1h_input_tokens") ?? .absent,
      isInputUncached: true)
  }

  /// Creates the usage from a member of Claude Code's `modelUsage`.
  public init?(claudeModel usage: JSONObject) {
    self.init(
      input: usage.tokens("inputTokens", atMost: Self.largestSum),
      output: usage.tokens("outputTokens", atMost: Self.largestSum),
      read: usage.tokens("cacheReadInputTokens", atMost: Self.largestSum),
      written: usage.tokens("cacheCreationInputTokens", atMost: Self.largestSum),
      hour: usage.tokens("cacheCreationEphemeral1hInputTokens", atMost: Self.largestSum),
      isInputUncached: true)
  }

  /// Creates the usage from counts in the form of Codex, whose input includes cached tokens.
  ///
  /// They cover one call, or all calls of a thread if `isSum` is `true`.
  public init?(codex usage: JSONObject, isSum: Bool = false) {
    let most = isSum ? Self.largestSum : TokenCount.largest
    self.init(
      input: usage.tokens("input_tokens", atMost: most),
      output: usage.tokens("output_tokens", atMost: most),
      read: usage.tokens("cached_input_tokens", atMost: most),
      written: usage.tokens("cache_write_input_tokens", atMost: most),
      reasoning: usage.tokens("reasoning_output_tokens", atMost: most))
  }

  /// Creates the usage from counts in the form of Gemini CLI, whose output excludes thoughts.
  init?(gemini usage: JSONObject) {
    self.init(
      input: usage.tokens("input"), output: usage.tokens("output"), read: usage.tokens("cached"),
      reasoning: usage.tokens("thoughts"), isOutputAnswer: true)
  }

  /// Creates the usage from counts in the form of OpenCode, whose parts are disjoint.
  public init?(openCode usage: JSONObject) {
    let cache = usage.object("cache")
    self.init(
      input: usage.tokens("input"), output: usage.tokens("output"),
      read: cache?.tokens("read") ?? .absent, written: cache?.tokens("write") ?? .absent,
      reasoning: usage.tokens("reasoning"), isInputUncached: true, isOutputAnswer: true)
  }

  /// Returns the increase since the given earlier usage; nil if a count decreased.
  ///
  /// Not all versions report tokens written to a cache and reasoning, so these may decrease.
  public func grown(since before: Usage) -> Usage? {
    guard inputTokens >= before.inputTokens, outputTokens >= before.outputTokens,
      cacheReadTokens >= before.cacheReadTokens
    else { return nil }
    let reasoning = (reasoningTokens ?? 0) - (before.reasoningTokens ?? 0)
    let hour = (cacheWrite1hTokens ?? 0) - (before.cacheWrite1hTokens ?? 0)
    return Usage(
      inputTokens: inputTokens - before.inputTokens,
      outputTokens: outputTokens - before.outputTokens,
      cacheReadTokens: cacheReadTokens - before.cacheReadTokens,
      cacheWriteTokens: max(0, cacheWriteTokens - before.cacheWriteTokens),
      cacheWrite1hTokens: hour > 0 ? hour : nil,
      reasoningTokens: reasoningTokens == nil ? nil : max(0, reasoning))
  }

  /// `true` if all counts are 0.
  var isEmpty: Bool {
    inputTokens == 0 && outputTokens == 0 && cacheReadTokens == 0 && cacheWriteTokens == 0
  }
}
