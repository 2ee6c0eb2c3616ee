public import Core
import TOML

/// The file `models.toml`, which contains added models, aliases and the default model.
///
/// The tools write this file. No tool writes `config.toml`, which is in the same folder and takes
/// precedence.
public struct ModelsFile: Sendable {
  private let path: String
  private let lock: String
  private let own: String

  init(_ directories: Directories) {
    path = directories.config + "/models.toml"
    own = directories.config + "/config.toml"
    lock = directories.state + "/models.lock"
  }

  /// Returns the given configuration with the settings of this file added.
  func completing(
    _ configuration: Settings, reportsUnknown: Bool = false
  ) throws(Failure) -> Settings {
    guard let added = try ConfigurationFile.read(path, reportsUnknown: reportsUnknown)
    else { return configuration }
    var all = configuration
    all.models.merge(added.models) { own, _ in own }
    all.aliases.merge(added.aliases) { own, _ in own }
    all.model = all.model ?? added.model
    return all
  }

  /// Adds the given model, or replaces its description.
  ///
  /// - Throws: `Conflict` if `config.toml` describes the model; `StorageFailed` if the file cannot
  ///   be written; otherwise the failure to read either file.
  public func add(_ name: String, _ model: Settings.ModelSettings) throws(Failure) {
    try refuseOwn(name)
    try change { (file) throws(Failure) in file.models[name] = model }
  }

  /// Removes the given model.
  ///
  /// If it is the default model, there is no default model afterwards.
  ///
  /// - Returns: The settings of the removed model.
  /// - Throws: `NotFound` if the model was not added; otherwise as ``add(_:_:)``.
  @discardableResult
  public func remove(_ name: String) throws(Failure) -> Settings.ModelSettings {
    try refuseOwn(name)
    var removed: Settings.ModelSettings?
    try change { (file) throws(Failure) in
      removed = file.models.removeValue(forKey: name)
      if file.model == name { file.model = nil }
    }
    guard let removed else {
      throw Failure(.notFound, "there is no added model '\(name)'", kind: .addedModel, input: name)
    }
    return removed
  }

  /// Makes the given model the default model.
  ///
  /// - Throws: `Conflict` if `config.toml` sets the default model; otherwise as ``add(_:_:)``.
  public func setDefault(_ name: String) throws(Failure) {
    if let other = try ConfigurationFile.read(own)?.model {
      throw Failure(
        .conflict, "'model' is set to '\(other)' in '\(own)'",
        kind: .addedModel, input: name, nextStep: "change it there")
    }
    try change { (file) throws(Failure) in file.model = name }
  }

  /// Makes the given alias stand for the given model.
  ///
  /// An alias that exists already is changed.
  ///
  /// - Parameters:
  ///   - alias: The alias.
  ///   - name: The model's name.
  /// - Throws: `Conflict` if `config.toml` sets the alias; otherwise as ``add(_:_:)``.
  public func setAlias(_ alias: String, to name: String) throws(Failure) {
    try refuseOwn(alias: alias)
    try change { (file) throws(Failure) in file.aliases[alias] = name }
  }

  /// Removes the given alias.
  ///
  /// - Throws: `NotFound` if the alias does not exist; otherwise as ``setAlias(_:to:)``.
  public func removeAlias(_ alias: String) throws(Failure) {
    try refuseOwn(alias: alias)
    var removed: String?
    try change { (file) throws(Failure) in removed = file.aliases.removeValue(forKey: alias) }
    guard removed != nil else {
      throw Failure(
        .notFound, "there is no short name '\(Visible.line(alias))'", kind: .addedModel,
        input: alias)
    }
  }

  private func refuseOwn(alias: String) throws(Failure) {
    guard try ConfigurationFile.read(own)?.aliases[alias] != nil else { return }
    throw Failure(
      .conflict, "the short name '\(alias)' is set in '\(own)'",
      kind: .addedModel, input: alias, nextStep: "change it there")
  }

  private func refuseOwn(_ name: String) throws(Failure) {
    guard try ConfigurationFile.read(own)?.models[name] != nil else { return }
    throw Failure(
      .conflict, "the model '\(name)' is described in '\(own)'",
      kind: .addedModel, input: name, nextStep: "change it there")
  }

  /// Applies the given change to the file's content while holding the file's lock.
  private func change(_ change: (inout Settings) throws(Failure) -> Void) throws(Failure) {
    try WrittenConfiguration.change(path, lockedBy: lock, as: Self.text, change)
  }

  /// Returns the content of the file as TOML, with aliases and models sorted by name.
  private static func text(_ settings: Settings) -> String {
    var lines = ["# Written by model-list(1); config.toml goes first."]
    if let model = settings.model { lines.append("model = \(TOMLWriter.string(model))") }
    let aliases = settings.aliases.sorted { $0.key < $1.key }
    if !aliases.isEmpty { lines += ["", "[aliases]"] }
    lines += aliases.map { "\(TOMLWriter.string($0.key)) = \(TOMLWriter.string($0.value))" }
    for (name, model) in settings.models.sorted(by: { $0.key < $1.key }) {
      let table = "models.\(TOMLWriter.string(name))"
      lines += ["", "[\(table)]"] + self.lines(model)
      for band in model.bands ?? [] {
        lines += ["", "[[\(table).bands]]", "aboveInputTokens = \(band.aboveInputTokens)"]
        lines += prices(band)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the settings of the given model, without its price bands, as lines of TOML.
  private static func lines(_ model: Settings.ModelSettings) -> [String] {
    let texts = [
      ("provider", model.provider), ("endpoint", model.endpoint), ("kind", model.kind),
      ("key", model.key), ("catalogue", model.catalogue), ("effort", model.effort),
    ]
    let counts = [
      ("contextTokens", model.contextTokens), ("maxOutputTokens", model.maxOutputTokens),
    ]
    let lists = [("refuses", model.refuses), ("efforts", model.efforts)]
    var price = ModelRecord.Band(aboveInputTokens: 0)
    price.inputPricePerMillion = model.inputPricePerMillion
    price.outputPricePerMillion = model.outputPricePerMillion
    price.cacheReadPricePerMillion = model.cacheReadPricePerMillion
    price.cacheWritePricePerMillion = model.cacheWritePricePerMillion
    price.cacheWrite1hPricePerMillion = model.cacheWrite1hPricePerMillion
    return texts.compactMap { key, text in text.map { "\(key) = \(TOMLWriter.string($0))" } }
      + counts.compactMap { key, count in count.map { "\(key) = \($0)" } }
      + lists.compactMap { key, list in list.map { "\(key) = \(TOMLWriter.strings($0))" } }
      + prices(price)
  }

  private static func prices(_ band: ModelRecord.Band) -> [String] {
    let prices = [
      ("inputPricePerMillion", band.inputPricePerMillion),
      ("outputPricePerMillion", band.outputPricePerMillion),
      ("cacheReadPricePerMillion", band.cacheReadPricePerMillion),
      ("cacheWritePricePerMillion", band.cacheWritePricePerMillion),
      ("cacheWrite1hPricePerMillion", band.cacheWrite1hPricePerMillion),
    ]
    return prices.compactMap { key, price in price.map { "\(key) = \($0)" } }
  }
}

extension FailureKind {
  /// The kind of a failure about a model or an alias in `models.toml`.
  public static let addedModel = Self(rawValue: "addedModel")
}
