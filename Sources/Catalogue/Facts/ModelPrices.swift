public import Core

/// The prices of a model over time.
public struct ModelPrices: Sendable, Hashable {
  /// Prices, and the days on which they apply.
  public struct Entry: Sendable, Hashable {
    /// The first day; nil if the prices have always applied.
    public var from: Day?
    /// The first day on which the prices no longer apply; nil if none is known.
    public var until: Day?
    /// The prices of a request that is in no band.
    public var price: Price
    /// The prices of larger requests.
    public var bands: [PriceBand] = []
    /// The price factors of tiers, geographies and speeds; nil if the prices apply to all of them.
    public var factors: [String: Double]?
    /// The day on which the prices were looked up; nil for prices that the user configured.
    public var asOf: Day?
    /// The source of the prices.
    public var source: String?

    /// Creates an entry from prices and the days on which they apply.
    public init(price: Price, from: Day? = nil, until: Day? = nil) {
      self.price = price
      self.from = from
      self.until = until
    }

    func holds(on day: Day) -> Bool {
      from.map { $0 <= day } ?? true && until.map { day < $0 } ?? true
    }

    /// Returns the prices of a request with the given number of input tokens.
    func price(forInput tokens: Int) -> Price {
      bands.filter { tokens > $0.aboveInputTokens }
        .max { $0.aboveInputTokens < $1.aboveInputTokens }?.price ?? price
    }
  }

  /// The entries; of the entries that apply on a day, the last one is used.
  public var entries: [Entry]

  /// Creates prices from entries.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// The prices of a free model.
  public static let free = ModelPrices([Entry(price: .free)])

  /// Returns the entry that applies on the given day.
  public func entry(on day: Day) -> Entry? { entries.last { $0.holds(on: day) } }

  /// Returns the cost of a request in US dollars.
  ///
  /// - Parameters:
  ///   - usage: The tokens of one request. A sum of requests would be assigned to the wrong bands.
  ///   - day: The day of the request.
  ///   - terms: The terms that the response names.
  /// - Returns: The cost; nil if a price or a price factor is unknown.
  public func cost(of usage: Usage, on day: Day, terms: ServiceTerms = ServiceTerms()) -> Double? {
    guard let entry = entry(on: day) else { return nil }
    let factor = entry.factors.map(terms.factor) ?? 1
    guard let factor else { return nil }
    return entry.price(forInput: usage.inputTokens).cost(of: usage, times: factor)
  }
}
