public import Core

/// The usage and cost of one request to a model, as far as they are known.
public struct ModelTry: Sendable, Hashable {
  /// The tokens that the provider counted at the end of its answer; nil if it reported none.
  public var usage: Usage?
  /// The cost in US dollars: 0 for a refused request; nil if the request may be billed at an
  /// unknown price.
  public var costUSD: Double?

  /// Creates the account of a request.
  public init(usage: Usage? = nil, costUSD: Double? = nil) {
    self.usage = usage
    self.costUSD = costUSD
  }
}
