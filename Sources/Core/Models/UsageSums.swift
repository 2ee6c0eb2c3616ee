/// An accumulator that sums the token usage of model calls by one aspect.
public struct UsageSums {
  private struct Sum {
    var calls = 0
    var usage = Usage()
    /// The total cost; nil once a part of it is unknown.
    var costUSD: Double? = 0
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
  public mutating func add(_ key: String, calls: Int, _ usage: Usage, costUSD: Double?) {
    var sum = sums[key] ?? Sum()
    let costUSD = Usage.plausible(costUSD: costUSD)
    sum.calls += min(max(0, calls), 1 << 32)
    sum.usage = sum.usage + usage.plausible
    sum.costUSD = sum.costUSD.flatMap { known in costUSD.map { known + $0 } }
    sums[key] = sum
  }

  /// Adds the given sums, which were accumulated elsewhere by the same aspect.
  public mutating func add(_ others: [UsageSum]) {
    for other in others {
      let usage = Usage(
        inputTokens: other.inputTokens, outputTokens: other.outputTokens,
        cacheReadTokens: other.cacheReadTokens, cacheWriteTokens: other.cacheWriteTokens)
      add(other.key, calls: other.calls, usage, costUSD: other.costUSD)
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
      $0.costUSD = sum.costUSD.map { ($0 * 1e9).rounded() / 1e9 }
    }
  }
}
