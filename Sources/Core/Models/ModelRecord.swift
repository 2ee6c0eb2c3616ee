/// A model that one can ask, or why one cannot.
public struct ModelRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "model"

  /// Its name, as an option takes it.
  public var name: String
  /// Who answers.
  public var provider: String
  /// What its endpoint speaks: `chat`, `responses` or `image`.
  public var kind: String
  /// Whether it can be asked from here.
  public var available: Bool
  /// Why it cannot.
  public var reason: String?
  /// The base URL of its server.
  public var endpoint: String?
  /// How many tokens fit into a request.
  public var contextTokens: Int?
  /// US dollars a million input tokens.
  public var inputPricePerMillion: Double?
  /// US dollars a million output tokens.
  public var outputPricePerMillion: Double?
  /// US dollars a million tokens read from a cache.
  public var cacheReadPricePerMillion: Double?
  /// US dollars a million tokens written to a cache.
  public var cacheWritePricePerMillion: Double?
  /// US dollars a million tokens written to a cache for an hour.
  public var cacheWrite1hPricePerMillion: Double?
  /// The prices of larger requests.
  public var bands: [Band]?
  /// The day on which the prices were looked up, as `2026-11-23`.
  public var pricesAsOf: String?
  /// The source of the prices.
  public var priceSource: String?
  /// The most tokens of input.
  public var maxInputTokens: Int?
  /// The most tokens of output.
  public var maxOutputTokens: Int?
  /// The day on which it is switched off, as `2026-11-30`.
  public var retires: String?
  /// The earliest day on which it may be switched off.
  public var retiresNotBefore: String?
  /// The model that its provider recommends in its place.
  public var replacement: String?
  /// The parameters of requests that it refuses.
  public var refuses: [String]?
  /// Whether it thinks before it answers: `always`, `on` (unless told otherwise) or `off`.
  public var thinking: String?
  /// The levels of effort that it knows.
  public var efforts: [String]?
  /// The effort that it makes unless told otherwise.
  public var effort: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, provider, kind, available, reason, endpoint, contextTokens, inputPricePerMillion,
      outputPricePerMillion, cacheReadPricePerMillion, cacheWritePricePerMillion,
      cacheWrite1hPricePerMillion, bands, pricesAsOf, priceSource, maxInputTokens,
      maxOutputTokens, retires, retiresNotBefore, replacement, refuses, thinking, efforts, effort,
      labels
  }

  /// Creates the record of a model that can be asked.
  public init(name: String, provider: String, kind: String) {
    (self.name, self.provider, self.kind) = (name, provider, kind)
    available = true
  }

  /// The price of requests whose input exceeds a number of tokens, for the whole request.
  public struct Band: Codable, Sendable, Hashable {
    /// The input that has to be exceeded, what a cache read and wrote included.
    public var aboveInputTokens: Int
    /// US dollars a million input tokens.
    public var inputPricePerMillion: Double?
    /// US dollars a million output tokens.
    public var outputPricePerMillion: Double?
    /// US dollars a million tokens read from a cache.
    public var cacheReadPricePerMillion: Double?
    /// US dollars a million tokens written to a cache.
    public var cacheWritePricePerMillion: Double?
    /// US dollars a million tokens written to a cache for an hour.
    public var cacheWrite1hPricePerMillion: Double?

    /// Creates a band without prices.
    public init(aboveInputTokens: Int) { self.aboveInputTokens = aboveInputTokens }
  }
}
