/// A model that was chosen, and what is needed to ask it.
public struct ModelChoice: Sendable {
  /// The name that records show: the bare one where it leads back to this model, else
  /// `provider/name`.
  public var name: String
  /// The name that the provider is asked with.
  public var model: String
  /// Who is asked.
  public var provider: any Provider
  /// What its tokens cost; nil when unknown.
  public var price: Price?
  /// How many tokens its context holds, where the configuration says so.
  public var contextTokens: Int?

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - name: The name that records show.
  ///   - model: The name that the provider is asked with; nil for the same.
  ///   - provider: Who is asked.
  ///   - price: What its tokens cost; nil when unknown.
  public init(name: String, model: String? = nil, provider: any Provider, price: Price?) {
    self.name = name
    self.model = model ?? name
    self.provider = provider
    self.price = price
  }
}
