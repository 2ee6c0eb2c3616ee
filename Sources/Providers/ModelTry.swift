public import Core

/// The usage and cost of one request to a model, as far as they are known.
public struct ModelTry: Sendable, Hashable {
  /// The tokens that the provider counted at the end of its answer; nil if it reported none.
  public var usage: Usage?
  /// The cost in US dollars.
  ///
  /// It is 0 for a refused request, and nil if the price is unknown and the request may be billed.
  public var costUSD: Double?

  /// Creates the account of a request.
  public init(usage: Usage? = nil, costUSD: Double? = nil) {
    self.usage = usage
    self.costUSD = costUSD
  }
}
