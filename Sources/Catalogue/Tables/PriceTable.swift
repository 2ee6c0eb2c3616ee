public import Core

/// A published table of prices.
///
/// It is the file `data.json` of genai-prices, or a file in the catalogue's own format. That is the
/// format of `models.ndjson`: rows of the types `price` and `model`, one per line or in a JSON
/// array. Only models of Anthropic, OpenAI and Google are read.
public struct PriceTable: Sendable {
  /// The prices of one model.
  struct Model: Sendable, Hashable {
    var provider: String
    var name: String
    var prices: ModelPrices
    /// The other names that the catalogue has for the model.
    var also: [String] = []

    /// The provider and the name, separated by a slash.
    var id: String { "\(provider)/\(name)" }
  }

  static let providers = ["anthropic", "google", "openai"]
  private static let mostRows = 20_000
  private static let longestName = 200

  /// The models under their names in the catalogue, sorted by provider and name.
  let models: [Model]
  /// The file or the URL from which the table was read.
  let source: String
  /// The day on which the table was read.
  let asOf: Day
  /// Sentences that report the models that were skipped.
  public let notes: [String]

  private init(_ models: [Model], source: String, asOf: Day, notes: [String] = []) {
    var known: [String: Model] = [:]
    for model in models {
      let names = Catalogue.builtIn.allNames(of: model.provider, model.name)
      var named = model
      (named.name, named.also) = (names[0], Array(names.dropFirst()))
      // The model's own name takes precedence over its other names.
      if known[named.id] == nil || model.name == named.name { known[named.id] = named }
    }
    self.models = known.values.sorted { ($0.provider, $0.name) < ($1.provider, $1.name) }
    self.source = source
    self.asOf = asOf
    self.notes = notes
  }

  /// Reads a table in either of the two formats.
  ///
  /// If one price is invalid, the whole table is rejected, because other prices may be damaged,
  /// too.
  ///
  /// - Parameters:
  ///   - bytes: The table.
  ///   - source: The file or the URL of the table, without secrets.
  ///   - asOf: The day on which the table is read.
  /// - Returns: The table.
  /// - Throws: `BadInput` if the table is invalid. The failure names the invalid model.
  public static func read(
    _ bytes: [UInt8], source: String, asOf: Day
  ) throws(Failure) -> PriceTable {
    guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[") else {
      return try own(try lines(bytes, source), source, asOf)
    }
    let list = JSONObject(Array("{\"rows\":".utf8) + bytes + Array("}".utf8))
    guard let list, list.names == ["rows"], let rows = list.onlyObjects("rows") else {
      throw fault("it is not a JSON array of objects", in: source)
    }
    guard rows.contains(where: { $0.has("models") }) else { return try own(rows, source, asOf) }
    var table = GenAIPrices(source: source)
    for row in rows { try table.read(row) }
    return PriceTable(table.models, source: source, asOf: asOf, notes: table.notes)
  }

  /// Returns the rows of the given table, which is in the catalogue's format.
  private static func lines(_ bytes: [UInt8], _ source: String) throws(Failure) -> [JSONObject] {
    var rows: [JSONObject] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      guard let row = JSONObject(Array(line)) else {
        throw fault("line \(index + 1) is not a JSON object", in: source)
      }
      rows.append(row)
    }
    return rows
  }

  private static func own(
    _ rows: [JSONObject], _ source: String, _ asOf: Day
  ) throws(Failure) -> PriceTable {
    try check(rows: rows.count, source)
    var models: [String: Model] = [:]
    for (index, row) in rows.enumerated() {
      guard let type = row.string("type") else {
        throw fault("row \(index + 1) has no type", in: source)
      }
      // The catalogue's format also has rows of other types.
      guard type == "price" || type == "model" else { continue }
      guard let provider = row.string("provider"), let name = row.string("name") else {
        throw fault("row \(index + 1) names no model", in: source)
      }
      guard providers.contains(provider) else { continue }
      let model = "\(provider)/\(name)"
      try check(name: name, of: provider, source)
      guard var found = CatalogueRow(row), found.isStrict(row) else {
        throw fault("'\(shown(model))' has an invalid price or day", in: source)
      }
      if let day = found.entry.asOf { found.entry.asOf = min(day, asOf) }
      guard found.entry.hasPrices else { continue }
      models[model, default: Model(provider: provider, name: name, prices: ModelPrices([]))]
        .prices.entries.append(found.entry)
    }
    guard !models.isEmpty else { throw fault("it has no prices", in: source) }
    return PriceTable(Array(models.values), source: source, asOf: asOf)
  }

  // MARK: Faults

  /// Throws a failure if a table has too many rows.
  static func check(rows: Int, _ source: String) throws(Failure) {
    guard rows <= mostRows else { throw fault("it has more than \(mostRows) rows", in: source) }
  }

  /// Throws a failure if no model can have the given name.
  static func check(name: String, of provider: String, _ source: String) throws(Failure) {
    guard !name.isEmpty, name.utf8.count <= longestName, Visible.line(name) == name else {
      throw fault("'\(shown("\(provider)/\(name)"))' is not a valid model name", in: source)
    }
  }

  /// Returns the given name in a form that is safe for a message.
  static func shown(_ name: String) -> String { String(Visible.line(name).prefix(80)) }

  /// Returns the failure that reports an unusable table, for the given reason.
  static func fault(_ reason: String, in source: String) -> Failure {
    Failure(
      .badInput, "'\(source)' is not a price table: \(reason)", kind: .priceTable, input: source)
  }
}

extension CatalogueRow {
  /// Returns `true` if every price and every day in the given row could be read.
  fileprivate func isStrict(_ row: JSONObject) -> Bool {
    let bands = row.has("bands") ? row.onlyObjects("bands")?.count : 0
    let factors = row.has("factors") ? row.object("factors")?.names.count : 0
    let isOrdered = entry.from.flatMap { from in entry.until.map { from < $0 } } ?? true
    let hasPrices = row.has("prices") == (row.object("prices") != nil)
    return bands == entry.bands.count && factors == entry.factors?.count && isOrdered && hasPrices
      && (entry.factors ?? [:]).values.allSatisfy { (0...1000).contains($0) }
      && row.has("asOf") == (entry.asOf != nil)
  }
}

extension FailureKind {
  /// The kind of a failure about an unusable table of prices.
  static let priceTable = Self(rawValue: "priceTable")
}
