/// A model, with its availability, its limits and its prices.
public struct ModelRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "model"

  /// The name, as options accept it.
  public var name: String
  /// The provider of the model.
  public var provider: String
  /// The API of its endpoint: `chat`, `responses` or `image`.
  public var kind: String
  /// `true` if the model can be used on this machine.
  public var available: Bool
  /// The reason why the model is unavailable.
  public var reason: String?
  /// The base URL of its server.
  public var endpoint: String?
  /// The size of the context window in tokens.
  public var contextTokens: Int?
  /// The price of a million input tokens in US dollars.
  public var inputPricePerMillion: Double?
  /// The price of a million output tokens in US dollars.
  public var outputPricePerMillion: Double?
  /// The price of a million tokens read from a cache, in US dollars.
  public var cacheReadPricePerMillion: Double?
  /// The price of a million tokens written to a cache, in US dollars.
  public var cacheWritePricePerMillion: Double?
  /// The price of a million tokens written to a cache for an hour, in US dollars.
  public var cacheWrite1hPricePerMillion: Double?
  /// The prices of requests whose input exceeds a number of tokens.
  public var bands: [Band]?
  /// The day on which the prices were looked up, such as `2026-11-23`.
  public var pricesAsOf: String?
  /// The source of the prices.
  public var priceSource: String?
  /// The limit of input tokens.
  public var maxInputTokens: Int?
  /// The limit of output tokens.
  public var maxOutputTokens: Int?
  /// The day on which the model is retired, such as `2026-11-30`.
  public var retires: String?
  /// The earliest day on which the model may be retired.
  public var retiresNotBefore: String?
  /// The replacement that its provider recommends.
  public var replacement: String?
  /// The request parameters that the model rejects.
  public var refuses: [String]?
  /// The reasoning mode: `always`, `on` (unless a request disables it) or `off`.
  public var thinking: String?
  /// The effort levels that the model accepts.
  public var efforts: [String]?
  /// The default effort level.
  public var effort: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, provider, kind, available, reason, endpoint, contextTokens, inputPricePerMillion,
      outputPricePerMillion, cacheReadPricePerMillion, cacheWritePricePerMillion,
      cacheWrite1hPricePerMillion, bands, pricesAsOf, priceSource, maxInputTokens,
      maxOutputTokens, retires, retiresNotBefore, replacement, refuses, thinking, efforts, effort,
      labels
  }

  /// Creates the record of a model that is available.
  public init(name: String, provider: String, kind: String) {
    (self.name, self.provider, self.kind) = (name, provider, kind)
    available = true
  }

  /// The prices of a whole request whose input exceeds ``aboveInputTokens``.
  public struct Band: Codable, Sendable, Hashable {
    /// The number of input tokens that must be exceeded, including tokens read from and written to
    /// a cache.
    public var aboveInputTokens: Int
    /// The price of a million input tokens in US dollars.
    public var inputPricePerMillion: Double?
    /// The price of a million output tokens in US dollars.
    public var outputPricePerMillion: Double?
    /// The price of a million tokens read from a cache, in US dollars.
    public var cacheReadPricePerMillion: Double?
    /// The price of a million tokens written to a cache, in US dollars.
    public var cacheWritePricePerMillion: Double?
    /// The price of a million tokens written to a cache for an hour, in US dollars.
    public var cacheWrite1hPricePerMillion: Double?

    /// Creates a band without prices.
    public init(aboveInputTokens: Int) { self.aboveInputTokens = aboveInputTokens }
  }
}
