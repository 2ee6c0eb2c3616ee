public import Core

/// The catalogue of models: their names, limits, life cycles, prices and request parameters.
///
/// It has four layers. From the lowest to the highest, they are the built-in rows
/// (`models.ndjson`), refreshed prices, the providers' own lists, and the configuration.
public struct Catalogue: Sendable {
  /// A service of a provider that is no longer offered.
  public struct EndedService: Sendable, Hashable {
    /// The service's name for people.
    public let title: String
    /// The day on which the service ended.
    public let ended: Day
  }

  private let rows: CatalogueRows
  private let refreshed: PriceFile
  private let listed: [ModelRecord]
  private var listedProblem: Failure?
  /// The request parameters that models have been found to reject.
  public let learned: LearnedRefusals

  /// A catalogue that has only the built-in rows.
  public static let builtIn = Catalogue(PackageResources.models_ndjson)

  /// Creates a catalogue from the given rows, one per line.
  ///
  /// Rows of an unknown type are skipped.
  public init(_ text: [UInt8]) {
    self.init(CatalogueRows(text), refreshed: PriceFile(), listed: [], learned: LearnedRefusals())
  }

  /// Opens the catalogue in the given directories.
  ///
  /// No requests are sent.
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

  /// The failure to read a file or a line of the catalogue; nil if all were read.
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
  ///   - name: The name of the model at its provider.
  ///   - day: The day of the request.
  ///   - settings: The user's configuration of the model.
  /// - Returns: The facts from all layers. They are empty if the model is unknown.
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

  /// Returns the provider and name under which a row describes the given model.
  private func row(
    _ provider: String, _ name: String, _ catalogue: String?
  ) -> (provider: String, name: String) {
    guard let catalogue else { return (provider, name) }
    let parts = catalogue.split(separator: "/", maxSplits: 1).map(String.init)
    return (parts.first ?? provider, parts.count > 1 ? parts[1] : name)
  }

  /// Returns the names of the provider's models that are available on the given day.
  ///
  /// The newest model is first.
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

  /// Returns all names of the given model.
  ///
  /// The name in its built-in row is first.
  func allNames(of provider: String, _ name: String) -> [String] {
    rows.models(provider, name).last.map { [$0.name] + $0.also } ?? [name]
  }

  // MARK: Names

  /// Returns the name of the model that the given built-in alias stands for; nil if it is no alias.
  public func model(ofAlias alias: String) -> String? {
    rows.aliases.first { $0.alias == alias }?.name
  }

  /// The built-in aliases.
  public var shortNames: [String] { rows.aliases.map(\.alias) }

  /// Returns the provider's default model of the given kind; nil if there is none.
  ///
  /// If a role is given, its default model is returned if it has one.
  public func defaultModel(of provider: String, kind: String = "chat", role: Role? = nil) -> String?
  {
    let defaults = rows.defaults.filter { $0.provider == provider && $0.kind == kind }
    let own = defaults.first { $0.role != nil && $0.role == role?.rawValue }
    return (own ?? defaults.first { $0.role == nil })?.name
  }

  /// All default models, each with its provider.
  public var defaults: [(provider: String, name: String)] {
    rows.defaults.map { ($0.provider, $0.name) }
  }

  /// Returns the provider and the kind of models with the given name, judged by the name's prefix.
  public func provider(ofName name: String) -> (provider: String, kind: String)? {
    let fitting = rows.names.filter { names in
      name.hasPrefix(names.prefix)
        && (!names.hasDigit
          || name.utf8.dropFirst(names.prefix.utf8.count).first?.isDigit == true)
    }
    // The longest prefix is the most specific.
    return fitting.max { $0.prefix.count < $1.prefix.count }.map { ($0.provider, $0.kind) }
  }

  /// The prefixes that identify providers, as patterns for people, such as `claude-*`.
  public var namePatterns: [String] {
    rows.names.map { $0.prefix + ($0.hasDigit ? "<digit>*" : "*") }
  }

  // MARK: Services

  /// Returns the provider's service if it has ended by the given day; otherwise nil.
  public func endedService(_ provider: String, on day: Day = .today) -> EndedService? {
    rows.services[provider].flatMap { $0.ended <= day ? $0 : nil }
  }

  /// Returns `true` if the provider bills a refusal of the given category that precedes any output.
  ///
  /// It is nil if this is unknown.
  public func isBilled(refusal category: String?, of provider: String, on day: Day) -> Bool? {
    let refusals = rows.refusals.filter { $0.provider == provider }
    guard !refusals.isEmpty else { return true }
    return refusals.last { $0.category == category && $0.from.map { $0 <= day } ?? true }?.isBilled
  }
}

extension ModelRecord {
  /// The model's name without the provider's prefix.
  var modelName: String {
    name.hasPrefix(provider + "/") ? String(name.dropFirst(provider.count + 1)) : name
  }
}
