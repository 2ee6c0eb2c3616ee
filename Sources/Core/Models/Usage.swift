/// The token counts of one or several model calls.
public struct Usage: Codable, Sendable, Hashable {
  /// The input tokens.
  public var inputTokens: Int
  /// The output tokens.
  public var outputTokens: Int
  /// The input tokens read from a cache.
  public var cacheReadTokens: Int
  /// The input tokens written to a cache.
  public var cacheWriteTokens: Int
  /// The input tokens written to a cache that keeps them for an hour.
  public var cacheWrite1hTokens: Int?
  /// The output tokens used for reasoning.
  public var reasoningTokens: Int?

  /// Creates the counts.
  public init(
    inputTokens: Int = 0, outputTokens: Int = 0, cacheReadTokens: Int = 0,
    cacheWriteTokens: Int = 0, cacheWrite1hTokens: Int? = nil, reasoningTokens: Int? = nil
  ) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    self.cacheReadTokens = cacheReadTokens
    self.cacheWriteTokens = cacheWriteTokens
    self.cacheWrite1hTokens = cacheWrite1hTokens
    self.reasoningTokens = reasoningTokens
  }

  /// The counts, with each negative count replaced by 0.
  ///
  /// Other programs' records may contain some.
  public var plausible: Usage {
    Usage(
      inputTokens: max(0, inputTokens), outputTokens: max(0, outputTokens),
      cacheReadTokens: max(0, cacheReadTokens), cacheWriteTokens: max(0, cacheWriteTokens),
      cacheWrite1hTokens: cacheWrite1hTokens.map { max(0, $0) },
      reasoningTokens: reasoningTokens.map { max(0, $0) })
  }

  /// Returns the given cost, which another program reported.
  ///
  /// - Returns: The cost; nil if it is negative or implausibly large.
  public static func plausible(costUSD: Double?) -> Double? {
    costUSD.flatMap { (0...1e15).contains($0) ? $0 : nil }
  }

  /// The sum of input and output tokens.
  public var totalTokens: Int { Self.sum(inputTokens, outputTokens) }

  /// Returns the two usages added count by count.
  ///
  /// Each sum is capped at the largest integer.
  public static func + (left: Usage, right: Usage) -> Usage {
    Usage(
      inputTokens: sum(left.inputTokens, right.inputTokens),
      outputTokens: sum(left.outputTokens, right.outputTokens),
      cacheReadTokens: sum(left.cacheReadTokens, right.cacheReadTokens),
      cacheWriteTokens: sum(left.cacheWriteTokens, right.cacheWriteTokens),
      cacheWrite1hTokens: sum(left.cacheWrite1hTokens, right.cacheWrite1hTokens),
      reasoningTokens: sum(left.reasoningTokens, right.reasoningTokens))
  }

  static func sum(_ left: Int, _ right: Int) -> Int {
    let (value, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : value
  }

  private static func sum(_ left: Int?, _ right: Int?) -> Int? {
    guard left != nil || right != nil else { return nil }
    return sum(left ?? 0, right ?? 0)
  }
}

extension Usage {
  /// Decodes the counts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func count(_ key: CodingKeys) throws -> Int? {
      try container.decodeIfPresent(Int.self, forKey: key)
    }
    self.init(
      inputTokens: try count(.inputTokens) ?? 0, outputTokens: try count(.outputTokens) ?? 0,
      cacheReadTokens: try count(.cacheReadTokens) ?? 0,
      cacheWriteTokens: try count(.cacheWriteTokens) ?? 0,
      cacheWrite1hTokens: try count(.cacheWrite1hTokens),
      reasoningTokens: try count(.reasoningTokens))
  }
}
