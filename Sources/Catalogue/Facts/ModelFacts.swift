import Core

/// The facts about a model on a given day: its limits, life cycle, request parameters and prices.
public struct ModelFacts: Sendable, Hashable {
  /// A model's reasoning mode.
  public enum Thinking: String, Sendable {
    /// The model reasons on every request.
    case always
    /// The model reasons unless a request turns reasoning off.
    case on
    /// The model reasons only if a request turns reasoning on.
    case off
  }

  /// A request parameter that some models reject.
  public enum Parameter: String, Sendable {
    /// The sampling temperature.
    case temperature
    /// The stop sequences.
    case stop
    /// Tools over the chat completions API.
    case chatTools = "tools.chat"
  }

  /// The limits that one layer states: a row, a provider's list or the configuration.
  ///
  /// A value that is nil or empty is not stated.
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
  /// The name of the model at its provider.
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
  /// The day on which the provider retires the model; nil if unknown.
  public var retires: Day? { limits.retires }
  /// The earliest day on which the provider may retire the model; nil if unknown.
  public var retiresNotBefore: Day? { limits.retiresNotBefore }
  /// The name of the model that the provider recommends as a replacement.
  public var replacement: String? { limits.replacement }
  /// The reasoning mode; nil if unknown.
  public var thinking: Thinking? { limits.thinking }
  /// The effort levels that the model accepts; empty if it has none, nil if unknown.
  public var efforts: [String]? { limits.efforts ?? (isKnown && effort == nil ? [] : nil) }
  /// The default effort level.
  public var effort: String? { limits.effort }
  /// The request parameters that the model rejects, sorted.
  public var refuses: [String] { (limits.refuses ?? []).sorted() }
  /// `true` if requests to the model use OpenAI's Responses API by default.
  public var usesResponses: Bool { limits.wire == "responses" }
  /// `true` if the provider caches those parts of a request that are marked.
  public var cachesMarks: Bool { limits.caching == "marks" }
  /// `true` if the provider accepts a key that routes requests with the same key to one cache.
  public var takesCacheKey: Bool { limits.caching == "key" }

  /// Returns `true` if the model accepts the given parameter.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - effort: The effort level of the request; nil for the model's default.
  /// - Returns: `false` if the model rejects the parameter; nil if this is unknown.
  public func accepts(_ parameter: Parameter, effort: String? = nil) -> Bool? {
    if limits.refuses?.contains(parameter.rawValue) == true { return false }
    if limits.refusesWithEffort?.contains(parameter.rawValue) == true {
      return (effort ?? self.effort) == "none"
    }
    return isKnown ? true : nil
  }

  /// Returns `true` if the model accepts the given effort level; nil if this is unknown.
  public func accepts(effort: String) -> Bool? { efforts.map { $0.contains(effort) } }

  /// `true` if pictures that a tool returns may be sent to the model: all current chat models of
  /// these providers read pictures.
  public var takesPictures: Bool {
    ["anthropic", "openai", "azure", "google"].contains(provider)
  }

  /// `true` if the model may reason before it answers.
  public var mayThink: Bool { thinking == .always || thinking == .on }

  /// Returns a cautious estimate of the number of tokens in a text of the given size.
  ///
  /// docs/decisions.md describes the measurements behind the figures.
  public func estimatedTokens(bytes: Int) -> Int {
    Int((Double(bytes) / (limits.bytesPerToken ?? Self.usualBytesPerToken)).rounded(.up))
  }

  private static let usualBytesPerToken = 1.6

  /// The output limit, in tokens, that requests have by default.
  public var usualOutputTokens: Int {
    var limit = Self.usualOutputTokens
    if let most = maxOutputTokens { limit = min(limit, most) }
    // A server rejects an output limit that leaves no room in the context for the input.
    if maxOutputTokens == nil, let context = contextTokens {
      limit = min(limit, max(context / 2, 1))
    }
    return limit
  }

  /// The default output limit in tokens.
  ///
  /// It applies unless the model's own limit is lower.
  public static let usualOutputTokens = 32_000

  /// Returns the lowest output limit, in tokens, that makes a request worth sending.
  ///
  /// - Parameter effort: The effort level of the request; nil for the model's default.
  /// - Returns: The number of tokens.
  public func leastOutputTokens(effort: String? = nil) -> Int {
    // A model whose default effort is `none` reasons if a request sets another level.
    let thinks =
      effort == "none" ? thinking == .always : mayThink || (effort != nil && self.effort == "none")
    return min(thinks ? 8192 : 2048, usualOutputTokens)
  }

  /// Returns the number of days from the given day until the model retires.
  ///
  /// It is nil if the day is unknown or more than 60 days away.
  public func daysLeft(on day: Day) -> Int? {
    retires.map { day.days(until: $0) }.flatMap { $0 <= 60 ? $0 : nil }
  }
}

extension ModelFacts.Limits {
  /// Reads the limits that the given row states.
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

  /// Reads the limits in the given record of a provider's list.
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

  /// Reads the limits that the user configured.
  init(_ settings: Settings.ModelSettings) {
    contextTokens = settings.contextTokens.positive
    maxOutputTokens = settings.maxOutputTokens.positive
    refuses = settings.refuses.map { Set($0) }
    efforts = settings.efforts
    effort = settings.effort
  }

  /// Replaces each limit that the given higher layer states.
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
  /// The number if it is above 0; otherwise nil, because a limit of 0 is not stated.
  fileprivate var positive: Int? { flatMap { $0 > 0 ? $0 : nil } }
}
