extension Usage {
  /// Returns the higher of each count in this report and the given report of the same response.
  ///
  /// Uncached input tokens are compared separately. Otherwise, the other report could turn them
  /// into cached tokens, which are cheaper.
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

  /// Returns the highest counts of two reports of the same response, of which either may be unknown.
  public static func highest(_ left: Usage?, _ right: Usage?) -> Usage? {
    guard let left, let right else { return left ?? right }
    return left.highest(right)
  }

  private var plainTokens: Int { inputTokens - cacheReadTokens - cacheWriteTokens }

  private static func highest(_ left: Int?, _ right: Int?) -> Int? {
    left.map { max($0, right ?? 0) } ?? right
  }
}
