import Core

/// The decoded rows of a catalogue.
///
/// They describe models, aliases, defaults, name prefixes, ended services and the billing of
/// refusals.
struct CatalogueRows: Sendable {
  /// A row that names the default model of a provider, for a kind of model and possibly a role.
  struct Default: Sendable {
    var provider: String
    var kind: String
    var role: String?
    var name: String
  }

  /// A row that states the provider and the kind of models whose names begin with a given prefix.
  struct Names: Sendable {
    var provider: String
    var prefix: String
    var kind: String
    /// `true` if a digit must follow the prefix.
    var hasDigit: Bool
  }

  /// A row that states if a provider bills refusals of a given category.
  struct Refusal: Sendable {
    var provider: String
    var category: String
    var isBilled: Bool
    var from: Day?
  }

  private(set) var models: [CatalogueRow] = []
  private(set) var aliases: [(alias: String, name: String)] = []
  private(set) var defaults: [Default] = []
  private(set) var names: [Names] = []
  private(set) var services: [String: Catalogue.EndedService] = [:]
  private(set) var refusals: [Refusal] = []
  /// The indices in `models` of the rows with a given name.
  private var places: [String: [Int]] = [:]

  /// Decodes the given rows, one per line.
  ///
  /// Rows of an unknown type and invalid lines are skipped.
  init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let row = JSONObject(Array(line)) else { continue }
      add(row)
    }
  }

  private mutating func add(_ row: JSONObject) {
    if let model = CatalogueRow(row) {
      for name in [model.name] + model.also { places[name, default: []].append(models.count) }
      return models.append(model)
    }
    let provider = row.string("provider") ?? ""
    switch (row.string("type"), row.string("name")) {
    case ("alias", let name?):
      if let alias = row.string("alias") { aliases.append((alias, name)) }
    case ("default", let name?):
      defaults.append(
        Default(
          provider: provider, kind: row.string("kind") ?? "chat", role: row.string("role"),
          name: name))
    case ("names", _):
      guard let prefix = row.string("prefix") else { return }
      names.append(
        Names(
          provider: provider, prefix: prefix, kind: row.string("kind") ?? "chat",
          hasDigit: row.isTrue("digitFollows")))
    case ("service", _):
      guard let title = row.string("title"), let ended = row.string("ended").flatMap({ Day($0) })
      else { return }
      services[provider] = Catalogue.EndedService(title: title, ended: ended)
    case ("refusal", _):
      guard let category = row.string("category") else { return }
      refusals.append(
        Refusal(
          provider: provider, category: category, isBilled: row.isTrue("billed"),
          from: row.string("from").flatMap { Day($0) }))
    default: return
    }
  }

  /// Returns the rows that describe the given model, in the order of the file.
  func models(_ provider: String, _ name: String) -> [CatalogueRow] {
    (places[name] ?? []).map { models[$0] }.filter { $0.provider == provider }
  }
}
