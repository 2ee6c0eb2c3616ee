extension Usage {
  /// Returns the higher counts of two reports of one response.
  ///
  /// Uncached input tokens are compared separately, so that a second report cannot turn them into
  /// cheaper tokens.
  public func highest(_ other: Usage) -> Usage {
    let plain = max(plainTokens, other.plainTokens)
    let read = max(cacheReadTokens, other.cacheReadTokens)
    let write = max(cacheWriteTokens, other.cacheWriteTokens)
    return Usage(
      inputTokens: Self.sum(plain, Self.sum(read, write)),
      outputTokens: max(outputTokens, other.outputTokens),
      cacheReadTokens: read, cacheWriteTokens: write,
      cacheWrite1hTokens: Self.highest(cacheWrite1hTokens, other.cacheWrite1hTokens),
      reasoningTokens: Self.highest(reasoningTokens, other.reasoningTokens))
  }

  private var plainTokens: Int { inputTokens - cacheReadTokens - cacheWriteTokens }

  private static func highest(_ left: Int?, _ right: Int?) -> Int? {
    left.map { max($0, right ?? 0) } ?? right
  }
}
