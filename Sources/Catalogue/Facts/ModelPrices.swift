public import Core

/// The prices of a model over time.
public struct ModelPrices: Sendable, Hashable {
  /// Prices, with the period in which they apply.
  public struct Entry: Sendable, Hashable {
    /// The first day on which the prices apply; nil if they have always applied.
    public var from: Day?
    /// The first day on which the prices no longer apply; nil if no such day is known.
    public var until: Day?
    /// The prices of a request that belongs to no band.
    public var price: Price
    /// The prices of requests with larger inputs.
    public var bands: [PriceBand] = []
    /// The price factors of tiers, regions and speeds, by name.
    ///
    /// It is nil if the same prices apply to all of them.
    public var factors: [String: Double]?
    /// The day on which the prices were looked up; nil for prices that the user configured.
    public var asOf: Day?
    /// The source that the prices were taken from.
    public var source: String?

    /// Creates an entry from the given prices and period.
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

  /// The entries.
  ///
  /// If several entries apply on a day, the last one is used.
  public var entries: [Entry]

  /// Creates prices from the given entries.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// The prices of a free model.
  public static let free = ModelPrices([Entry(price: .free)])

  /// Returns the entry that applies on the given day; nil if none applies.
  public func entry(on day: Day) -> Entry? { entries.last { $0.holds(on: day) } }

  /// Returns the cost of a request in US dollars.
  ///
  /// - Parameters:
  ///   - usage: The tokens of one request. The total of several requests would select the wrong
  ///     band.
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
