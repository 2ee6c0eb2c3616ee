public import Core

/// The counts of tokens in the forms of the agents.
///
/// In our form, input includes cached tokens, and output includes reasoning.
extension Usage {
  /// Creates the usage from counts in the form of Anthropic's API, whose input excludes cached
  /// tokens.
  public init(claude usage: JSONObject) {
    let hour = usage.object("cache_creation")?.tokens("ephemeral_1h_input_tokens") ?? 0
    self.init(
      uncached: usage.tokens("input_tokens") ?? 0,
      read: usage.tokens("cache_read_input_tokens") ?? 0,
      written: usage.tokens("cache_creation_input_tokens") ?? 0,
      output: usage.tokens("output_tokens") ?? 0)
    cacheWrite1hTokens = hour > 0 ? hour : nil
  }

  /// Creates the usage from a member of Claude Code's `modelUsage`.
  public init(claudeModel usage: JSONObject) {
    self.init(
      uncached: usage.tokens("inputTokens") ?? 0, read: usage.tokens("cacheReadInputTokens") ?? 0,
      written: usage.tokens("cacheCreationInputTokens") ?? 0,
      output: usage.tokens("outputTokens") ?? 0)
  }

  /// Creates the usage from counts in the form of Codex, whose input includes cached tokens.
  public init(codex usage: JSONObject) {
    self.init(
      inputTokens: usage.tokens("input_tokens") ?? 0,
      outputTokens: usage.tokens("output_tokens") ?? 0,
      cacheReadTokens: usage.tokens("cached_input_tokens") ?? 0,
      cacheWriteTokens: usage.tokens("cache_write_input_tokens") ?? 0,
      reasoningTokens: usage.tokens("reasoning_output_tokens"))
  }

  /// Creates the usage from counts in the form of Gemini CLI, whose output excludes thoughts.
  init(gemini usage: JSONObject) {
    let thoughts = usage.tokens("thoughts")
    let output = Usage(outputTokens: usage.tokens("output") ?? 0)
    self.init(
      inputTokens: usage.tokens("input") ?? 0,
      outputTokens: (output + Usage(outputTokens: thoughts ?? 0)).outputTokens,
      cacheReadTokens: usage.tokens("cached") ?? 0, reasoningTokens: thoughts)
  }

  /// Creates the usage from counts in the form of OpenCode, whose parts are disjoint.
  init(openCode usage: JSONObject) {
    let (cache, reasoning) = (usage.object("cache"), usage.tokens("reasoning"))
    let output = Usage(outputTokens: usage.tokens("output") ?? 0)
    self.init(
      uncached: usage.tokens("input") ?? 0, read: cache?.tokens("read") ?? 0,
      written: cache?.tokens("write") ?? 0,
      output: (output + Usage(outputTokens: reasoning ?? 0)).outputTokens)
    reasoningTokens = reasoning
  }

  private init(uncached: Int, read: Int, written: Int, output: Int) {
    let input = Usage(inputTokens: uncached) + Usage(inputTokens: read)
    let all = input + Usage(inputTokens: written)
    self.init(
      inputTokens: all.inputTokens, outputTokens: output, cacheReadTokens: read,
      cacheWriteTokens: written)
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
