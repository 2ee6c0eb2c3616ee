public import Catalogue
public import Core

/// The tokens of a model call, as a transcript reports them.
public struct SessionCall: Sendable, Hashable {
  /// The identity of the call, unique among all sessions of the agent.
  ///
  /// It consists of the provider's own ids, or else of the thread and its total.
  public var id: String
  /// The id of the answer.
  public var answer: String
  /// The model; nil if unknown.
  public var model: String?
  /// The provider, by its name in the catalogue, if the program calls models of several.
  public var provider: String?
  /// The tokens so far; input includes cached tokens, and output includes reasoning.
  ///
  /// They are nil if a count that is needed is absent, or if one cannot be a count.
  public var usage: Usage?
  /// The cost in US dollars, as the transcript states it; nil if it states none.
  public var costUSD: Double?
  /// The terms that the answer names, which determine its price.
  public var terms = ServiceTerms()
  /// The number of tokens that the context holds, as the program states it; nil if it states none.
  public var contextTokens: Int?
  /// `true` if the tokens are those of all calls of a turn or a run.
  public var coversTurn = false
  /// `true` if the counts are final, and not those of an answer that still arrives.
  public var isFinal = false
  /// `true` if the call also used a service whose price depends on no tokens, such as a web search.
  public var hasOtherCharges = false

  /// Creates a call.
  public init(
    id: String, answer: String, model: String?, usage: Usage?, costUSD: Double? = nil
  ) {
    (self.id, self.answer, self.model) = (id, answer, model)
    (self.usage, self.costUSD) = (usage, costUSD)
  }
}

extension SessionCall {
  /// `true` if the price of the call is that of its tokens, at the usual terms.
  public var isUsual: Bool { terms.isUsual && !hasOtherCharges }

  /// Returns the cost in US dollars: the one that the transcript states, else that of the
  /// catalogue; nil if a count, the price or a factor of the price is unknown.
  ///
  /// A subscription is not billed by the call; the cost is then what the call would cost without.
  ///
  /// - Parameters:
  ///   - agent: The program that made the call.
  ///   - instant: The time of the call.
  /// - Returns: The cost.
  public func price(by agent: CodingAgent, at instant: Timestamp) -> Double? {
    if let costUSD { return costUSD }
    guard let model, let provider = agent.provider, let usage, !hasOtherCharges else { return nil }
    let day = Day(instant)
    return Catalogue.builtIn.facts(provider, model, on: day).prices?
      .cost(of: usage, on: day, terms: terms)
  }

  /// Returns the size of the context in tokens: the one that the program states, else that of the
  /// catalogue; nil if it is unknown.
  ///
  /// - Parameters:
  ///   - agent: The program that made the call.
  ///   - instant: The time of the call.
  /// - Returns: The size.
  public func contextSize(by agent: CodingAgent, at instant: Timestamp) -> Int? {
    guard contextTokens == nil, let model, let provider = provider ?? agent.provider else {
      return contextTokens
    }
    let most = Catalogue.builtIn.facts(provider, model, on: Day(instant)).contextTokens
    // A larger context than the usual one is chosen, and shows when it is used.
    guard let usual = agent.usualContext(of: model), usage?.inputTokens ?? 0 <= usual else {
      return most
    }
    return most.map { min($0, usual) }
  }
}
