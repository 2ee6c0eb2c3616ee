public import Core
import Foundation

extension PriceTable {
  /// Stores the changed prices of models, with the day and the source of the table.
  ///
  /// A model whose new prices equal the built-in prices needs no rows. Rows that an earlier refresh
  /// stored are kept if the table lacks their model, or if they begin after the table's last day.
  ///
  /// - Parameters:
  ///   - changes: The changes to store. All prices of a changed model are stored.
  ///   - file: The file in which to store them.
  ///   - catalogue: The catalogue that the table was compared with.
  ///   - day: The first day of the comparison.
  /// - Throws: `StorageFailed` if the file cannot be written.
  public func store(
    _ changes: [PriceChange], in file: PriceFile, over catalogue: Catalogue, on day: Day
  ) throws(Failure) {
    var lasts: [String: Day] = [:]
    for model in accepted(changes) {
      for name in [model.name] + model.also {
        lasts["\(model.provider)/\(name)"] = model.prices.lastDay(from: day)
      }
    }
    try file.replace(by: kept(changes, over: catalogue, on: day)) { [lasts] row in
      guard let last = lasts["\(row.provider)/\(row.name)"] else { return false }
      return row.entry.from.map { $0 <= last } ?? true
    }
  }

  /// Returns the rows to store for the changed models, each as JSON text.
  func kept(_ changes: [PriceChange], over catalogue: Catalogue, on day: Day) -> [String] {
    accepted(changes).flatMap { model in
      entries(model, catalogue, day).compactMap { Row(model, $0, self).json }
    }
  }

  private func accepted(_ changes: [PriceChange]) -> [Model] {
    let names = Set(changes.map(\.model))
    return models.filter { names.contains($0.id) }
  }

  /// Returns the stored price that remains in force in the period for which the table has none.
  ///
  /// It is nil if that price equals the built-in price.
  private func goingOn(
    _ known: ModelPrices?, over builtIn: ModelPrices?, on day: Day
  ) -> ModelPrices.Entry? {
    guard let entry = known?.entry(on: day), !entry.costsAs(builtIn?.entry(on: day)) else {
      return nil
    }
    return entry
  }

  /// Returns the prices of the given model from the given day on.
  ///
  /// Each entry ends when the next one begins.
  private func entries(
    _ model: Model, _ catalogue: Catalogue, _ day: Day
  ) -> [ModelPrices.Entry] {
    let builtIn = Catalogue.builtIn.facts(model.provider, model.name, on: day).prices
    let known = catalogue.facts(model.provider, model.name, on: day).prices
    let steps = steps(model, catalogue, day)
    guard steps.contains(where: { $0.after?.costsAs(builtIn?.entry(on: $0.day)) == false }) else {
      return []
    }
    var entries: [ModelPrices.Entry] = []
    var isOpen = false
    for step in steps {
      guard var entry = step.after ?? goingOn(known, over: builtIn, on: step.day) else {
        if isOpen { entries[entries.count - 1].until = step.day }
        isOpen = false
        continue
      }
      // Tables do not state price factors, so the built-in factors stay.
      entry.factors = builtIn?.entry(on: step.day)?.factors ?? builtIn?.entries.last?.factors
      if isOpen, let last = entries.last {
        if last.costsAs(entry), last.factors == entry.factors { continue }
        entries[entries.count - 1].until = step.day
      }
      entry.from = step.day > day ? step.day : entry.from ?? (step.before == nil ? nil : day)
      entry.until = nil
      entries.append(entry)
      isOpen = true
    }
    // Prices announced for later days stay unchanged.
    let last = model.prices.lastDay(from: day)
    if isOpen {
      let next = known?.entries.compactMap(\.from).filter { $0 > last }.min()
      entries[entries.count - 1].until = next
    }
    return entries
  }

  /// A row in the file of refreshed prices.
  private struct Row: Encodable {
    struct Amounts: Encodable {
      var aboveInputTokens: Int?
      var input, output, cacheRead, cacheWrite, cacheWrite1h: Double?

      init(_ price: Price, above tokens: Int? = nil) {
        aboveInputTokens = tokens
        (input, output) = (price.input, price.output)
        (cacheRead, cacheWrite, cacheWrite1h) = (
          price.cacheRead, price.cacheWrite, price.cacheWrite1h
        )
      }
    }

    let type = "price"
    var provider, name: String
    var also: [String]?
    var from, until: String?
    var prices: Amounts
    var bands: [Amounts]?
    var factors: [String: Double]?
    var asOf, source: String

    init(_ model: Model, _ entry: ModelPrices.Entry, _ table: PriceTable) {
      (provider, name) = (model.provider, model.name)
      also = model.also.isEmpty ? nil : model.also
      (from, until) = (entry.from?.description, entry.until?.description)
      prices = Amounts(entry.price)
      let larger = entry.bands.map { Amounts($0.price, above: $0.aboveInputTokens) }
      bands = larger.isEmpty ? nil : larger
      factors = entry.factors.flatMap { $0.isEmpty ? nil : $0 }
      asOf = (entry.asOf ?? table.asOf).description
      source = Visible.line(String((entry.source ?? table.source).prefix(300)))
    }

    /// The row as JSON; nil if a number cannot be written as JSON.
    var json: String? {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
