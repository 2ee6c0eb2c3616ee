public import Core

/// The sums of all calls of a session so far, as its program states them.
///
/// They include calls that no other entry reports. A fork begins with the sums of its parent.
public struct SessionTotal: Codable, Sendable, Hashable {
  /// The sums of one model.
  public struct Sum: Codable, Sendable, Hashable {
    /// The tokens.
    public var usage: Usage
    /// The cost in US dollars; nil if unknown.
    public var costUSD: Double?

    /// Creates the sums; the cost is rounded to 12 decimal places, as binary fractions have noise.
    public init(_ usage: Usage = Usage(), costUSD: Double? = 0) {
      (self.usage, self.costUSD) = (usage, costUSD.map { ($0 * 1e12).rounded() / 1e12 })
    }

    /// Returns both sums added.
    public static func + (left: Sum, right: Sum) -> Sum {
      Sum(
        left.usage + right.usage,
        costUSD: left.costUSD.flatMap { cost in right.costUSD.map { cost + $0 } })
    }
  }

  /// The sums, by the name of the model.
  public var models: [String: Sum]

  /// Creates the sums.
  public init(_ models: [String: Sum]) { self.models = models }

  /// The sums of all models.
  public var all: Sum { models.values.reduce(Sum(), +) }

  /// Adds sums of the given model.
  public mutating func add(_ sum: Sum, of model: String) {
    models[model] = models[model].map { $0 + sum } ?? sum
  }

  /// Returns the sums without those of the given earlier total; nil if a count decreased.
  ///
  /// A cost that decreased counts as unchanged.
  public func grown(since before: SessionTotal) -> SessionTotal? {
    guard before.models.allSatisfy({ models[$0.key] != nil || $0.value.usage.totalTokens == 0 })
    else { return nil }
    var grown: [String: Sum] = [:]
    for (name, sum) in models {
      let old = before.models[name] ?? Sum()
      guard let usage = sum.usage.grown(since: old.usage) else { return nil }
      grown[name] = Sum(usage, costUSD: sum.costUSD.map { max(0, $0 - (old.costUSD ?? 0)) })
    }
    return SessionTotal(grown)
  }
}
