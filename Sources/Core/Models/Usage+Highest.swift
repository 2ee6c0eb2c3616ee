extension Usage {
  /// Returns the counts of two reports of one answer of which the higher ones stand.
  ///
  /// Tokens of the input that no cache held are compared by themselves, so that a second report cannot
  /// turn them into cheaper ones.
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
