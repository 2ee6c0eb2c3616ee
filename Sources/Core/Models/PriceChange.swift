/// A published price of a model that differs from the price in force.
public struct PriceChange: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "priceChange"

  /// The model's provider.
  public var provider: String
  /// The model's name at its provider.
  public var name: String
  /// The first day on which the new price applies, such as `2026-11-23`.
  ///
  /// It is nil if the published table does not state the day.
  public var from: String?
  /// The price in force; nil if none is known.
  public var before: Prices?
  /// The new price.
  public var after: Prices
  /// `true` if a price differs from the price in force, or from the built-in price, by a factor of
  /// ten or more, or if only one of them is zero.
  public var tenfold: Bool
  /// `true` if the new price was stored, `false` if it was rejected; nil before the decision.
  public var kept: Bool?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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
    /// The prices in US dollars of a million input tokens and a million output tokens.
    public var inputPricePerMillion, outputPricePerMillion: Double?
    /// The prices in US dollars of a million tokens read from a cache and written to one.
    public var cacheReadPricePerMillion, cacheWritePricePerMillion: Double?
    /// The price in US dollars of a million tokens written to a cache that keeps them for an hour.
    public var cacheWrite1hPricePerMillion: Double?
    /// Different prices for requests with large inputs, one band for each input size.
    public var bands: [ModelRecord.Band]?

    /// Creates prices that are all unknown.
    public init() {}
  }
}
