public import Core

/// The known usage of one request to a model.
public struct ModelTry: Sendable, Hashable {
  /// The tokens counted by the provider at the end of its answer; nil if it reported none.
  public var usage: Usage?
  /// The cost in US dollars: 0 for a refused request; nil if it may be billed at an unknown price.
  public var costUSD: Double?

  /// Creates the account of a request.
  public init(usage: Usage? = nil, costUSD: Double? = nil) {
    self.usage = usage
    self.costUSD = costUSD
  }
}
