import Core

/// A reader of genai-prices' file `data.json`, which lists providers and the prices of their
/// models.
///
/// It follows the rules of genai-prices. If prices have tiers, the highest tier whose `start` the
/// input exceeds applies to the whole request. If prices have conditions, the last condition whose
/// day has come applies. If no such day has come, the first condition applies.
struct GenAIPrices {
  private static let mostConditions = 1000
  private static let mostTiers = 64

  let source: String
  private(set) var models: [PriceTable.Model] = []
  private(set) var notes: [String] = []
  /// The number of prices that were read so far, counted by name and day.
  private var rows = 0

  init(source: String) { self.source = source }

  /// A model that the file lists.
  private struct Listed {
    var id: String
    var names: [String]
    var entries: [ModelPrices.Entry]
  }

  /// Reads the models of the given provider.
  mutating func read(_ provider: JSONObject) throws(Failure) {
    guard let id = provider.string("id") else {
      throw PriceTable.fault("a provider has no id", in: source)
    }
    guard PriceTable.providers.contains(id) else { return }
    guard let objects = provider.onlyObjects("models") else {
      throw PriceTable.fault("'\(id)' has no list of models", in: source)
    }
    var listed: [Listed] = []
    for object in objects {
      let name = object.string("id") ?? ""
      try PriceTable.check(name: name, of: id, source)
      let entries = try entries(object, "\(id)/\(name)")
      guard entries.contains(where: { $0.price.input != nil || $0.price.output != nil }) else {
        continue
      }
      listed.append(
        Listed(id: name, names: object.object("match").map(Self.names) ?? [], entries: entries))
    }
    for (name, model) in try names(listed, of: id) {
      // The prices of `model.id` were already counted when they were read.
      if name != model.id { rows += model.entries.count }
      models.append(
        PriceTable.Model(provider: id, name: name, prices: ModelPrices(model.entries)))
    }
    try PriceTable.check(rows: rows, source)
  }

  /// Returns the models by their ids, and by the other names that their clauses list.
  ///
  /// Patterns are ignored, because a `starts_with` clause may be older than a longer name with
  /// lower prices. The catalogue knows the names that belong to one model.
  private func names(
    _ listed: [Listed], of provider: String
  ) throws(Failure) -> [String: Listed] {
    var models: [String: Listed] = [:]
    for model in listed where models[model.id] == nil { models[model.id] = model }
    for model in listed {
      for name in model.names where models[name] == nil {
        try PriceTable.check(name: name, of: provider, source)
        models[name] = model
      }
    }
    return models
  }

  /// Returns the names that the given clause lists.
  private static func names(_ clause: JSONObject) -> [String] {
    if let name = clause.string("equals") { return [name] }
    return clause.objects("or").flatMap(names)
  }

  // MARK: Prices

  /// Reads the prices of the given model by day.
  ///
  /// There are none if they depend on more than the day.
  private mutating func entries(
    _ model: JSONObject, _ name: String
  ) throws(Failure) -> [ModelPrices.Entry] {
    rows += 1
    if let prices = model.object("prices") { return [try entry(prices, name)] }
    guard let list = model.onlyObjects("prices"), list.count <= Self.mostConditions else {
      throw fault(name, "prices")
    }
    rows += list.count
    try PriceTable.check(rows: rows, source)
    var conditions: [ModelPrices.Entry] = []
    for part in list {
      guard let prices = part.object("prices") else { throw fault(name, "prices") }
      var entry = try entry(prices, name)
      if part.has("constraint") {
        let constraint = part.object("constraint")
        if let text = constraint?.string("start_date") {
          guard let day = Day(text) else { throw fault(name, "start_date") }
          entry.from = day
        } else if constraint != nil, constraint?.has("start_date") == false {
          notes.append(
            "skipped '\(PriceTable.shown(name))': its prices depend on more than the day")
          return []
        } else {
          throw fault(name, "constraint")
        }
      }
      conditions.append(entry)
    }
    return Self.timeline(conditions)
  }

  /// Returns the given conditional prices as consecutive entries.
  ///
  /// On each day, the last condition that holds applies.
  private static func timeline(_ conditions: [ModelPrices.Entry]) -> [ModelPrices.Entry] {
    guard let first = conditions.first else { return [] }
    var entries: [ModelPrices.Entry] = []
    for day in [nil] + Set(conditions.compactMap(\.from)).sorted().map(Optional.some) {
      var entry =
        conditions.last { condition in
          condition.from.map { from in day.map { from <= $0 } ?? false } ?? true
        } ?? first
      entry.from = day
      if let last = entries.last {
        if last.costsAs(entry) { continue }
        entries[entries.count - 1].until = day
      }
      entries.append(entry)
    }
    return entries
  }

  /// A price, with the prices of requests that have larger inputs.
  private struct Tiers {
    var base: Double
    var tiers: [(start: Int, price: Double)] = []

    /// Returns the price of requests with more than the given number of input tokens.
    func price(above tokens: Int?) -> Double {
      guard let tokens else { return base }
      return tiers.last { $0.start <= tokens }?.price ?? base
    }
  }

  private func entry(_ prices: JSONObject, _ name: String) throws(Failure) -> ModelPrices.Entry {
    var parts: [String: Tiers] = [:]
    // Every price is validated, even if it is not used.
    for member in prices.names where prices.has(member) {
      parts[member] = try tiers(prices, member, name)
    }
    func price(above tokens: Int?) -> Price {
      func part(_ names: String...) -> Double? {
        names.lazy.compactMap { parts[$0] }.first?.price(above: tokens)
      }
      return Price(
        input: part("input_mtok"), output: part("output_mtok"), cacheRead: part("cache_read_mtok"),
        cacheWrite: part("cache_write_5m_mtok", "cache_write_mtok"),
        cacheWrite1h: part("cache_write_1h_mtok"))
    }
    var entry = ModelPrices.Entry(price: price(above: nil))
    var last = entry.price
    for start in Set(parts.values.flatMap { $0.tiers.map(\.start) }).sorted() {
      let larger = price(above: start)
      if larger != last { entry.bands.append(PriceBand(aboveInputTokens: start, price: larger)) }
      last = larger
    }
    return entry
  }

  private func tiers(
    _ prices: JSONObject, _ member: String, _ name: String
  ) throws(Failure) -> Tiers {
    guard let tiered = prices.object(member) else {
      return Tiers(base: try number(prices, member, of: name, member))
    }
    var tiers = Tiers(base: try number(tiered, "base", of: name, member))
    guard let list = tiered.onlyObjects("tiers"), list.count <= Self.mostTiers else {
      throw fault(name, member)
    }
    for tier in list {
      guard let start = tier.integer("start"), start >= 0 else { throw fault(name, member) }
      tiers.tiers.append((start, try number(tier, "price", of: name, member)))
    }
    tiers.tiers.sort { $0.start < $1.start }
    return tiers
  }

  private func number(
    _ object: JSONObject, _ member: String, of model: String, _ what: String
  ) throws(Failure) -> Double {
    guard let number = object.number(member), Price.possible.contains(number) else {
      throw fault(model, what)
    }
    return number
  }

  private func fault(_ model: String, _ what: String) -> Failure {
    PriceTable.fault(
      "'\(PriceTable.shown(model))' has no valid '\(PriceTable.shown(what))'", in: source)
  }
}
