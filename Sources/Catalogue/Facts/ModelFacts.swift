import Core

/// The facts about a model that hold on a given day: its limits, its life cycle, its request
/// parameters and its prices.
public struct ModelFacts: Sendable, Hashable {
  /// A model's reasoning mode.
  public enum Thinking: String, Sendable {
    /// Reasoning on every request.
    case always
    /// Reasoning unless a request turns it off.
    case on
    /// Reasoning only if a request turns it on.
    case off
  }

  /// A request parameter that some models reject.
  public enum Parameter: String, Sendable {
    /// The sampling temperature.
    case temperature
    /// The stop sequences.
    case stop
  }

  /// The limits in a row, a provider's list or the configuration; nil and empty values mean
  /// unspecified.
  struct Limits: Sendable, Hashable {
    var contextTokens: Int?
    var maxInputTokens: Int?
    var maxOutputTokens: Int?
    var bytesPerToken: Double?
    var retires: Day?
    var retiresNotBefore: Day?
    var replacement: String?
    var refuses: Set<String>?
    var refusesWithEffort: Set<String>?
    var thinking: Thinking?
    var efforts: [String]?
    var effort: String?
    var wire: String?
    var caching: String?
  }

  /// The provider's name.
  public let provider: String
  /// The provider's name for the model.
  public let name: String
  /// The kind of model: `chat` or `image`; nil if unknown.
  public var kind: String?
  /// `true` if the catalogue, the provider's list or the configuration describes the model.
  public var isKnown = false
  /// The prices; nil if they are unknown.
  public var prices: ModelPrices?
  var limits = Limits()

  init(provider: String, name: String) {
    self.provider = provider
    self.name = name
  }

  /// The size of the context window in tokens.
  public var contextTokens: Int? { limits.contextTokens }
  /// The maximum number of input tokens.
  public var maxInputTokens: Int? { limits.maxInputTokens }
  /// The maximum number of output tokens.
  public var maxOutputTokens: Int? { limits.maxOutputTokens }
  /// The day on which the model retires.
  public var retires: Day? { limits.retires }
  /// The earliest day on which the model may retire.
  public var retiresNotBefore: Day? { limits.retiresNotBefore }
  /// The replacement that the provider recommends.
  public var replacement: String? { limits.replacement }
  /// The reasoning mode; nil if unknown.
  public var thinking: Thinking? { limits.thinking }
  /// The effort levels that the model accepts; empty if it has none, nil if unknown.
  public var efforts: [String]? { limits.efforts ?? (isKnown && effort == nil ? [] : nil) }
  /// The default effort level.
  public var effort: String? { limits.effort }
  /// The request parameters that the model rejects, sorted.
  public var refuses: [String] { (limits.refuses ?? []).sorted() }
  /// `true` if OpenAI's Responses API is the default for the model.
  public var usesResponses: Bool { limits.wire == "responses" }
  /// `true` if the provider caches the marked parts of a request.
  public var cachesMarks: Bool { limits.caching == "marks" }
  /// `true` if the provider accepts a key that routes requests to one cache.
  public var takesCacheKey: Bool { limits.caching == "key" }

  /// Returns `true` if the model accepts the given parameter.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - effort: The effort level of the request; nil for the model's default.
  /// - Returns: `false` if the model rejects the parameter; nil if it is unknown.
  public func takes(_ parameter: Parameter, effort: String? = nil) -> Bool? {
    if limits.refuses?.contains(parameter.rawValue) == true { return false }
    if limits.refusesWithEffort?.contains(parameter.rawValue) == true {
      return (effort ?? self.effort) == "none"
    }
    return isKnown ? true : nil
  }

  /// Returns `true` if the model accepts the given effort level; nil if it is unknown.
  public func takes(effort: String) -> Bool? { efforts.map { $0.contains(effort) } }

  /// `true` if the model may reason before it answers.
  public var mayThink: Bool { thinking == .always || thinking == .on }

  /// Returns a cautious estimate of the number of tokens in text of the given size.
  ///
  /// docs/decisions.md describes the measurements behind the catalogue's figures.
  public func estimatedTokens(bytes: Int) -> Int {
    Int((Double(bytes) / (limits.bytesPerToken ?? Self.usualBytesPerToken)).rounded(.up))
  }

  private static let usualBytesPerToken = 1.6

