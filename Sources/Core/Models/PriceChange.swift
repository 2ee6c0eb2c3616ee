/// A price in a published table that differs from the price in force.
public struct PriceChange: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "priceChange"

  /// The model's provider.
  public var provider: String
  /// The model's name, as its provider knows it.
  public var name: String
  /// The first day of the new price, such as `2026-11-23`; nil if the table does not state it.
  public var from: String?
  /// The price in force; nil if none is known.
  public var before: Prices?
  /// The new price.
  public var after: Prices
  /// `true` if a price changes by a factor of ten or more, or to or from zero.
  public var tenfold: Bool
  /// `true` if the new price was stored, `false` if it was not; nil before the decision.
  public var kept: Bool?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case provider, name, from, before, after, tenfold, kept, labels
  }

  /// Creates the record of a price that is not stored yet.
  public init(provider: String, name: String, before: Prices?, after: Prices, tenfold: Bool) {
    (self.provider, self.name, self.before, self.after) = (provider, name, before, after)
    self.tenfold = tenfold
  }

  /// The prices of a model.
  public struct Prices: Codable, Sendable, Hashable {
    /// The prices of a million tokens in US dollars: input and output.
    public var inputPricePerMillion, outputPricePerMillion: Double?
    /// The prices of a million tokens in US dollars: read from a cache, and written to one.
    public var cacheReadPricePerMillion, cacheWritePricePerMillion: Double?
    /// The price of a million tokens written to a cache for an hour, in US dollars.
    public var cacheWrite1hPricePerMillion: Double?
    /// The prices of requests whose input exceeds a number of tokens.
    public var bands: [ModelRecord.Band]?

    /// Creates unknown prices.
    public init() {}
  }
}
