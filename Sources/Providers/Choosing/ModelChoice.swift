public import Catalogue
public import Core

/// A chosen model, together with everything that is needed to send requests to it.
public struct ModelChoice: Sendable {
  /// The name of the model in records.
  ///
  /// It is the bare name if that resolves to this model, and `provider/name` otherwise.
  public var name: String
  /// The provider's name for the model.
  public var model: String
  /// The provider that serves the model.
  public var provider: any Provider
  /// The catalogue's facts about the model.
  public var facts: ModelFacts
  /// The prices of the tokens; nil if unknown.
  public var prices: ModelPrices? { facts.prices }
  /// The level of effort that the configuration sets for the model.
  public var effort: String?
  /// `true` if an option, a record, the environment or the configuration names the model.
  public var isNamed = true
  /// The base URL of the model's server, without secrets; nil for the provider's default.
  public var base: String?
  /// The catalogue with the prices of models that answer in place of this one.
  var catalogue = Catalogue.builtIn
  /// The receiver of notices about requests.
  var report: NoticeHandler = { _ in }

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - name: The name in records.
  ///   - model: The provider's name for the model; nil for the same name.
  ///   - provider: The provider that answers.
  ///   - facts: The catalogue's facts about the model.
  public init(name: String, model: String? = nil, provider: any Provider, facts: ModelFacts) {
    self.name = name
    self.model = model ?? name
    self.provider = provider
    self.facts = facts
  }

  /// `true` if pictures that a tool returns may be sent to the model.
  public var takesPictures: Bool { facts.takesPictures }

  /// `true` if the tokens are free.
  public var isFree: Bool { prices == .free }

  /// `true` if the model quotes instead of writing.
  ///
  /// Request settings then have no effect.
  private var quotes: Bool { provider is ExtractiveProvider }

  /// The value of ``Message/modelNamed`` for this model's answers.
  public var namedMark: Bool? { quotes && isNamed ? true : nil }

  /// `true` if the prices of input and output on the current day are known.
  ///
  /// A budget requires them.
  public var hasKnownPrice: Bool {
    prices?.cost(of: Usage(inputTokens: 1, outputTokens: 1), on: .today) != nil
  }

  /// Reports that the model's price was looked up more than 90 days ago, if so.
  public func reportOldPrice() {
    guard let asOf = prices?.entry(on: .today)?.asOf, asOf.days(until: .today) > 90 else { return }
    report(
      .once("the price of '\(name)' dates from \(asOf): update it with 'model-list prices --from'"))
  }

  /// Reports, only the first time, that `part` is left out because the model refuses it.
  public func reportOmission(of part: String) {
    report(.once("'\(name)' does not support \(part): sending the request without it"))
  }

  /// Rejects command-line settings that the model is known to refuse.
  ///
  /// - Throws: `BadUsage` if the model refuses one of the settings.
  public func check(temperature: Double?, effort: String?) throws(Failure) {
    guard !quotes else { return }
    if let effort, facts.accepts(effort: effort) == false {
      let known = facts.efforts ?? []
      throw Failure(
        .badUsage,
        known.isEmpty
          ? "'\(name)' has no effort levels"
          : "'\(name)' has no effort level '\(Visible.line(effort))'",
        input: name,
        nextStep: known.isEmpty ? "omit --effort" : "use one of " + known.joined(separator: ", "))
    }
    try check(temperature: temperature, configuredEffort: effort)
  }

  /// Rejects a temperature from the command line if the model is known to refuse it.
  ///
  /// - Parameters:
  ///   - temperature: The temperature.
  ///   - configuredEffort: The effort of the request, from any source.
  /// - Throws: `BadUsage` if the model refuses the temperature.
  public func check(temperature: Double?, configuredEffort: String?) throws(Failure) {
    guard !quotes, temperature != nil,
      facts.accepts(.temperature, effort: configuredEffort ?? effort) == false
    else { return }
    throw Failure(
      .badUsage, "'\(name)' accepts no temperature", input: name, nextStep: "omit --temperature")
  }

  /// Adapts the given request to the capabilities of the model.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - learned: The members that the model has refused before.
  /// - Returns: The adapted request, and the names of the parts that were left out.
  func adapted(
    _ request: ModelRequest, without learned: Set<OptionalMember>
  ) -> (request: ModelRequest, leftOut: [String]) {
    guard !quotes else { return (request, []) }
    var (adapted, leftOut) = (request, [String]())
    adapted.effort = request.effort ?? effort
    if let effort = adapted.effort, facts.accepts(effort: effort) == false {
      adapted.effort = nil
      leftOut.append("effort '\(Visible.line(effort))'")
    }
    if request.temperature != nil, facts.accepts(.temperature, effort: adapted.effort) == false {
      adapted.temperature = nil
      leftOut.append("temperature")
    }
    if !request.stopSequences.isEmpty, facts.accepts(.stop) == false {
      adapted.stopSequences = []
      leftOut.append("stop sequences")
    }
    for (member, name) in [
      (OptionalMember.temperature, "temperature"), (.stop, "stop sequences"), (.effort, "effort"),
      (.schema, "schema"),
    ] where learned.contains(member) && adapted.sends(member) {
      leftOut.append(name)
    }
    adapted.omitted.formUnion(learned)
    let usual = facts.usualOutputTokens
    adapted.maximumOutputTokens = request.maximumOutputTokens ?? usual
    if let asked = request.maximumOutputTokens, let most = facts.maxOutputTokens, asked > most {
      adapted.maximumOutputTokens = most
      report(.once("'\(name)' answers with at most \(most) tokens: lowering the limit"))
    }
    if !facts.cachesMarks {
      adapted.cachesSystem = false
      for index in adapted.turns.indices { adapted.turns[index].cachedParts = nil }
    }
    if !facts.takesCacheKey { adapted.cacheKey = nil }
    return (adapted, leftOut)
  }
}
