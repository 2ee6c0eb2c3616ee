public import Core

/// The catalogue of models: names, limits, life cycles, prices and request parameters.
///
/// Its layers, from the lowest to the highest: the built-in rows (`models.ndjson`), refreshed
/// prices, the providers' own lists, and the configuration.
public struct Catalogue: Sendable {
  /// A provider's service that has ended.
  public struct EndedService: Sendable, Hashable {
    /// The name of the service for people.
    public let title: String
    /// The day on which the service ended.
    public let ended: Day
  }

  private let rows: CatalogueRows
  private let refreshed: PriceFile
  private let listed: [ModelRecord]
  private var listedProblem: Failure?
  /// The request parameters that models have rejected.
  public let learned: LearnedRefusals

  /// The catalogue that has only the built-in rows.
  public static let builtIn = Catalogue(PackageResources.models_ndjson)

  /// Creates a catalogue from rows, one per line; rows of an unknown type are skipped.
  public init(_ text: [UInt8]) {
    self.init(CatalogueRows(text), refreshed: PriceFile(), listed: [], learned: LearnedRefusals())
  }

  /// Opens the catalogue in the given directories without sending requests.
  public init(_ directories: Directories) {
    let (records, problem) = ListedModels(directories).read()
    self.init(
      Self.builtIn.rows, refreshed: PriceFile(directories), listed: records,
      learned: LearnedRefusals(directories))
    listedProblem = problem
  }

  private init(
    _ rows: CatalogueRows, refreshed: PriceFile, listed: [ModelRecord], learned: LearnedRefusals
  ) {
    self.rows = rows
    self.refreshed = refreshed
    self.listed = listed
    self.learned = learned
  }

  /// The failure to read a file or a line of the catalogue; nil if everything was read.
  public var problem: Failure? { refreshed.problem ?? listedProblem }

  /// The day on which the built-in rows were last checked.
  public var asOf: Day? {
    rows.models.compactMap(\.entry.asOf).max()
  }

  // MARK: Models

  /// Returns the facts about the given model on the given day.
  ///
  /// - Parameters:
  ///   - provider: The name of the model's provider.
  ///   - name: The provider's name for the model.
  ///   - day: The day of the request.
  ///   - settings: The user's configuration of the model.
  /// - Returns: The facts from all layers; empty for an unknown model.
  public func facts(
    _ provider: String, _ name: String, on day: Day = .today,
    settings: Settings.ModelSettings? = nil
  ) -> ModelFacts {
    var facts = ModelFacts(provider: provider, name: name)
    let (from, model) = row(provider, name, settings?.catalogue)
    let rows = self.rows.models(from, model)
    // A row that begins after the given day does not apply. Of the other rows, the last one has the
    // most facts.
    if let row = rows.last(where: { $0.entry.holds(on: day) })
      ?? rows.last(where: { $0.entry.from.map { $0 <= day } ?? true })
    {
      facts.isKnown = true
      facts.kind = row.kind
      facts.limits = row.facts
    }
    let prices =
      rows.map(\.entry)
      + refreshed.rows.filter { $0.describes(from, model) }
      .map(\.entry)
    facts.prices = prices.isEmpty ? nil : ModelPrices(prices)
    if let record = listed.first(where: { $0.provider == provider && $0.modelName == name }) {
      facts.kind = facts.kind ?? record.kind
      var limits = ModelFacts.Limits(record)
      facts.isKnown = facts.isKnown || limits.refuses != nil
      // A provider's list may be incomplete, so it only adds to the parameters that a row says are
      // refused.
      if let own = facts.limits.refuses {
        limits.refuses = own.union(limits.refuses ?? [])
        limits.refusesWithEffort = facts.limits.refusesWithEffort
      }
      facts.limits.merge(limits)
    }
    if let settings {
      facts.limits.merge(ModelFacts.Limits(settings))
      facts.kind = settings.kind ?? facts.kind
      if settings.refuses != nil { facts.isKnown = true }
      facts.set(prices: settings, on: day)
    }
    return facts
  }

  /// Returns the provider and the name by which a row describes the given model.
  private func row(
    _ provider: String, _ name: String, _ catalogue: String?
  ) -> (provider: String, name: String) {
    guard let catalogue else { return (provider, name) }
    let parts = catalogue.split(separator: "/", maxSplits: 1).map(String.init)
    return (parts.first ?? provider, parts.count > 1 ? parts[1] : name)
  }

  /// Returns the names of the provider's models that are available on the given day, the newest
  /// first.
  public func names(of provider: String, on day: Day = .today) -> [String] {
    var names: [String] = []
    for row in rows.models
    where row.provider == provider && row.entry.from.map({ $0 <= day }) ?? true
      && row.facts.retires.map({ day < $0 }) ?? true && !names.contains(row.name)
    {
      names.append(row.name)
    }
    return names
  }

  /// Returns all names of the given model, starting with the name in its built-in row.
  func allNames(of provider: String, _ name: String) -> [String] {
    rows.models(provider, name).last.map { [$0.name] + $0.also } ?? [name]
  }

  // MARK: Names

  /// Returns the name of the model that the given built-in alias stands for.
  public func model(ofAlias alias: String) -> String? {
    rows.aliases.first { $0.alias == alias }?.name
  }

  /// The built-in aliases.
  public var shortNames: [String] { rows.aliases.map(\.alias) }

  /// Returns the provider's default model of the given kind, for the given role or in general.
  public func defaultModel(of provider: String, kind: String = "chat", role: Role? = nil) -> String?
  {
    let defaults = rows.defaults.filter { $0.provider == provider && $0.kind == kind }
    let own = defaults.first { $0.role != nil && $0.role == role?.rawValue }
    return (own ?? defaults.first { $0.role == nil })?.name
  }

  /// All default models, each as its provider and its name.
  public var defaults: [(provider: String, name: String)] {
    rows.defaults.map { ($0.provider, $0.name) }
  }

  /// Returns the provider and the kind of models whose bare names begin like the given name.
  public func provider(ofName name: String) -> (provider: String, kind: String)? {
    let fitting = rows.names.filter { names in
      name.hasPrefix(names.prefix)
        && (!names.hasDigit
          || name.utf8.dropFirst(names.prefix.utf8.count).first?.isDigit == true)
    }
    // The longest prefix is the most specific.
    return fitting.max { $0.prefix.count < $1.prefix.count }.map { ($0.provider, $0.kind) }
  }

  /// The prefixes of bare names as patterns for people, such as `claude-*`.
  public var namePatterns: [String] {
    rows.names.map { $0.prefix + ($0.hasDigit ? "<digit>*" : "*") }
  }

  // MARK: Services

  /// Returns the provider's service if it has ended by the given day; otherwise nil.
  public func endedService(_ provider: String, on day: Day = .today) -> EndedService? {
    rows.services[provider].flatMap { $0.ended <= day ? $0 : nil }
  }

  /// Returns `true` if the provider bills a refusal of the given category before any output; nil if
  /// unknown.
  public func isBilled(refusal category: String?, of provider: String, on day: Day) -> Bool? {
    let refusals = rows.refusals.filter { $0.provider == provider }
    guard !refusals.isEmpty else { return true }
    return refusals.last { $0.category == category && $0.from.map { $0 <= day } ?? true }?.isBilled
  }
}

extension ModelRecord {
  /// The model's name without the prefix of the provider.
  var modelName: String {
    name.hasPrefix(provider + "/") ? String(name.dropFirst(provider.count + 1)) : name
  }
}
