/// A model, with its availability, its limits and its prices.
public struct ModelRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "model"

  /// The model's name, as command-line options accept it.
  public var name: String
  /// The provider of the model.
  public var provider: String
  /// The API that the model's endpoint offers: `chat`, `responses` or `image`.
  public var kind: String
  /// `true` if the model can be used on this machine.
  public var available: Bool
  /// The reason why the model is unavailable.
  public var reason: String?
  /// The base URL of the model's server.
  public var endpoint: String?
  /// The size of the context window in tokens.
  public var contextTokens: Int?
  /// The price of a million input tokens in US dollars.
  public var inputPricePerMillion: Double?
  /// The price of a million output tokens in US dollars.
  public var outputPricePerMillion: Double?
  /// The price in US dollars of a million tokens read from a cache.
  public var cacheReadPricePerMillion: Double?
  /// The price in US dollars of a million tokens written to a cache.
  public var cacheWritePricePerMillion: Double?
  /// The price in US dollars of a million tokens written to a cache that keeps them for an hour.
  public var cacheWrite1hPricePerMillion: Double?
  /// Different prices for requests with large inputs, one band for each input size.
  public var bands: [Band]?
  /// The day on which the prices were looked up, such as `2026-11-23`.
  public var pricesAsOf: String?
  /// The source that the prices were taken from.
  public var priceSource: String?
  /// The limit of input tokens.
  public var maxInputTokens: Int?
  /// The limit of output tokens.
  public var maxOutputTokens: Int?
  /// The day on which the model is retired, such as `2026-11-30`.
  public var retires: String?
  /// The earliest day on which the model may be retired.
  public var retiresNotBefore: String?
  /// The name of the model that the provider recommends as a replacement.
  public var replacement: String?
  /// The request parameters that the model rejects.
  public var refuses: [String]?
  /// The reasoning mode: `always`, `on` or `off`.
  ///
  /// A request can disable `on`.
  public var thinking: String?
  /// The effort levels that the model accepts.
  public var efforts: [String]?
  /// The default effort level.
  public var effort: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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

  /// The prices of a request whose input exceeds ``aboveInputTokens``.
  ///
  /// They apply to all its tokens.
  public struct Band: Codable, Sendable, Hashable {
    /// The number of input tokens that a request must exceed.
    ///
    /// The count includes tokens read from and written to a cache.
    public var aboveInputTokens: Int
    /// The price of a million input tokens in US dollars.
    public var inputPricePerMillion: Double?
    /// The price of a million output tokens in US dollars.
    public var outputPricePerMillion: Double?
    /// The price in US dollars of a million tokens read from a cache.
    public var cacheReadPricePerMillion: Double?
    /// The price in US dollars of a million tokens written to a cache.
    public var cacheWritePricePerMillion: Double?
    /// The price in US dollars of a million tokens written to a cache that keeps them for an hour.
    public var cacheWrite1hPricePerMillion: Double?

    /// Creates a band whose prices are unknown.
    public init(aboveInputTokens: Int) { self.aboveInputTokens = aboveInputTokens }
  }
}
