public import Core

extension PriceTable {
  /// A day on which a price of a model begins or ends, in the table or in the catalogue.
  struct Step: Hashable {
    var day: Day
    /// The prices that applied before that day; nil if none are known.
    var before: ModelPrices.Entry?
    /// The table's prices from that day on; nil if the table has none.
    var after: ModelPrices.Entry?

    /// `true` if the table's prices differ from the earlier prices.
    var isChange: Bool { after.map { !$0.costsAs(before) } ?? false }
  }

  /// Returns the prices in the table that differ from the prices of the given catalogue.
  ///
  /// A price that the table does not name stays unchanged. Cache prices are an exception: they keep
  /// their ratio to the input price. Prices that the catalogue announces for a day after the last
  /// day in the table stay unchanged, too.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue to compare with.
  ///   - day: The first day of the comparison.
  /// - Returns: The changes, sorted by provider, name and day.
  public func changes(against catalogue: Catalogue, on day: Day) -> [PriceChange] {
    models.flatMap { model in
      var last: Step?
      return steps(model, catalogue, day).compactMap { step -> PriceChange? in
        let isSame = last.map { $0.costsAs(step) } ?? false
        last = step
        guard step.isChange, !isSame, let after = step.after else { return nil }
        // Several runs must not add up to a tenfold change that no run has by itself.
        let builtIn = Catalogue.builtIn.facts(model.provider, model.name, on: step.day).prices
        let isTenfold = [step.before, builtIn?.entry(on: step.day)].contains {
          after.isTenfold(from: $0)
        }
        var change = PriceChange(
          provider: model.provider, name: model.name, before: step.before.map { .init($0) },
          after: .init(after), tenfold: isTenfold)
        change.from = (step.day > day ? step.day : after.from)?.description
        return change
      }
    }
  }

  /// Returns the days, from `day` to the last day in the table, on which prices begin or end.
  ///
  /// Each day is returned with the prices before and after it.
  func steps(_ model: Model, _ catalogue: Catalogue, _ day: Day) -> [Step] {
    let known = catalogue.facts(model.provider, model.name, on: day).prices
    let last = model.prices.lastDay(from: day)
    let days = (model.prices.days + (known?.days ?? [])).filter { day < $0 && $0 <= last }
    return ([day] + Set(days).sorted()).map { day in
      // A row without prices is treated as absent.
      let before = known?.entry(on: day).flatMap { $0.hasPrices ? $0 : nil }
      return Step(
        day: day, before: before,
        after: model.prices.entry(on: day).map { before.map($0.completed) ?? $0 })
    }
  }
}

extension PriceTable.Step {
  fileprivate func costsAs(_ other: Self) -> Bool {
    switch (before, after, other.before, other.after) {
    case (let before?, let after?, let otherBefore?, let otherAfter?):
      before.costsAs(otherBefore) && after.costsAs(otherAfter)
    case (nil, let after?, nil, let otherAfter?): after.costsAs(otherAfter)
    default: false
    }
  }
}

extension PriceChange {
  /// The provider and the name, separated by a slash, as command-line options accept them.
  public var model: String { "\(provider)/\(name)" }
}

extension PriceChange.Prices {
  init(_ entry: ModelPrices.Entry) {
    self.init()
    (inputPricePerMillion, outputPricePerMillion) = (entry.price.input, entry.price.output)
    cacheReadPricePerMillion = entry.price.cacheRead
    cacheWritePricePerMillion = entry.price.cacheWrite
    cacheWrite1hPricePerMillion = entry.price.cacheWrite1h
    bands = entry.bands.isEmpty ? nil : entry.bands.map { ModelRecord.Band($0) }
  }
}

extension ModelRecord.Band {
  init(_ band: PriceBand) {
    self.init(aboveInputTokens: band.aboveInputTokens)
    (inputPricePerMillion, outputPricePerMillion) = (band.price.input, band.price.output)
    cacheReadPricePerMillion = band.price.cacheRead
    cacheWritePricePerMillion = band.price.cacheWrite
    cacheWrite1hPricePerMillion = band.price.cacheWrite1h
  }
}

extension ModelPrices {
  /// The days on which entries begin or end.
  var days: [Day] { entries.flatMap { [$0.from, $0.until] }.compactMap(\.self) }

  /// Returns the last day on which an entry begins or ends, or `day` if that is later.
  func lastDay(from day: Day) -> Day { max(days.max() ?? day, day) }
}

extension ModelPrices.Entry {
  private var sortedBands: [PriceBand] {
    bands.sorted { $0.aboveInputTokens < $1.aboveInputTokens }
  }

  /// Returns `true` if every request costs the same under this entry and the given one.
  func costsAs(_ other: Self?) -> Bool {
    guard let other else { return false }
    return price == other.price && sortedBands == other.sortedBands
  }

  /// `true` if the entry has at least one price.
  var hasPrices: Bool { price != Price() || !bands.isEmpty }

  /// Returns this entry, with its missing prices taken from the given previous entry.
  func completed(by before: Self) -> Self {
    var entry = self
    entry.price = price.completed(by: before.price)
    entry.bands = bands.map { band in
      PriceBand(
        aboveInputTokens: band.aboveInputTokens,
        price: band.price.completed(by: before.price(forInput: band.aboveInputTokens + 1)))
    }
    return entry
  }

  /// Returns `true` if a price differs from the given earlier one by a factor of ten or more.
  ///
  /// A price that changed from or to zero counts, too.
  func isTenfold(from before: Self?) -> Bool {
    guard let before else { return false }
    let limits = (before.bands + bands).map { $0.aboveInputTokens + 1 }
    return ([0] + limits).contains { tokens in
      price(forInput: tokens).isTenfold(from: before.price(forInput: tokens))
    }
  }
}

extension Price {
  /// The range of plausible prices of a million tokens, in US dollars.
  static let possible = 0.0...1_000_000

  private var parts: [Double?] { [input, output, cacheRead, cacheWrite, cacheWrite1h] }

  fileprivate func completed(by before: Price) -> Price {
    var price = self
    price.input = input ?? before.input
    price.output = output ?? before.output
    func scaled(_ old: Double?) -> Double? {
      guard let old, let input = price.input, let oldInput = before.input else { return nil }
      guard input != oldInput else { return old }
      // Rounding removes the noise of binary fractions: a ratio of decimal prices is decimal.
      let scaled = (old / oldInput * input * 1e9).rounded() / 1e9
      return Self.possible.contains(scaled) ? scaled : nil
    }
    price.cacheRead = cacheRead ?? scaled(before.cacheRead)
    price.cacheWrite = cacheWrite ?? scaled(before.cacheWrite)
    price.cacheWrite1h = cacheWrite1h ?? scaled(before.cacheWrite1h)
    return price
  }

  fileprivate func isTenfold(from before: Price) -> Bool {
    zip(before.parts, parts).contains { old, new in
      guard let old, let new, old != new else { return false }
      // A ratio to zero is infinite. The limit is slightly below ten, because 0.07 times ten is not
      // 0.7 in binary.
      return max(old, new) / min(old, new) > 9.999_999
    }
  }
}
