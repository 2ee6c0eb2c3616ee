import Core

extension ModelFacts {
  /// Replaces the published prices with the prices in the user's configuration.
  ///
  /// A configured input price also removes the price bands, because they belong to the published
  /// price. Cache prices that are not configured keep their ratio to the input price.
  mutating func set(prices settings: Settings.ModelSettings, on day: Day) {
    let published = prices?.entry(on: day)
    var price = published?.price ?? Price()
    var bands = published?.bands ?? []
    if let input = settings.inputPricePerMillion {
      let ratio = price.input.flatMap { $0 > 0 ? input / $0 : nil }
      // Rounding removes the noise of binary fractions.
      func scaled(_ price: Double?) -> Double? {
        ratio.flatMap { ratio in price.map { ($0 * ratio * 1e9).rounded() / 1e9 } }
      }
      price.cacheRead = scaled(price.cacheRead)
      price.cacheWrite = scaled(price.cacheWrite)
      price.cacheWrite1h = scaled(price.cacheWrite1h)
      price.input = input
      bands = []
    }
    price.output = settings.outputPricePerMillion ?? price.output
    price.cacheRead = settings.cacheReadPricePerMillion ?? price.cacheRead
    price.cacheWrite = settings.cacheWritePricePerMillion ?? price.cacheWrite
    price.cacheWrite1h = settings.cacheWrite1hPricePerMillion ?? price.cacheWrite1h
    if let own = settings.bands { bands = own.map(PriceBand.init) }
    guard price != published?.price ?? Price() || bands != published?.bands ?? [] else { return }
    var entry = ModelPrices.Entry(price: price)
    entry.bands = bands
    // The published factors do not apply to an input price that the user configured.
    entry.factors = settings.inputPricePerMillion == nil ? published?.factors : nil
    prices = ModelPrices([entry])
  }
}

extension PriceBand {
  init(_ band: ModelRecord.Band) {
    self.init(
      aboveInputTokens: band.aboveInputTokens,
      price: Price(
        input: band.inputPricePerMillion, output: band.outputPricePerMillion,
        cacheRead: band.cacheReadPricePerMillion, cacheWrite: band.cacheWritePricePerMillion,
        cacheWrite1h: band.cacheWrite1hPricePerMillion))
  }
}
