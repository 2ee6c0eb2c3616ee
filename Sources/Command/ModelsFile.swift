public import Core

/// `models.toml`, which the tools write: the models that a user added, and the one that is asked where
/// nothing names one.
///
/// It lies beside `config.toml`, which no tool writes, and which goes first.
public struct ModelsFile: Sendable {
  private let path: String
  private let lock: String
  private let own: String

  init(_ directories: Directories) {
    path = directories.config + "/models.toml"
    own = directories.config + "/config.toml"
    lock = directories.state + "/models.lock"
  }

  /// A configuration with what the file has and it does not set.
  func completing(_ configuration: Settings) throws(Failure) -> Settings {
    guard let added = try ConfigurationFile.read(path) else { return configuration }
    var all = configuration
    all.models.merge(added.models) { own, _ in own }
    all.model = all.model ?? added.model
    all.aliases.merge(added.aliases) { own, _ in own }
    return all
  }

  /// Adds a model, or describes it anew.
  ///
  /// - Throws: `Conflict` for one that `config.toml` describes, `StorageFailed`, and what reading the
  ///   files throws.
  public func add(_ name: String, _ model: Settings.ModelSettings) throws(Failure) {
    try refuseOwn(name)
    try change { (file) throws(Failure) in file.models[name] = model }
  }

  /// Takes a model out again; it is then asked no more where nothing names one.
  ///
  /// - Returns: What it was.
  /// - Throws: `NotFound` for one that was not added, and as ``add(_:_:)``.
  @discardableResult
  public func remove(_ name: String) throws(Failure) -> Settings.ModelSettings {
    try refuseOwn(name)
    var removed: Settings.ModelSettings?
    try change { (file) throws(Failure) in
      removed = file.models.removeValue(forKey: name)
      if file.model == name { file.model = nil }
    }
    guard let removed else {
      throw Failure(.notFound, "no model '\(name)' was added", kind: .addedModel, input: name)
    }
    return removed
  }

  /// Sets the model that is asked where nothing names one.
  ///
  /// - Throws: `Conflict` where `config.toml` sets it, and as ``add(_:_:)``.
  public func setDefault(_ name: String) throws(Failure) {
    if let other = try ConfigurationFile.read(own)?.model {
      throw Failure(
        .conflict, "'\(own)' sets 'model' to '\(other)', which goes first: change it there",
        kind: .addedModel, input: name)
    }
    try change { (file) throws(Failure) in file.model = name }
  }

  private func refuseOwn(_ name: String) throws(Failure) {
    guard try ConfigurationFile.read(own)?.models[name] != nil else { return }
    throw Failure(
      .conflict, "'\(own)' describes '\(name)', which goes first: change it there",
      kind: .addedModel, input: name)
  }

  /// Reads the file, changes it and writes it, all under a lock.
  private func change(_ change: (inout Settings) throws(Failure) -> Void) throws(Failure) {
    let lock = try FileLock.waiting(for: lock)
    defer { withExtendedLifetime(lock) {} }
    let old = try ConfigurationFile.read(path) ?? Settings()
    var new = old
    try change(&new)
    guard new != old else { return }
    try Directories.make(String(path.dropLast("/models.toml".count)))
    try PrivateFile.write(Array(Self.text(new).utf8), to: path)
  }

  /// What the file says, as TOML: models by their names.
  private static func text(_ settings: Settings) -> String {
    var lines = ["# Written by model-list(1); config.toml goes first."]
    if let model = settings.model { lines.append("model = \(TOMLWriter.string(model))") }
    for (name, model) in settings.models.sorted(by: { $0.key < $1.key }) {
      lines += ["", "[models.\(TOMLWriter.string(name))]"]
      let texts = [
        ("provider", model.provider), ("endpoint", model.endpoint), ("kind", model.kind),
        ("key", model.key),
      ]
      for case (let key, let text?) in texts {
        lines.append("\(key) = \(TOMLWriter.string(text))")
      }
      if let tokens = model.contextTokens { lines.append("contextTokens = \(tokens)") }
      let prices = [
        ("inputPricePerMillion", model.inputPricePerMillion),
        ("outputPricePerMillion", model.outputPricePerMillion),
        ("cacheReadPricePerMillion", model.cacheReadPricePerMillion),
        ("cacheWritePricePerMillion", model.cacheWritePricePerMillion),
      ]
      for case (let key, let price?) in prices { lines.append("\(key) = \(price)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension FailureKind {
  /// What `models.toml` has, or does not have.
  static let addedModel = Self(rawValue: "addedModel")
}
