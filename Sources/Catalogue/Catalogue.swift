public import Core

/// The catalogue of models: names, limits, life cycles, prices and what requests may carry.
///
/// Its layers, the lowest first: the rows that are built in (`models.ndjson`), refreshed prices, what
/// providers listed, and the configuration.
public struct Catalogue: Sendable {
  /// A service that ended.
  public struct EndedService: Sendable, Hashable {
    /// What it was called.
    public let title: String
    /// The day on which it ended.
    public let ended: Day
  }

  private let rows: CatalogueRows
  private let refreshed: PriceFile
  private let listed: [ModelRecord]
  private var listedProblem: Failure?
  /// The members of requests that models refused when they were asked.
  public let learned: LearnedRefusals

  /// The rows that are built in, and nothing else.
  public static let builtIn = Catalogue(PackageResources.models_ndjson)

  /// Reads rows, a line each; rows of unknown types are left out.
  public init(_ text: [UInt8]) {
    self.init(CatalogueRows(text), refreshed: PriceFile(), listed: [], learned: LearnedRefusals())
  }

  /// Opens the catalogue of a user; nothing is sent for it.
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

  /// The failure of a file that is not used, or of a line; nil if all could be read.
  public var problem: Failure? { refreshed.problem ?? listedProblem }

  /// The day on which the built-in rows were last checked.
  public var asOf: Day? {
    rows.models.compactMap(\.entry.asOf).max()
  }

  // MARK: Models

  /// Describes a model.
  ///
  /// - Parameters:
  ///   - provider: Its provider.
  ///   - name: Its name, as the provider knows it.
  ///   - day: The day on which it is asked.
  ///   - settings: The user's description of it.
  /// - Returns: The facts of all layers; those of a model that nobody knows are empty.
  public func facts(
    _ provider: String, _ name: String, on day: Day = .today,
    settings: Settings.ModelSettings? = nil
  ) -> ModelFacts {
    var facts = ModelFacts(provider: provider, name: name)
    let (from, model) = row(provider, name, settings?.catalogue)
    let rows = self.rows.models(from, model)
    // A row that begins tomorrow says nothing today; the last one says the most about a model.
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
      // A list tells what its provider names; a row may know more.
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

  /// Returns the row that a model is described by, as provider and name.
  private func row(
    _ provider: String, _ name: String, _ catalogue: String?
  ) -> (provider: String, name: String) {
    guard let catalogue else { return (provider, name) }
    let parts = catalogue.split(separator: "/", maxSplits: 1).map(String.init)
    return (parts.first ?? provider, parts.count > 1 ? parts[1] : name)
  }

  /// Returns the names of a provider's models that are in force and not retired on a day, newest
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

  /// Returns all names of a model, that of its built-in row first.
  func allNames(of provider: String, _ name: String) -> [String] {
    rows.models(provider, name).last.map { [$0.name] + $0.also } ?? [name]
  }

  // MARK: Names

  /// Returns the model that a short name stands for.
  public func model(ofAlias alias: String) -> String? {
    rows.aliases.first { $0.alias == alias }?.name
  }

  /// The short names that are built in.
  public var shortNames: [String] { rows.aliases.map(\.alias) }

  /// Returns a provider's default model of a kind, for a role or for anybody.
  public func defaultModel(of provider: String, kind: String = "chat", role: Role? = nil) -> String?
  {
    let defaults = rows.defaults.filter { $0.provider == provider && $0.kind == kind }
    let own = defaults.first { $0.role != nil && $0.role == role?.rawValue }
    return (own ?? defaults.first { $0.role == nil })?.name
  }

  /// All default models, as provider and name.
  public var defaults: [(provider: String, name: String)] {
    rows.defaults.map { ($0.provider, $0.name) }
  }

  /// Returns the provider and the kind of a bare name, by how it begins.
  public func provider(ofName name: String) -> (provider: String, kind: String)? {
    let fitting = rows.names.filter { names in
      name.hasPrefix(names.prefix)
        && (!names.hasDigit
          || name.utf8.dropFirst(names.prefix.utf8.count).first?.isDigit == true)
    }
    // The longest beginning says the most.
    return fitting.max { $0.prefix.count < $1.prefix.count }.map { ($0.provider, $0.kind) }
  }

  /// The beginnings of bare names, as people write them: `claude-*`.
  public var namePatterns: [String] {
    rows.names.map { $0.prefix + ($0.hasDigit ? "<digit>*" : "*") }
  }

  // MARK: Services

  /// Returns the end of a provider's service, if it is over on a day.
  public func endedService(_ provider: String, on day: Day = .today) -> EndedService? {
    rows.services[provider].flatMap { $0.ended <= day ? $0 : nil }
  }

  /// Returns `true` if a provider bills a refusal that came before any output, nil if nobody knows.
  public func isBilled(refusal category: String?, of provider: String, on day: Day) -> Bool? {
    let refusals = rows.refusals.filter { $0.provider == provider }
    guard !refusals.isEmpty else { return true }
    return refusals.last { $0.category == category && $0.from.map { $0 <= day } ?? true }?.isBilled
  }
}

extension ModelRecord {
  /// The name without the provider's.
  var modelName: String {
    name.hasPrefix(provider + "/") ? String(name.dropFirst(provider.count + 1)) : name
  }
}
