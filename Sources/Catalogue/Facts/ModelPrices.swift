public import Core

/// The prices of a model over time.
public struct ModelPrices: Sendable, Hashable {
  /// A price and the days on which it applies.
  public struct Entry: Sendable, Hashable {
    /// The first day; nil if it always applied.
    public var from: Day?
    /// The first day on which it no longer applies; nil if none is known.
    public var until: Day?
    /// The price of a request outside all bands.
    public var price: Price
    /// The prices of larger requests.
    public var bands: [PriceBand] = []
    /// The factors of tiers, geographies and speeds; nil if the price applies to all of them.
    public var factors: [String: Double]?
    /// The day on which the price was looked up; nil for a user's own price.
    public var asOf: Day?
    /// The source of the price.
    public var source: String?

    /// Creates an entry.
    public init(price: Price, from: Day? = nil, until: Day? = nil) {
      self.price = price
      self.from = from
      self.until = until
    }

    func holds(on day: Day) -> Bool {
      from.map { $0 <= day } ?? true && until.map { day < $0 } ?? true
    }

    /// Returns the price of a request with so many input tokens.
    func price(forInput tokens: Int) -> Price {
      bands.filter { tokens > $0.aboveInputTokens }
        .max { $0.aboveInputTokens < $1.aboveInputTokens }?.price ?? price
    }
  }

  /// The entries; a later entry takes precedence over an earlier one.
  public var entries: [Entry]

  /// Creates prices.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// The prices of a free model.
  public static let free = ModelPrices([Entry(price: .free)])

  /// Returns the entry in force on a day.
  public func entry(on day: Day) -> Entry? { entries.last { $0.holds(on: day) } }

  /// Returns the cost of a request in US dollars.
  ///
  /// - Parameters:
  ///   - usage: The tokens of one request; bands do not apply to sums.
  ///   - day: The day of the request.
  ///   - terms: The terms that the response named.
  /// - Returns: Nil if a price or the terms are unknown.
  public func cost(of usage: Usage, on day: Day, terms: ServiceTerms = ServiceTerms()) -> Double? {
    guard let entry = entry(on: day) else { return nil }
    let factor = entry.factors.map(terms.factor) ?? 1
    guard let factor else { return nil }
    return entry.price(forInput: usage.inputTokens).cost(of: usage, times: factor)
  }
}
