public import Core

/// The counts of tokens in the forms of the agents.
///
/// In our form, input includes cached tokens, and output includes reasoning.
extension Usage {
  /// Creates the usage from counts in the form of Anthropic's API, whose input excludes cached
  /// tokens.
  public init(claude usage: JSONObject) {
    let hour = usage.object("cache_creation")?.count("ephemeral_1h_input_tokens") ?? 0
    self.init(
      uncached: usage.count("input_tokens") ?? 0,
      read: usage.count("cache_read_input_tokens") ?? 0,
      written: usage.count("cache_creation_input_tokens") ?? 0,
      output: usage.count("output_tokens") ?? 0)
    cacheWrite1hTokens = hour > 0 ? hour : nil
  }

  /// Creates the usage from a member of Claude Code's `modelUsage`.
  public init(claudeModel usage: JSONObject) {
    self.init(
      uncached: usage.count("inputTokens") ?? 0, read: usage.count("cacheReadInputTokens") ?? 0,
      written: usage.count("cacheCreationInputTokens") ?? 0,
      output: usage.count("outputTokens") ?? 0)
  }

  /// Creates the usage from counts in the form of Codex, whose input includes cached tokens.
  public init(codex usage: JSONObject) {
    self.init(
      inputTokens: usage.count("input_tokens") ?? 0,
      outputTokens: usage.count("output_tokens") ?? 0,
      cacheReadTokens: usage.count("cached_input_tokens") ?? 0,
      cacheWriteTokens: usage.count("cache_write_input_tokens") ?? 0,
      reasoningTokens: usage.count("reasoning_output_tokens"))
  }

  /// Creates the usage from counts in the form of Gemini CLI, whose output excludes thoughts.
  init(gemini usage: JSONObject) {
    let thoughts = usage.count("thoughts")
    let output = Usage(outputTokens: usage.count("output") ?? 0)
    self.init(
      inputTokens: usage.count("input") ?? 0,
      outputTokens: (output + Usage(outputTokens: thoughts ?? 0)).outputTokens,
      cacheReadTokens: usage.count("cached") ?? 0, reasoningTokens: thoughts)
  }

  /// Creates the usage from counts in the form of OpenCode, whose parts are disjoint.
  init(openCode usage: JSONObject) {
    let (cache, reasoning) = (usage.object("cache"), usage.count("reasoning"))
    let output = Usage(outputTokens: usage.count("output") ?? 0)
    self.init(
      uncached: usage.count("input") ?? 0, read: cache?.count("read") ?? 0,
      written: cache?.count("write") ?? 0,
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
  public func grown(since before: Usage) -> Usage? {
    let reasoning = (reasoningTokens ?? 0) - (before.reasoningTokens ?? 0)
    guard inputTokens >= before.inputTokens, outputTokens >= before.outputTokens,
      cacheReadTokens >= before.cacheReadTokens, cacheWriteTokens >= before.cacheWriteTokens,
      reasoning >= 0
    else { return nil }
    let hour = (cacheWrite1hTokens ?? 0) - (before.cacheWrite1hTokens ?? 0)
    return Usage(
      inputTokens: inputTokens - before.inputTokens,
      outputTokens: outputTokens - before.outputTokens,
      cacheReadTokens: cacheReadTokens - before.cacheReadTokens,
      cacheWriteTokens: cacheWriteTokens - before.cacheWriteTokens,
      cacheWrite1hTokens: hour > 0 ? hour : nil,
      reasoningTokens: reasoningTokens == nil ? nil : reasoning)
  }

  /// `true` if all counts are 0.
  var isEmpty: Bool {
    inputTokens == 0 && outputTokens == 0 && cacheReadTokens == 0 && cacheWriteTokens == 0
  }
}