  /// The default output limit of a request, in tokens.
  public var usualOutputTokens: Int {
    var limit = Self.usualOutputTokens
    if let most = maxOutputTokens { limit = min(limit, most) }
    // A server rejects an output limit that leaves no room in the context for the input.
    if maxOutputTokens == nil, let context = contextTokens {
      limit = min(limit, max(context / 2, 1))
    }
    return limit
  }

  /// The default output limit in tokens, unless the model's own limit is lower.
  public static let usualOutputTokens = 32_000

  /// Returns the lowest output limit, in tokens, for which a request is worth sending.
  ///
  /// - Parameter effort: The effort level of the request; nil for the model's default.
  /// - Returns: The number of tokens.
  public func leastOutputTokens(effort: String? = nil) -> Int {
    // A model whose default effort is `none` reasons if a request sets another level.
    let thinks =
      effort == "none" ? thinking == .always : mayThink || (effort != nil && self.effort == "none")
    return min(thinks ? 8192 : 2048, usualOutputTokens)
  }

  /// Returns the number of days until the model retires; nil if that is unknown or more than 60
  /// days away.
  public func daysLeft(on day: Day) -> Int? {
    retires.map { day.days(until: $0) }.flatMap { $0 <= 60 ? $0 : nil }
  }
}

extension ModelFacts.Limits {
  /// Reads the limits in the given row.
  init(_ row: JSONObject) {
    contextTokens = row.count("contextTokens")
    maxInputTokens = row.count("maxInputTokens")
    maxOutputTokens = row.count("maxOutputTokens")
    bytesPerToken = row.number("bytesPerToken").flatMap { $0 >= 0.5 ? $0 : nil }
    retires = row.string("retires").flatMap { Day($0) }
    retiresNotBefore = row.string("retiresNotBefore").flatMap { Day($0) }
    replacement = row.string("replacement")
    refuses = row.strings("refuses").map { Set($0) }
    refusesWithEffort = row.strings("refusesWithEffort").map { Set($0) }
    thinking = row.string("thinking").flatMap(ModelFacts.Thinking.init)
    efforts = row.strings("efforts")
    effort = row.string("effort")
    wire = row.string("wire")
    caching = row.string("caching")
  }

  /// Reads the limits in a record of a provider's list.
  init(_ record: ModelRecord) {
    contextTokens = record.contextTokens.positive
    maxInputTokens = record.maxInputTokens.positive
    maxOutputTokens = record.maxOutputTokens.positive
    retires = record.retires.flatMap { Day($0) }
    retiresNotBefore = record.retiresNotBefore.flatMap { Day($0) }
    replacement = record.replacement
    refuses = record.refuses.map { Set($0) }
    thinking = record.thinking.flatMap(ModelFacts.Thinking.init)
    efforts = record.efforts
    effort = record.effort
  }

  /// Reads the limits in the user's configuration.
  init(_ settings: Settings.ModelSettings) {
    contextTokens = settings.contextTokens.positive
    maxOutputTokens = settings.maxOutputTokens.positive
    refuses = settings.refuses.map { Set($0) }
    efforts = settings.efforts
    effort = settings.effort
  }

  /// Overrides these limits with the specified limits of a higher layer.
  mutating func merge(_ other: Self) {
    contextTokens = other.contextTokens ?? contextTokens
    maxInputTokens = other.maxInputTokens ?? maxInputTokens
    maxOutputTokens = other.maxOutputTokens ?? maxOutputTokens
    bytesPerToken = other.bytesPerToken ?? bytesPerToken
    retires = other.retires ?? retires
    retiresNotBefore = other.retiresNotBefore ?? retiresNotBefore
    replacement = other.replacement ?? replacement
    if let own = other.refuses { (refuses, refusesWithEffort) = (own, other.refusesWithEffort) }
    refusesWithEffort = other.refusesWithEffort ?? refusesWithEffort
    thinking = other.thinking ?? thinking
    efforts = other.efforts ?? efforts
    effort = other.effort ?? effort
    wire = other.wire ?? wire
    caching = other.caching ?? caching
  }
}

extension Int? {
  /// The number if it is above 0; otherwise nil, because a limit of 0 means unspecified.
  fileprivate var positive: Int? { flatMap { $0 > 0 ? $0 : nil } }
}
