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
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, provider, kind, available, reason, endpoint, contextTokens, inputPricePerMillion,
      outputPricePerMillion, cacheReadPricePerMillion, cacheWritePricePerMillion, labels
  }

  /// Creates the record of a model that can be asked.
  public init(name: String, provider: String, kind: String) {
    (self.name, self.provider, self.kind) = (name, provider, kind)
    available = true
  }
}
