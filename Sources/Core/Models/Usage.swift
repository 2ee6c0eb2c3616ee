/// The tokens of one call or of several.
///
/// `inputTokens` includes those read from and written to a cache; `reasoningTokens` lie inside
/// `outputTokens`, `cacheWrite1hTokens` inside `cacheWriteTokens`.
public struct Usage: Codable, Sendable, Hashable {
  /// All tokens sent.
  public var inputTokens: Int
  /// All tokens answered.
  public var outputTokens: Int
  /// Those of the input that a cache held.
  public var cacheReadTokens: Int
  /// Those of the input that were put into a cache.
  public var cacheWriteTokens: Int
  /// Those put into a cache for an hour.
  public var cacheWrite1hTokens: Int?
  /// Those of the output that were reasoning.
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

  /// The counts with 0 in place of negative ones, which a record from elsewhere may hold.
  public var plausible: Usage {
    Usage(
      inputTokens: max(0, inputTokens), outputTokens: max(0, outputTokens),
      cacheReadTokens: max(0, cacheReadTokens), cacheWriteTokens: max(0, cacheWriteTokens),
      cacheWrite1hTokens: cacheWrite1hTokens.map { max(0, $0) },
      reasoningTokens: reasoningTokens.map { max(0, $0) })
  }

  /// Returns a cost in US dollars from elsewhere; nil if it is negative, or so large that sums of
  /// costs would end.
  public static func plausible(costUSD: Double?) -> Double? {
    costUSD.flatMap { (0...1e15).contains($0) ? $0 : nil }
  }

  /// Input and output together.
  public var totalTokens: Int { Self.sum(inputTokens, outputTokens) }

  /// The sum of two; counts that a peer made absurdly large stay at the largest number.
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
  /// Decodes the value.
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
