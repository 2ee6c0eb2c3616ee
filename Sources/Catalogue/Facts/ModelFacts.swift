import Core

/// The facts about a model on a day: its limits, its life, what requests may carry, its prices.
public struct ModelFacts: Sendable, Hashable {
  /// Whether a model thinks before it answers.
  public enum Thinking: String, Sendable {
    /// On every request.
    case always
    /// Unless a request turns it off.
    case on
    /// Only if a request asks for it.
    case off
  }

  /// A parameter of requests that some models refuse.
  public enum Parameter: String, Sendable {
    /// The sampling temperature.
    case temperature
    /// Texts that end an answer.
    case stop
  }

  /// What a row, a provider's listing or the configuration says; nil and empty say nothing.
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
  /// The model's name, as its provider knows it.
  public let name: String
  /// What it is for: `chat` or `image`; nil if nobody says.
  public var kind: String?
  /// `true` if the catalogue, the provider or the configuration describes the model.
  public var isKnown = false
  /// The prices; nil if none is known.
  public var prices: ModelPrices?
  var limits = Limits()

  init(provider: String, name: String) {
    self.provider = provider
    self.name = name
  }

  /// The tokens that fit into its context.
  public var contextTokens: Int? { limits.contextTokens }
  /// The most tokens of input.
  public var maxInputTokens: Int? { limits.maxInputTokens }
  /// The most tokens of output.
  public var maxOutputTokens: Int? { limits.maxOutputTokens }
  /// The day on which it is switched off.
  public var retires: Day? { limits.retires }
  /// The earliest day on which it may be switched off.
  public var retiresNotBefore: Day? { limits.retiresNotBefore }
  /// The model that its provider recommends in its place.
  public var replacement: String? { limits.replacement }
  /// Whether it thinks; nil if nobody says.
  public var thinking: Thinking? { limits.thinking }
  /// The levels of effort that it knows; empty if it has none, nil if nobody says.
  public var efforts: [String]? { limits.efforts ?? (isKnown && effort == nil ? [] : nil) }
  /// The effort that it makes unless told otherwise.
  public var effort: String? { limits.effort }
  /// The parameters that it refuses, sorted.
  public var refuses: [String] { (limits.refuses ?? []).sorted() }
  /// `true` if it is asked over OpenAI's Responses unless told otherwise.
  public var usesResponses: Bool { limits.wire == "responses" }
  /// `true` if its provider caches what a request marks.
  public var cachesMarks: Bool { limits.caching == "marks" }
  /// `true` if its provider takes a key that routes requests to one cache.
  public var takesCacheKey: Bool { limits.caching == "key" }

  /// Tells whether it takes a parameter.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - effort: The effort that the request asks for; nil for the model's own.
  /// - Returns: `false` if it refuses the parameter, nil if nobody knows.
  public func takes(_ parameter: Parameter, effort: String? = nil) -> Bool? {
    if limits.refuses?.contains(parameter.rawValue) == true { return false }
    if limits.refusesWithEffort?.contains(parameter.rawValue) == true {
      return (effort ?? self.effort) == "none"
    }
    return isKnown ? true : nil
  }

  /// Returns `true` if it knows a level of effort, `false` if not, nil if nobody knows.
  public func takes(effort: String) -> Bool? { efforts.map { $0.contains(effort) } }

  /// `true` if it may think before it answers.
  public var mayThink: Bool { thinking == .always || thinking == .on }

  /// Returns a cautious estimate of the tokens of so many bytes of text in UTF-8.
  ///
  /// docs/decisions.md says how the figures of the catalogue were measured.
  public func estimatedTokens(bytes: Int) -> Int {
    Int((Double(bytes) / (limits.bytesPerToken ?? Self.usualBytesPerToken)).rounded(.up))
  }

  private static let usualBytesPerToken = 1.6

  /// The most tokens of output that a request asks for unless told otherwise.
  public var usualOutputTokens: Int {
    var limit = Self.usualOutputTokens
    if let most = maxOutputTokens { limit = min(limit, most) }
    // A server refuses an output limit that leaves its context no room for input.
    if maxOutputTokens == nil, let context = contextTokens {
      limit = min(limit, max(context / 2, 1))
    }
    return limit
  }

  /// The most tokens of output where the model is not what limits them.
  public static let usualOutputTokens = 32_000

  /// Finds the lowest output limit that a request is worth sending with.
  ///
  /// - Parameter effort: The effort that the request asks for; nil for the model's own.
  /// - Returns: Tokens.
  public func leastOutputTokens(effort: String? = nil) -> Int {
    // Models whose effort is none by themselves think if they are asked to.
    let thinks =
      effort == "none" ? thinking == .always : mayThink || (effort != nil && self.effort == "none")
    return min(thinks ? 8192 : 2048, usualOutputTokens)
  }

  /// Returns the number of days until it is switched off, if that is known and within 60 days.
  public func daysLeft(on day: Day) -> Int? {
    retires.map { day.days(until: $0) }.flatMap { $0 <= 60 ? $0 : nil }
  }
}

extension ModelFacts.Limits {
  /// Reads the members of a row.
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

  /// Reads what a provider lists.
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

  /// Reads what the configuration says.
  init(_ settings: Settings.ModelSettings) {
    contextTokens = settings.contextTokens.positive
    maxOutputTokens = settings.maxOutputTokens.positive
    refuses = settings.refuses.map { Set($0) }
    efforts = settings.efforts
    effort = settings.effort
  }

  /// Sets what a higher layer says.
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
  /// The number if it is above 0: a limit of nothing says nothing.
  fileprivate var positive: Int? { flatMap { $0 > 0 ? $0 : nil } }
}
