/// An accumulator that sums the token usage of model calls by one aspect.
public struct UsageSums: Sendable {
  private struct Sum {
    var calls = 0
    var usage = Usage()
    /// The total of all known costs.
    var knownCostUSD = 0.0
    /// `true` if a part of the cost is unknown.
    var isUnknown = false
    /// The number of calls whose cost is unknown.
    var unknownCalls = 0
  }

  private let aspect: UsageSum.Aspect
  private var sums: [String: Sum] = [:]
  private var names: [String: String] = [:]

  /// Creates an empty accumulator.
  public init(by aspect: UsageSum.Aspect) { self.aspect = aspect }

  /// Adds the given calls to the sum of the given key.
  ///
  /// An implausible cost counts as unknown, and a negative count as 0.
  ///
  /// - Parameters:
  ///   - key: The day, the model, the tool, or the id of the swarm or project.
  ///   - calls: The number of calls.
  ///   - usage: The token counts.
  ///   - costUSD: The cost in US dollars; nil if a part of it is unknown.
  ///   - known: The known part, if a part is unknown.
  ///   - unknown: The number of calls with an unknown cost, if a part is unknown; nil for all.
  public mutating func add(
    _ key: String, calls: Int, _ usage: Usage, costUSD: Double?, known: Double? = nil,
    unknown: Int? = nil
  ) {
    var sum = sums[key] ?? Sum()
    let calls = min(max(0, calls), 1 << 32)
    sum.calls += calls
    sum.usage = sum.usage + usage.plausible
    if let costUSD = Usage.plausible(costUSD: costUSD) {
      sum.knownCostUSD += costUSD
    } else {
      sum.knownCostUSD += Usage.plausible(costUSD: known) ?? 0
      // A counter of tokens reports no calls.
      (sum.isUnknown, sum.unknownCalls) = (
        true, sum.unknownCalls + min(max(0, unknown ?? calls), calls)
      )
    }
    sums[key] = sum
  }

  /// Adds the given sums, which were accumulated elsewhere by the same aspect.
  public mutating func add(_ others: [UsageSum]) {
    for other in others {
      let usage = Usage(
        inputTokens: other.inputTokens, outputTokens: other.outputTokens,
        cacheReadTokens: other.cacheReadTokens, cacheWriteTokens: other.cacheWriteTokens)
      add(
        other.key, calls: other.calls, usage, costUSD: other.costUSD, known: other.knownCostUSD,
        unknown: other.unknownCalls)
      names[other.key] = other.name
    }
  }

  /// The sums, with their display names.
  ///
  /// Days are in order from the oldest, other keys in order from the highest usage.
  public var records: [UsageSum] {
    sums.map { record($0, $1) }.sorted {
      aspect == .day ? $0.key < $1.key : ($1.tokens, $0.key) < ($0.tokens, $1.key)
    }
  }

  private func record(_ key: String, _ sum: Sum) -> UsageSum {
    UsageSum(by: aspect, key: key).with {
      $0.name = names[key]
      $0.calls = sum.calls
      $0.inputTokens = sum.usage.inputTokens
      $0.outputTokens = sum.usage.outputTokens
      $0.cacheReadTokens = sum.usage.cacheReadTokens
      $0.cacheWriteTokens = sum.usage.cacheWriteTokens
      // Rounds away the noise of binary fractions.
      let known = (sum.knownCostUSD * 1e9).rounded() / 1e9
      $0.costUSD = sum.isUnknown ? nil : known
      $0.knownCostUSD = sum.isUnknown ? known : nil
      $0.unknownCalls = sum.isUnknown ? sum.unknownCalls : nil
    }
  }
}
