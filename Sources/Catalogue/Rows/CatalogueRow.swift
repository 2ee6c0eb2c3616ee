import Core

/// A row that describes a model from a given day on.
struct CatalogueRow: Sendable, Hashable {
  var provider: String
  var name: String
  /// The other names of the model.
  var also: [String]
  var kind: String
  var facts = ModelFacts.Limits()
  var entry: ModelPrices.Entry

  /// Returns `true` if the row describes the given provider's model with the given name.
  func describes(_ provider: String, _ name: String) -> Bool {
    self.provider == provider && (self.name == name || also.contains(name))
  }

  /// Decodes the given row; nil if it is of another type or lacks a required member.
  init?(_ row: JSONObject) {
    guard let provider = row.string("provider"), let name = row.string("name"), !name.isEmpty,
      let entry = ModelPrices.Entry(row)
    else { return nil }
    self.provider = provider
    self.name = name
    self.entry = entry
    kind = row.string("kind") ?? "chat"
    also = row.strings("also") ?? []
    switch row.string("type") {
    case "model": facts = ModelFacts.Limits(row)
    case "price": break
    default: return nil
    }
  }
}

extension ModelPrices.Entry {
  /// Decodes the days and prices in the given row; nil if one of them is invalid.
  init?(_ row: JSONObject) {
    let days = ["from", "until"].map { name in row.string(name).flatMap { Day($0) } }
    guard !row.has("from") || days[0] != nil, !row.has("until") || days[1] != nil,
      let price = Price(row.object("prices"))
    else { return nil }
    self.init(price: price, from: days[0], until: days[1])
    for band in row.objects("bands") {
      guard let above = band.integer("aboveInputTokens"), above >= 0, let price = Price(band) else {
        return nil
      }
      bands.append(PriceBand(aboveInputTokens: above, price: price))
    }
    var factors: [String: Double] = [:]
    for name in row.object("factors")?.names ?? [] {
      factors[name] = row.object("factors")?.number(name)
    }
    self.factors = factors
    asOf = row.string("asOf").flatMap { Day($0) }
    source = row.string("source")
  }
}

extension Price {
  /// Decodes the given prices by name; nil if a price is negative or implausible.
  init?(_ prices: JSONObject?) {
    let names = ["input", "output", "cacheRead", "cacheWrite", "cacheWrite1h"]
    let numbers = names.map { name in prices?.number(name) }
    for (name, number) in zip(names, numbers) where prices?.has(name) == true {
      guard let number, number >= 0, number <= 1_000_000 else { return nil }
    }
    self.init(
      input: numbers[0], output: numbers[1], cacheRead: numbers[2], cacheWrite: numbers[3],
      cacheWrite1h: numbers[4])
  }
}
