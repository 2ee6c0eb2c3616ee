import Core

/// A row of `prices.ndjson`: what a model costs, since when that is known, and where it stands.
///
/// The file is the one table of prices. Each of its lines is an object with the names of
/// `[models.NAME]`, in US dollars a million tokens.
struct PublishedPrice: Sendable, Hashable {
  /// Whose model it is.
  var provider: String
  /// The model's name as the provider knows it.
  var model: String
  /// What its tokens cost.
  var price: Price
  /// The day on which it was looked up, as `2026-11-22`.
  var asOf: String
  /// Where it stands.
  var source: String

  /// All rows, read when the first price is asked for.
  static let all = PackageResources.prices_ndjson.split(separator: UInt8(ascii: "\n"))
    .compactMap { JSONObject(Array($0)).flatMap(PublishedPrice.init) }

  /// Reads a line; nil for one that lacks what each has.
  private init?(_ row: JSONObject) {
    guard let provider = row.string("provider"), let model = row.string("name"),
      let asOf = row.string("asOf"), let source = row.string("source")
    else { return nil }
    self.provider = provider
    self.model = model
    self.asOf = asOf
    self.source = source
    price = Price(
      input: row.number("inputPricePerMillion"), output: row.number("outputPricePerMillion"),
      cacheRead: row.number("cacheReadPricePerMillion"),
      cacheWrite: row.number("cacheWritePricePerMillion"),
      cacheWrite1h: row.number("cacheWrite1hPricePerMillion"))
  }
}
