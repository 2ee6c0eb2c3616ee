public import Core

/// What one request to a model used, as far as it is known.
public struct ModelTry: Sendable, Hashable {
  /// The tokens, counted by the provider at the end of its answer; nil when they were not.
  public var usage: Usage?
  /// What they cost in US dollars: 0 for a request that was refused; nil when it may be billed and
  /// nobody can tell at how much.
  public var costUSD: Double?

  /// Creates the account of a request.
  public init(usage: Usage? = nil, costUSD: Double? = nil) {
    self.usage = usage
    self.costUSD = costUSD
  }
}
