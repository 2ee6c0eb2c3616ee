public import Catalogue
public import Core

/// A model that was chosen, and what is needed to ask it.
public struct ModelChoice: Sendable {
  /// The name that records show: the bare one where it leads back to this model, else
  /// `provider/name`.
  public var name: String
  /// The name that the provider is asked with.
  public var model: String
  /// The interface that it is asked over.
  public var provider: any Provider
  /// What is known of the model.
  public var facts: ModelFacts
  /// The prices of its tokens; nil when unknown.
  public var prices: ModelPrices? { facts.prices }
  /// The level of effort that the configuration sets for it.
  public var effort: String?
  /// `true` if an option, a record, the environment or the configuration names it.
  public var isNamed = true
  /// The base URL of its server, without secrets; nil for its provider's own.
  public var base: String?
  /// Takes notices of how it is asked.
  var note: Note = { _ in }

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - name: The name that records show.
  ///   - model: The name that the provider is asked with; nil for the same.
  ///   - provider: The interface that it is asked over.
  ///   - facts: What is known of the model.
  public init(name: String, model: String? = nil, provider: any Provider, facts: ModelFacts) {
    self.name = name
    self.model = model ?? name
    self.provider = provider
    self.facts = facts
  }

  /// `true` if its tokens cost nothing.
  public var isFree: Bool { prices == .free }

  /// `true` if it quotes instead of writing: nothing that a request carries matters to it.
  private var quotes: Bool { provider is ExtractiveProvider }

  /// The member ``Message/modelNamed`` of its answers.
  public var namedMark: Bool? { quotes && isNamed ? true : nil }

  /// `true` if input and output have a price today, so that a budget can be kept.
  public var hasKnownPrice: Bool {
    prices?.cost(of: Usage(inputTokens: 1, outputTokens: 1), on: .today) != nil
  }

  /// Says that its price was looked up more than 90 days ago, if it was.
  public func tellOldPrice() {
    guard let asOf = prices?.entry(on: .today)?.asOf, asOf.days(until: .today) > 90 else { return }
    note(
      .once("the price of '\(name)' dates from \(asOf): update it with 'model-list prices --from'"))
  }

  /// Says once that a part of a request is left out, since the model refuses it.
  public func tell(leftOut part: String) {
    note(.once("'\(name)' does not support \(part): sending the request without it"))
  }

  /// Refuses what a person asked for on the command line and the model is known not to take.
  ///
  /// - Throws: `BadUsage`.
  public func check(temperature: Double?, effort: String?) throws(Failure) {
    guard !quotes else { return }
    if let effort, facts.takes(effort: effort) == false {
      let known = facts.efforts ?? []
      throw Failure(
        .badUsage,
        known.isEmpty
          ? "'\(name)' has no effort levels: omit --effort"
          : "'\(name)' has no effort level '\(Visible.line(effort))': use one of "
            + known.joined(separator: ", "), input: name)
    }
    try check(temperature: temperature, configuredEffort: effort)
  }

  /// Refuses a temperature of the command line that the model is known not to take.
  ///
  /// - Parameters:
  ///   - temperature: The temperature.
  ///   - configuredEffort: The effort that the request asks for, whoever set it.
  /// - Throws: `BadUsage`.
  public func check(temperature: Double?, configuredEffort: String?) throws(Failure) {
    guard !quotes, temperature != nil,
      facts.takes(.temperature, effort: configuredEffort ?? effort) == false
    else { return }
    throw Failure(
      .badUsage, "'\(name)' accepts no temperature: omit --temperature", input: name)
  }

  /// Adapts a request to what the model takes.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - learned: The members that the model refused before.
  /// - Returns: The request, and what was left out of it.
  func adapted(
    _ request: ModelRequest, without learned: Set<OptionalMember>
  ) -> (request: ModelRequest, leftOut: [String]) {
    guard !quotes else { return (request, []) }
    var (adapted, leftOut) = (request, [String]())
    adapted.effort = request.effort ?? effort
    if let effort = adapted.effort, facts.takes(effort: effort) == false {
      adapted.effort = nil
      leftOut.append("effort '\(Visible.line(effort))'")
    }
    if request.temperature != nil, facts.takes(.temperature, effort: adapted.effort) == false {
      adapted.temperature = nil
      leftOut.append("temperature")
    }
    if !request.stopSequences.isEmpty, facts.takes(.stop) == false {
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
      note(.once("'\(name)' answers with at most \(most) tokens: lowering the limit"))
    }
    if !facts.cachesMarks {
      adapted.cachesSystem = false
      for index in adapted.turns.indices { adapted.turns[index].cachedParts = nil }
    }
    if !facts.takesCacheKey { adapted.cacheKey = nil }
    return (adapted, leftOut)
  }
}
